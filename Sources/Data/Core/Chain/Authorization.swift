package import BrowseDomain
import Synchronization

/// Adds the token of its account to a request that is about to be sent.
///
/// A request can wait long for its slot. As the last middleware, this adds the newest token; if the
/// account has signed out meanwhile, the request isn't sent, and fails with `.unauthorized`. Until
/// ``TokenRenewal`` has replaced a refused token, or given it time, requests aren't sent either, so
/// that at most as many as there are slots carry it.
package final class Authorization: HTTPMiddleware {
    let tokens: any AccessTokens
    private let field: TokenField
    /// The grant that the service has refused, until it's replaced or has had time.
    let refused = Mutex<AccessGrant?>(nil)

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
            // Others don't mean that a token is missing, or that there is a higher limit with one.
            return modified(try await next(request)) { $0.hadNoToken = [401, 403, 429].contains($0.status) }
        }
        // Read first: a token that is replaced meanwhile isn't sent.
        let refused = refused.withLock(\.self)
        let grant = try await tokens.currentGrant(for: request)
        if var refused, refused.token == grant.token {
            refused.isRefused = true
            return modified(HTTPClient.Response(status: 401, url: request.url)) { $0.refusedGrant = refused }
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
    func currentGrant(for request: HTTPClient.Request) async throws(BrowseError) -> AccessGrant {
        let grant = try await currentGrant()
        guard !Task.isCancelled else { throw .cancelled }
        let info = modified(request.info) { $0.refusedConfiguredToken = grant?.isRefused == true }
        guard let grant, grant.account == request.account, !grant.isRefused else { throw .unauthorized(info) }
        return grant
    }
}
