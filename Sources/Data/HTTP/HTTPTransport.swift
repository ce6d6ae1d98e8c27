public import BrowseDomain

/// Performs one HTTP exchange; everything else about networking is built on top of it.
///
/// An app uses the transport of ``TransportKind/platformDefault``. Write a conformer to carry the SDK over something else, or to answer without a
/// network in a test:
///
/// ```swift
/// struct Canned: HTTPTransport {
///     let body: Data
///     func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
///         HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body, url: request.url)
///     }
/// }
/// ```
///
/// A conformer must keep to ``HTTPRequest/limits``, must end with `BrowseError.cancelled` soon after its task is
/// canceled, and must not carry credentials to another origin. To change requests on their way, write an
/// ``HTTPMiddleware`` instead.
public protocol HTTPTransport: Sendable {
    /// Sends a request and waits for the whole response, whatever its status.
    ///
    /// - Throws: `.cancelled`, `.unreachable`, `.timedOut`, `.unusableResponse(.tooLarge)` or `.refused`.
    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse
}

/// Changes how requests are sent: adds something, waits, repeats, or answers from elsewhere.
///
/// The chain's order is the order of the array that ``HTTPClient`` is made with: the first sees a request first and its
/// response last.
public protocol HTTPMiddleware: Sendable {
    /// Handles a request; call `next` to hand it on, once, several times, or not at all.
    func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse
}
