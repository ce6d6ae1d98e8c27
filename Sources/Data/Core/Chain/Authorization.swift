package import BrowseDomain
package import Foundation
import Synchronization

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

/// Waits for the token of a request, and repeats it after a 401 if there is a newer token.
///
/// A refresh can take long, and so can a new token until all servers know it, so this precedes the slots. Any method can be
/// repeated after a 401, since the service rejected the request before processing it.
package struct TokenRenewal: HTTPMiddleware {
    private let authorization: Authorization

    package init(for authorization: Authorization) {
        self.authorization = authorization
    }

    package func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError)
        -> HTTPClient.Response
    {
        guard request.isAuthorized else { return try await next(request) }
        let tokens = authorization.tokens
        var refused: AccessGrant?
        var refusals = 0
        // Each attempt has another token, or gives a new one time. Without a limit, a provider with a new token each time would
        // repeat the request forever.
        for _ in 1..<8 {
            _ = try await tokens.currentGrant(for: request)
            let response = try await next(request.limitedToDeadline())
            guard let grant = response.refusedGrant else { return response }
            refusals = grant.token == refused?.token ? refusals + 1 : 1
            refused = grant
            defer { authorization.refused.withLock { $0 = nil } }
            let newer = try await tokens.grant(afterRefusalOf: grant, refusals: refusals)
            // Without a newer one, a request that wasn't sent fails because of the current grant.
            guard newer?.account == request.account || grant.isRefused else { return response }
        }
        return try await next(request.limitedToDeadline())
    }
}

/// Adds the token of its account to a request that is about to be sent.
///
/// A request can wait long for its slot. As the last middleware, this adds the newest token; if the account has signed out
/// meanwhile, the request isn't sent, and fails with `.unauthorized`. While ``TokenRenewal`` replaces a refused token, requests aren't
/// sent either, and count as refused, so that at most as many as there are slots carry it.
package final class Authorization: HTTPMiddleware {
    fileprivate let tokens: any AccessTokens
    private let field: TokenField
    /// The token that the service has refused, until it's replaced.
    fileprivate let refused = Mutex<AccessToken?>(nil)

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
            response.hadNoToken = response.status == 401
            return response
        }
        // Read first: a token that is replaced meanwhile isn't sent.
        let refused = refused.withLock(\.self)
        var grant = try await tokens.currentGrant(for: request)
        grant.isRefused = grant.token == refused
        var authorized = request
        field.set(grant.token, in: &authorized.headers)
        var response =
            grant.isRefused ? HTTPClient.Response(status: 401, url: request.url) : try await next(authorized)
        guard response.status == 401 else { return response }
        // A redirect can lead to a server that doesn't receive the token, such as a gateway's.
        guard Origin(response.url) == Origin(request.url) else {
            var info = request.info
            info.status = response.status
            throw .unreachable(.intercepted, info)
        }
        self.refused.withLock { $0 = grant.token }
        response.refusedGrant = grant
        return response
    }
}

extension AccessTokens {
    /// Returns the current grant, if it belongs to a request's account, and isn't refused for a while.
    fileprivate func currentGrant(for request: HTTPClient.Request) async throws(BrowseError) -> AccessGrant {
        let grant = try await currentGrant()
        guard !Task.isCancelled else { throw .cancelled }
        var info = request.info
        info.refusedConfiguredToken = grant?.isRefused == true
        guard let grant, grant.account == request.account, !grant.isRefused else { throw .unauthorized(info) }
        return grant
    }
}
