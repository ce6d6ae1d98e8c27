package import BrowseDomain
import Synchronization

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
            if response.status == 403, request.isRead, !current.isSettled, refusals < 2 {
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
