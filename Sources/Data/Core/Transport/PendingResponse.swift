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
            let response = PendingResponse()
            let fail = { @Sendable (error: BrowseError) in
                if response.resolve(.failure(error)) { stop(response) }
            }
            add(response, end - elapsed()) { fail(.timedOut(request.info)) }
            defer { remove(response) }
            return try await withTaskCancellationHandler {
                // A caller that was canceled before starts nothing.
                if response.resolved == nil { start(hop, response) }
                return await response.value
            } onCancel: {
                fail(.cancelled)
            }
            .get().validated(for: hop)
        }
    }
}
