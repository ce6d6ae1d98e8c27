package import BrowseDomain
package import Foundation
import Synchronization

/// Sets the account of requests to a service's origin, by which everything below tells requests
/// apart.
///
/// Requests to other origins have no account. Those over http are refused, except on this device. A
/// read fails with `.unauthorized` if its account signs out before the response arrives.
package struct RequestAccount: HTTPMiddleware {
    private let origin: Origin?
    private let tokens: any AccessTokens

    package init(for baseURL: URL, tokens: any AccessTokens) {
        origin = Origin(baseURL)
        self.tokens = tokens
    }

    package func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        guard Origin(request.url) == origin, let account = try await tokens.account() else {
            do throws(BrowseError) {
                return try await next(request)
            } catch .rateLimited(let limit, var info) {
                info.hadNoCredentials = true
                throw .rateLimited(limit, info)
            }
        }
        guard origin?.isPrivate == true else { throw .refused(.invalidConfiguration, request.info) }
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
/// A refresh can take long, and so can a new token until all servers know it, so this precedes the
/// slots. Any method can be repeated after a 401, since the service rejected the request before
/// processing it.
package struct TokenRenewal: HTTPMiddleware {
    private let authorization: Authorization

    package init(for authorization: Authorization) {
        self.authorization = authorization
    }

    package func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        guard request.isAuthorized else { return try await next(request) }
        let tokens = authorization.tokens
        var refused: AccessGrant?
        var refusals = 0
        // Each attempt has another token, or gives a new one time. Without a limit, a provider with
        // a new token each time would repeat the request forever.
        for _ in 1..<8 {
            let current = try await tokens.currentGrant(for: request)
            var response = try await next(request.limitedToDeadline())
            // Servers that don't know a new token yet can also deny a read.
            if response.status == 403, request.method == .get, !current.isSettled, refusals < 2 {
                response.refusedGrant = current
            }
            guard let grant = response.refusedGrant else { return response }
            if grant.token != refused?.token { refusals = 0 }
            // Only an answer of the service is a refusal.
            if !grant.isRefused { refusals += 1 }
            refused = grant
            let newer = try await tokens.grant(afterRefusalOf: grant, refusals: max(1, refusals))
            // A canceled request, or a refresh that fails, says nothing about the token.
            guard !Task.isCancelled else { throw .cancelled }
            authorization.refused.withLock { if $0?.token == grant.token { $0 = nil } }
            // Without a newer one, a request that wasn't sent fails because of the current grant.
            guard newer?.account == request.account || grant.isRefused else {
                if response.doubt == .foreign { throw response.interception(of: request) }
                return response
            }
        }
        return try await next(request.limitedToDeadline())
    }
}

/// Adds the token of its account to a request that is about to be sent.
///
/// A request can wait long for its slot. As the last middleware, this adds the newest token; if the
/// account has signed out meanwhile, the request isn't sent, and fails with `.unauthorized`. Until
/// ``TokenRenewal`` has replaced a refused token, or given it time, requests aren't sent either, so
/// that at most as many as there are slots carry it.
package final class Authorization: HTTPMiddleware {
    fileprivate let tokens: any AccessTokens
    private let field: TokenField
    /// The grant that the service has refused, until it's replaced or has had time.
    fileprivate let refused = Mutex<AccessGrant?>(nil)

    package init(tokens: any AccessTokens, in field: TokenField = .bearer) {
        self.tokens = tokens
        self.field = field
    }

    package func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        // Another middleware can set an account, too.
        guard request.isAuthorized else {
            var response = try await next(request)
            // Others don't mean that a token is missing, or that there is a higher limit with one.
            response.hadNoToken = [401, 403, 429].contains(response.status)
            return response
        }
        // Read first: a token that is replaced meanwhile isn't sent.
        let refused = refused.withLock(\.self)
        let grant = try await tokens.currentGrant(for: request)
        if var refused, refused.token == grant.token {
            refused.isRefused = true
            var response = HTTPClient.Response(status: 401, url: request.url)
            response.refusedGrant = refused
            return response
        }
        let authorized = modified(request) { field.set(grant.token, in: &$0.headers) }
        var response = try await next(authorized)
        guard response.status == 401 else { return response }
        // A redirect can lead to a server that doesn't receive the token, such as a gateway's.
        guard Origin(response.url) == Origin(request.url) else {
            throw response.interception(of: request)
        }
        if response.doubt == nil { self.refused.withLock { $0 = grant } }
        response.refusedGrant = grant
        response.refusedGrant?.isDoubtful = response.doubt != nil
        return response
    }
}

extension AccessTokens {
    /// Returns the current grant, if it belongs to a request's account, and isn't refused for a
    /// while.
    fileprivate func currentGrant(for request: HTTPClient.Request) async throws(BrowseError) -> AccessGrant {
        let grant = try await currentGrant()
        guard !Task.isCancelled else { throw .cancelled }
        var info = request.info
        info.refusedConfiguredToken = grant?.isRefused == true
        guard let grant, grant.account == request.account, !grant.isRefused else { throw .unauthorized(info) }
        return grant
    }
}
