package import BrowseDomain
package import Foundation

/// Adds an account's token to requests to a service's origin.
///
/// Other origins never receive it, nor do http origins, except on this device.
///
/// After a 401, the request is sent again if there is a newer token. Any method can be repeated then, since the service rejected
/// the request before processing it. If the session ends during a read, the response is discarded and the read is repeated with
/// the current session. ``TokenCheck`` fails requests with `.unauthorized` without a status before they are sent; they start
/// again here.
package final class Authorization: HTTPMiddleware {
    private let origin: Origin?
    private let tokens: any AccessTokens
    private let field: TokenField

    package init(for baseURL: URL, tokens: any AccessTokens, in field: TokenField = .bearer) {
        origin = Origin(baseURL)
        self.tokens = tokens
        self.field = field
    }

    package func send(_ request: HTTPRequest, next: @escaping Next) async throws(BrowseError) -> HTTPResponse {
        guard canAuthorize(request) else { return try await next(request) }
        guard request.options.source != .cacheOnly else { return try await sendOffline(request, next) }
        let grant: Boxed<AccessGrant>?
        do throws(BrowseError) {
            grant = try await currentGrant(for: request)
        } catch {
            return try await sendOffline(request, after: error, next)
        }
        guard let grant else { return try await sendAnonymously(request, next) }
        return try await send(request, with: grant, next)
    }

    // Not inlined, so that the frame of a waiting caller needs no space for their values.

    /// Sends a request with a token, again with a newer one, and after the end of its session.
    @inline(never)
    private func send(
        _ request: HTTPRequest,
        with first: Boxed<AccessGrant>,
        _ next: Next
    ) async throws(BrowseError) -> HTTPResponse {
        var grant: Boxed<AccessGrant>? = first
        var wasRefused = false
        // Each attempt ends a session or refreshes its token. Without a limit, a provider with another session each time would
        // repeat a read forever.
        for _ in 0..<Self.maxAttempts {
            // A canceled caller may belong to an earlier session than this token.
            guard !Task.isCancelled else { throw .cancelled }
            guard let sent = grant else { return try await sendAnonymously(request, next) }
            do throws(BrowseError) {
                let response = try await next(authorized(request, by: sent))
                switch try await verdict(on: response, to: request, sentWith: sent, wasRefused: wasRefused) {
                case .accepted: return marked(response, sentWith: sent)
                case .refused(let newer): (wasRefused, grant) = (true, newer)
                case .sessionEnded(let current): grant = current
                }
            } catch {
                grant = try await grantForRestart(after: error, of: request, sentWith: sent)
            }
        }
        throw .unauthorized(request.info)
    }

    @inline(never)
    private func currentGrant(for request: HTTPRequest) async throws(BrowseError) -> Boxed<AccessGrant>? {
        do throws(BrowseError) {
            return try await tokens.currentGrant().map(Boxed.init)
        } catch {
            throw error.naming(request)
        }
    }

    /// Returns the grant with which a request starts again; throws the error if it doesn't.
    @inline(never)
    private func grantForRestart(
        after error: BrowseError,
        of request: HTTPRequest,
        sentWith old: Boxed<AccessGrant>
    ) async throws(BrowseError) -> Boxed<AccessGrant>? {
        // A write belongs to the session in which it was requested.
        guard error.isUnsent, !error.hasConfiguredToken else { throw error }
        if request.method != .get {
            guard await tokens.isInUse(old.value.id) else { throw error }
        }
        return try await currentGrant(for: request)
    }

    /// Marks a response that refuses the configured token.
    @inline(never)
    private func marked(_ response: HTTPResponse, sentWith grant: Boxed<AccessGrant>) -> HTTPResponse {
        guard isRefusal(response), grant.value.isConfigured else { return response }
        var response = response
        response.hasConfiguredToken = true
        return response
    }

    /// The meaning of a response for the grant of its request.
    private enum Verdict {
        /// The response is returned to the caller.
        case accepted
        /// The token was refused, and there is a newer one.
        case refused(newer: Boxed<AccessGrant>)
        /// The session ended while the request was in flight, so the read is repeated with the current one.
        case sessionEnded(current: Boxed<AccessGrant>?)
    }

    @inline(never)
    private func sendAnonymously(_ request: HTTPRequest, _ next: Next) async throws(BrowseError) -> HTTPResponse {
        var response = try await next(request)
        // Only a 401 can mean that a token is missing.
        response.hadNoCredentials = response.status == 401
        return response
    }

    @inline(never)
    private func canAuthorize(_ request: HTTPRequest) -> Bool {
        origin?.isPrivate == true && Origin(request.url) == origin
    }

    @inline(never)
    private func verdict(
        on response: HTTPResponse,
        to request: HTTPRequest,
        sentWith sent: Boxed<AccessGrant>,
        wasRefused: Bool
    ) async throws(BrowseError) -> Verdict {
        if isRefusal(response) {
            guard let newer = try await tokens.grant(afterRefusalOf: sent.value, isRetry: wasRefused) else {
                return .accepted
            }
            return .refused(newer: Boxed(newer))
        }
        guard request.method == .get, await !tokens.isInUse(sent.value.id) else { return .accepted }
        return .sessionEnded(current: try await currentGrant(for: request))
    }

    private func isRefusal(_ response: HTTPResponse) -> Bool {
        response.status == 401 && Origin(response.url) == origin
    }

    @inline(never)
    private func authorized(_ request: HTTPRequest, by grant: Boxed<AccessGrant>) -> HTTPRequest {
        var authorized = request
        field.set(grant.value.token, in: &authorized.headers)
        authorized.account = grant.value.account
        authorized.isAuthorized = true
        return authorized
    }

    /// Responds from the cache if the token can't be refreshed; throws the error if that isn't possible.
    @inline(never)
    private func sendOffline(
        _ request: HTTPRequest,
        after error: BrowseError,
        _ next: Next
    ) async throws(BrowseError) -> HTTPResponse {
        guard request.options.source == .networkElseCache, error != .cancelled, !error.isUnsent,
            let response = try? await sendOffline(request, next)
        else { throw error }
        return response
    }

    /// Reads from the cache of the current account, even if its token has expired.
    @inline(never)
    private func sendOffline(_ request: HTTPRequest, _ next: Next) async throws(BrowseError) -> HTTPResponse {
        var offline = request
        offline.options.source = .cacheOnly
        offline.account = await tokens.offlineAccount()
        var response = try await next(offline)
        if request.options.source == .networkElseCache, let date = response.provenance.date {
            response.provenance = .offline(since: date)
        }
        return response
    }

    private static var maxAttempts: Int { 8 }
}

extension BrowseError {
    /// Whether a request wasn't sent because its token is no longer valid.
    ///
    /// A 401 from the server arrives here as a response, not as an error, so it never matches.
    fileprivate var isUnsent: Bool {
        if case .unauthorized(let info) = self { info.status == nil } else { false }
    }

    fileprivate var hasConfiguredToken: Bool { request?.hasConfiguredToken == true }
}

extension BrowseError {
    /// Returns the refusal of a configured token as the error of a request; other errors unchanged.
    @inline(never)
    fileprivate func naming(_ request: HTTPRequest) -> BrowseError {
        guard case .unauthorized(var info) = self else { return self }
        info.endpoint = request.endpoint
        return .unauthorized(info)
    }
}
