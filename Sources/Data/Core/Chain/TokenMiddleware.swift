package import BrowseDomain
package import Foundation

/// Sets the account of requests to a service's origin, by which everything below tells requests apart.
///
/// Requests to other origins have no account, nor have those over http, except on this device. A read fails with `.unauthorized`
/// if its account signs out before the response arrives.
package struct RequestAccount: HTTPMiddleware {
    private let origin: Origin?
    private let tokens: any AccessTokens

    package init(for baseURL: URL, tokens: any AccessTokens) {
        origin = Origin(baseURL)
        self.tokens = tokens
    }

    package func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError)
        -> HTTPClient.Response
    {
        guard origin?.isPrivate == true, Origin(request.url) == origin, let account = try await tokens.account() else {
            return try await next(request)
        }
        var owned = request
        owned.account = account
        owned.isAuthorized = true
        let response = try await next(owned)
        // A write has taken effect, and a 401 can be the reason of the sign-out.
        guard request.method == .get, response.status != 401 else { return response }
        let current = await Result.of { [tokens] () throws(BrowseError) in try await tokens.account() }
        // A provider that fails says nothing about the account.
        if case .success(let current) = current, current != account { throw .unauthorized(request.info) }
        return response
    }
}

/// Waits for the token of a request before it takes a slot, since a refresh can take long.
package struct TokenWait: HTTPMiddleware {
    let tokens: any AccessTokens

    package func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError)
        -> HTTPClient.Response
    {
        guard request.isAuthorized else { return try await next(request) }
        _ = try await tokens.currentGrant(for: request)
        return try await next(request.limitedToDeadline())
    }
}

/// Adds the token of its account to a request that is about to be sent.
///
/// A request can wait long for its slot. As the last middleware, this adds the newest token; if the account has signed out
/// meanwhile, the request isn't sent, and fails with `.unauthorized`.
///
/// After a 401, the request is sent again if there is a newer token. Any method can be repeated then, since the service rejected
/// the request before processing it.
package struct Authorization: HTTPMiddleware {
    private let tokens: any AccessTokens
    private let field: TokenField

    package init(tokens: any AccessTokens, in field: TokenField = .bearer) {
        self.tokens = tokens
        self.field = field
    }

    package func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError)
        -> HTTPClient.Response
    {
        // Another middleware can set an account, too.
        guard request.isAuthorized else {
            var response = try await next(request)
            // Only a 401 can mean that a token is missing.
            if response.status == 401 { response.unauthorizedReason = .noToken }
            return response
        }
        var grant = try await tokens.currentGrant(for: request)
        var refusals = 0
        // Each attempt has another token, or gives a new one time. Without a limit, a provider with a new token each time would
        // repeat the request forever.
        for attempt in 1... {
            var authorized = try request.limitedToDeadline()
            field.set(grant.token, in: &authorized.headers)
            var response = try await next(authorized)
            guard response.status == 401 else { return response }
            // A redirect can lead to a server that doesn't receive the token, such as a gateway's.
            guard Origin(response.url) == Origin(request.url) else {
                var info = request.info
                info.status = response.status
                throw .unreachable(.intercepted, info)
            }
            refusals += 1
            let newer = try await tokens.grant(afterRefusalOf: grant, refusals: refusals)
            guard attempt < Self.maxAttempts, let newer, newer.account == request.account else {
                if grant.isConfigured { response.unauthorizedReason = .configuredToken }
                return response
            }
            if newer.token != grant.token { refusals = 0 }
            grant = newer
        }
        throw .unauthorized(request.info)
    }

    private static var maxAttempts: Int { 8 }
}

extension AccessTokens {
    /// Returns the current grant, if it belongs to a request's account, and isn't refused for a while.
    fileprivate func currentGrant(for request: HTTPClient.Request) async throws(BrowseError) -> AccessGrant {
        let grant = try await currentGrant()
        guard !Task.isCancelled else { throw .cancelled }
        var info = request.info
        info.hasConfiguredToken = grant?.isRefused == true
        guard let grant, grant.account == request.account, !grant.isRefused else { throw .unauthorized(info) }
        return grant
    }
}
