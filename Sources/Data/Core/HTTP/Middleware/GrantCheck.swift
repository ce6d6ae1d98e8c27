import BrowseDomain

/// Sends requests that leave the queues with the newest token of their account, for providers without a ``TokenCheck``.
///
/// If the provider has another account now, the request isn't sent, and fails as in `TokenCheck`. Accounts without an
/// identifier can't be told apart, so their requests have the token with which they started.
struct GrantCheck: HTTPMiddleware {
    let tokens: any AccessTokens
    let field: TokenField

    func send(_ request: HTTPRequest, next: @escaping Next) async throws(BrowseError) -> HTTPResponse {
        guard let account = request.account, !account.isEmpty else { return try await next(request) }
        return try await next(authorized(request, of: account))
    }

    /// Not inlined, so that the frame of a waiting request needs no space for its values.
    @inline(never)
    private func authorized(_ request: HTTPRequest, of account: String) async throws(BrowseError) -> HTTPRequest {
        guard let grant = try await tokens.currentGrant(), grant.account == account else {
            throw .unauthorized(request.info)
        }
        var authorized = request
        field.set(grant.token, in: &authorized.headers)
        return authorized
    }
}
