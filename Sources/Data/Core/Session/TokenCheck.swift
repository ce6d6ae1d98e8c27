package import BrowseDomain

/// Sends requests that leave the queues with the newest token of their account.
///
/// A request can wait long after ``Authorization`` has added its token. If the session has ended or the token can't be used, the
/// request isn't sent, and fails with `.unauthorized` without a status, after which `Authorization` starts it again. A refusal is
/// recorded here, before the next request leaves the queues.
///
/// Of other providers than ``StoredTokenRepository``, it only sends the newest token of the account, if that has an identifier.
package struct TokenCheck: HTTPMiddleware {
    private let tokens: any AccessTokens
    private let stored: StoredTokenRepository?
    private let field: TokenField

    /// Creates the middleware; `tokens` and `field` are those of ``Authorization``.
    package init(tokens: any AccessTokens, in field: TokenField = .bearer) {
        self.tokens = tokens
        stored = tokens as? StoredTokenRepository
        self.field = field
    }

    package func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        // Another middleware can set an account, too.
        guard request.isAuthorized, let account = request.account else { return try await next(request) }
        guard let stored else { return try await next(try await reauthorized(request, of: account)) }
        let admission = try await stored.admit(request)
        do throws(BrowseError) {
            let response = try await next(authorized(request, by: admission.token))
            if admission.isUnproven || response.status == 401 {
                await finish(admission, in: stored, with: response, to: request)
            }
            return response
        } catch {
            if admission.isTrial { await finish(admission, in: stored, with: nil, to: request) }
            throw error
        }
    }

    private func finish(
        _ admission: StoredTokenRepository.Admission,
        in stored: StoredTokenRepository,
        with response: HTTPResponse?,
        to request: HTTPRequest
    ) async {
        // A redirect can lead to a server that doesn't receive the token.
        let isOwn = response.map { Origin($0.url) == Origin(request.url) } ?? false
        await stored.finish(admission, with: isOwn ? response?.status : nil)
    }

    private func reauthorized(_ request: HTTPRequest, of account: String) async throws(BrowseError) -> HTTPRequest {
        guard !account.isEmpty else { return request }
        guard let grant = try await tokens.currentGrant(), grant.account == account else {
            throw .unauthorized(request.info)
        }
        return authorized(request, by: grant.token)
    }

    private func authorized(_ request: HTTPRequest, by token: Secret) -> HTTPRequest {
        var authorized = request
        field.set(token, in: &authorized.headers)
        return authorized
    }
}
