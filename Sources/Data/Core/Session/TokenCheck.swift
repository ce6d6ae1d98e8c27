package import BrowseDomain

/// Sends requests that leave the queues with the newest token of their account.
///
/// A request can wait long after ``Authorization`` has added its token. If the session has ended or the token can't be used, the
/// request isn't sent, and fails with `.unauthorized` without a status, after which `Authorization` starts it again. A refusal is
/// recorded here, before the next request leaves the queues.
package struct TokenCheck: HTTPMiddleware {
    private let tokens: StoredTokenRepository
    private let field: TokenField

    /// Creates the middleware; `tokens` and `field` are those of ``Authorization``.
    package init(tokens: StoredTokenRepository, in field: TokenField = .bearer) {
        self.tokens = tokens
        self.field = field
    }

    package func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        // Only `Authorization` sets the account.
        guard request.account != nil else { return try await next(request) }
        let admission = try await tokens.admit(request)
        do throws(BrowseError) {
            let response = try await next(authorized(request, by: admission))
            if admission.isUnproven || response.status == 401 { await finish(admission, with: response, to: request) }
            return response
        } catch {
            if admission.isTrial { await finish(admission, with: nil, to: request) }
            throw error
        }
    }

    // Not inlined, so that the frame of a waiting request needs no space for their values.

    @inline(never)
    private func finish(
        _ admission: StoredTokenRepository.Admission,
        with response: HTTPResponse?,
        to request: HTTPRequest
    ) async {
        // A redirect can lead to a server that doesn't receive the token.
        let isOwn = response.map { Origin($0.url) == Origin(request.url) } ?? false
        await tokens.finish(admission, with: isOwn ? response?.status : nil)
    }

    @inline(never)
    private func authorized(_ request: HTTPRequest, by admission: StoredTokenRepository.Admission) -> HTTPRequest {
        var authorized = request
        field.set(admission.token, in: &authorized.headers)
        return authorized
    }
}
