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
        guard origin?.isPrivate == true, Origin(request.url) == origin else { return try await next(request) }
        guard request.options.source != .cacheOnly else { return try await sendOffline(request, next) }
        let grant: AccessGrant?
        do throws(BrowseError) {
            grant = try await currentGrant(for: request)
        } catch {
            return try await sendOffline(request, after: error, next)
        }
        return try await send(request, with: grant, next)
    }

    /// Sends a request with a token, again with a newer one, and after the end of its session.
    private func send(
        _ request: HTTPRequest,
        with first: AccessGrant?,
        _ next: Next
    ) async throws(BrowseError) -> HTTPResponse {
        var grant = first
        var wasRefused = false
        // Each attempt ends a session or refreshes its token. Without a limit, a provider with another session each time would
        // repeat a read forever.
        for _ in 0..<Self.maxAttempts {
            // A canceled caller may belong to an earlier session than this token.
            guard !Task.isCancelled else { throw .cancelled }
            guard let sent = grant else { return try await sendAnonymously(request, next) }
            do throws(BrowseError) {
                var response = try await next(authorized(request, by: sent))
                if response.status == 401, Origin(response.url) == origin {
                    guard let newer = try await tokens.grant(afterRefusalOf: sent, isRetry: wasRefused) else {
                        if sent.isConfigured { response.unauthorizedReason = .configuredToken }
                        return response
                    }
                    (wasRefused, grant) = (true, newer)
                } else {
                    guard request.method == .get, await !tokens.isInUse(sent.id) else { return response }
                    // The session ended during the read, which is repeated with the current one.
                    grant = try await currentGrant(for: request)
                }
            } catch {
                // A write belongs to the session in which it was requested.
                guard error.isUnsent, !error.hasConfiguredToken else { throw error }
                if request.method != .get {
                    guard await tokens.isInUse(sent.id) else { throw error }
                }
                grant = try await currentGrant(for: request)
            }
        }
        throw .unauthorized(request.info)
    }

    private func currentGrant(for request: HTTPRequest) async throws(BrowseError) -> AccessGrant? {
        do throws(BrowseError) {
            return try await tokens.currentGrant()
        } catch {
            // The refusal of a configured token names the request.
            guard case .unauthorized(var info) = error else { throw error }
            info.endpoint = request.endpoint
            throw .unauthorized(info)
        }
    }

    private func sendAnonymously(_ request: HTTPRequest, _ next: Next) async throws(BrowseError) -> HTTPResponse {
        var response = try await next(request)
        // Only a 401 can mean that a token is missing.
        if response.status == 401 { response.unauthorizedReason = .noToken }
        return response
    }

    private func authorized(_ request: HTTPRequest, by grant: AccessGrant) -> HTTPRequest {
        var authorized = request
        field.set(grant.token, in: &authorized.headers)
        authorized.account = grant.account
        authorized.isAuthorized = true
        return authorized
    }

    /// Responds from the cache if the token can't be refreshed; throws the error if that isn't possible.
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
