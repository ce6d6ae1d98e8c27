public import BrowseDomain
public import Foundation

/// Puts the access token on requests to the API's own origin, and on no others.
///
/// Nor does it where somebody between could read it: over http only to this computer itself.
///
/// A request that GitHub refuses with 401 is sent once more when there is a newer token; it was not carried out, so that
/// even one that changes something may be repeated. What was read with the token of a session that has ended meanwhile is
/// dropped, and read again with what is in use by then.
public final class Authorization: HTTPMiddleware {
    private let origin: Origin?
    private let tokens: StoredTokenRepository

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - baseURL: The API whose origin may see the token.
    ///   - tokens: Where the token is.
    public init(for baseURL: URL, tokens: StoredTokenRepository) {
        origin = Origin(baseURL)
        self.tokens = tokens
    }

    /// Hands the request on with the token, when there is one and the request goes to its origin.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard mayAuthorize(request) else { return try await next(request) }
        guard request.options.source != .cacheOnly else { return try await sendOffline(request, next) }
        var grant: GitHub.Grant?
        do throws(BrowseError) {
            grant = try await tokens.grantForRequest()
        } catch {
            // The token has ended and cannot be renewed now; what was read with it can still be shown.
            guard request.options.source == .networkElseCache, error != .cancelled,
                let reply = try? await sendOffline(request, next)
            else { throw error }
            return reply
        }
        var wasRefused = false
        // Each turn ends a session or renews its token, of which there are only so many.
        for _ in 0..<Self.turns {
            // Whoever asked may belong to a session before this token.
            guard !Task.isCancelled else { throw .cancelled }
            guard let sent = grant else { return try await sendAnonymously(request, next) }
            let response = try await next(authorized(request, by: sent))
            switch try await verdict(on: response, to: request, sentWith: sent, wasRefused: wasRefused) {
            case .accepted: return response
            case .refused(let newer): (wasRefused, grant) = (true, newer)
            case .sessionEnded(let current): grant = current
            }
        }
        throw .cancelled
    }

    /// What a response means for the grant that the request was sent with.
    private enum Verdict {
        /// The response is for the caller.
        case accepted
        /// The token was refused; there's a newer one to try.
        case refused(newer: GitHub.Grant)
        /// The session ended while the request was in flight; the read is repeated for the current one.
        case sessionEnded(current: GitHub.Grant?)
    }

    // These aren't inlined, so that the frame of a caller that waits has no room for what they use.

    @inline(never)
    private func sendAnonymously(
        _ request: HTTPRequest,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var response = try await next(request)
        // Of other statuses it says nothing.
        response.isAnonymous = response.status == 401
        return response
    }

    @inline(never)
    private func mayAuthorize(_ request: HTTPRequest) -> Bool {
        guard let origin, origin.isPrivate else { return false }
        return Origin(request.url) == origin
    }

    @inline(never)
    private func verdict(
        on response: HTTPResponse,
        to request: HTTPRequest,
        sentWith sent: GitHub.Grant,
        wasRefused: Bool
    ) async throws(BrowseError) -> Verdict {
        if isRefusal(response) {
            // A second new token would be refused, too, unless another process has got it.
            guard let newer = try await tokens.grant(afterRefusalOf: sent, mayRefresh: !wasRefused) else {
                return .accepted
            }
            return .refused(newer: newer)
        }
        guard request.method == .get, await !tokens.isInUse(sent.id) else { return .accepted }
        return .sessionEnded(current: try await tokens.grantForRequest())
    }

    private func isRefusal(_ response: HTTPResponse) -> Bool {
        response.status == 401 && Origin(response.url) == origin
    }

    /// The request with a token.
    @inline(never)
    private func authorized(_ request: HTTPRequest, by grant: GitHub.Grant) -> HTTPRequest {
        let credentials = grant.credentials
        var authorized = request
        authorized.headers["Authorization"] = "Bearer \(credentials.token.text)"
        authorized.account = credentials.account
        return authorized
    }

    /// Looks for what is kept of the account in use, with a token that need not be good.
    @inline(never)
    private func sendOffline(
        _ request: HTTPRequest,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var offline = request
        offline.options.source = .cacheOnly
        offline.account = (try? await tokens.current())?.credentials.account
        var response = try await next(offline)
        if request.options.source == .networkElseCache, let date = response.provenance.date {
            response.provenance = .offline(since: date)
        }
        return response
    }

    private static var turns: Int { 8 }
}
