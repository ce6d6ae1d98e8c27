package import BrowseDomain

/// The outcome of a request in flight, the original or a redirect; only the first one counts.
package typealias PendingResponse = OneShot<Result<HTTPClient.Response, BrowseError>>

extension TimeLimits {
    /// Sends a request and follows its redirects, until its time limit, or until the caller is
    /// canceled.
    ///
    /// - Parameters:
    ///   - stop: Ends a request whose response isn't awaited any longer.
    ///   - start: Starts the request or a redirect, which resolves the response.
    package func send(
        _ request: HTTPClient.Request,
        stop: @escaping @Sendable (PendingResponse) -> Void = { _ in },
        start: (HTTPClient.Request, PendingResponse) -> Void
    ) async throws(BrowseError) -> HTTPClient.Response {
        let end = elapsed() + min(request.limits.duration, TimeLimit.longest)
        return try await RedirectPolicy.follow(request) { hop async throws(BrowseError) in
            _ = try hop.validatedOrigin()
            let pending = PendingResponse()
            let fail = { @Sendable (error: BrowseError) in
                if pending.resolve(.failure(error)) { stop(pending) }
            }
            add(pending, end - elapsed()) { fail(.timedOut(request.info)) }
            defer { remove(pending) }
            let response = try await withTaskCancellationHandler {
                // A caller that was canceled before starts nothing.
                if pending.resolved == nil { start(hop, pending) }
                return await pending.value
            } onCancel: {
                fail(.cancelled)
            }
            .get()
            // Only a final status ends an exchange (RFC 9110, section 15).
            guard (200..<600).contains(response.status) else { throw .unusableResponse(.status, hop.info) }
            return response
        }
    }
}
