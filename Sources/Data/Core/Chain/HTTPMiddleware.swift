public import BrowseDomain

/// A part of a client's chain: modifies, delays, repeats, or answers its requests.
///
/// Choose a middleware for anything that applies to many endpoints: a header field, a signature, a
/// log. What belongs to one call belongs to its ``Endpoint``; how bytes are sent belongs to the
/// ``HTTPTransport``. Pass it to the client of a service:
///
/// ```swift
/// nonisolated struct Language: HTTPMiddleware {
///     let code: String
///     func send(
///         _ request: HTTPClient.Request,
///         next: @escaping Next
///     ) async throws(BrowseError) -> HTTPClient.Response {
///         var request = request
///         request.headers["Accept-Language"] = code
///         return try await next(request)
///     }
/// }
/// ```
///
/// A client calls its middleware in the order of its array: the first receives a request first and
/// the response last. Several requests can be in one at the same time, so its state must be safe to
/// share. In a test, one that never calls `next` needs no server:
///
/// ```swift
/// nonisolated struct Offline: HTTPMiddleware {
///     func send(
///         _ request: HTTPClient.Request,
///         next: @escaping Next
///     ) async throws(BrowseError) -> HTTPClient.Response {
///         throw .unreachable(.offline, request.info)
///     }
/// }
/// ```
public protocol HTTPMiddleware: Sendable {
    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: Passes a request to the rest of the chain; it can be called any number of times.
    /// - Throws: The errors of `next`, or the middleware's own.
    func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response
}

extension HTTPMiddleware {
    /// The rest of a chain.
    ///
    /// Write the type by this name: spelled out in a module whose functions run on their caller's
    /// actor by default, as in an app target of Xcode 26, it's another type.
    public typealias Next = @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
}
