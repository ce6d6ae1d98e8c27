public import BrowseDomain

/// Performs HTTP requests.
///
/// Apps use the transport of ``TransportKind/platformDefault``. Conform a type to send requests another way, or to respond
/// without a network in a test:
///
/// ```swift
/// struct Canned: HTTPTransport {
///     let body: Data
///     func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
///         HTTPClient.Response(status: 200, body: body, url: request.url)
///     }
/// }
/// ```
///
/// A conforming type must enforce ``HTTPClient/Request/limits``, must throw `BrowseError.cancelled` soon after its task is canceled,
/// and must not send credentials to another origin: after a redirect there, it sends no header fields except harmless ones, such
/// as `Accept` and `User-Agent`. To modify requests instead, write an ``HTTPMiddleware``.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the complete response, even with the status of an error.
    ///
    /// - Throws: `.cancelled`, `.unreachable`, `.timedOut`, `.unusableResponse`, or `.refused`.
    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
}

/// Intercepts requests: modifies, delays, repeats, or responds to them.
///
/// A client calls its middleware in the order of its array: the first receives a request first and the response last.
public protocol HTTPMiddleware: Sendable {
    /// Handles a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: Passes a request to the rest of the chain; it can be called any number of times.
    /// - Throws: The errors of `next`, or the middleware's own.
    func send(
        _ request: HTTPClient.Request,
        next: @escaping @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
    ) async throws(BrowseError) -> HTTPClient.Response
}

extension HTTPMiddleware {
    /// The rest of a chain.
    package typealias Next = @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
}
