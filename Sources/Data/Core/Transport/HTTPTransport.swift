public import BrowseDomain

/// Performs HTTP requests.
///
/// Apps use ``HTTPClient/makeTransport(connectionsPerHost:clock:)``. Conform a type to send
/// requests another way, or to respond without a network in a test:
///
/// ```swift
/// nonisolated struct Canned: HTTPTransport {
///     let body: Data
///     func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
///         HTTPClient.Response(status: 200, body: body, url: request.url)
///     }
/// }
/// ```
///
/// A conforming type must enforce ``HTTPClient/Request/limits``, must throw `BrowseError.cancelled`
/// soon after its task is canceled, and must not send credentials to another origin: after a
/// redirect there, it sends no header fields except harmless ones, such as `Accept` and
/// `User-Agent`. It sends each request once, and stores neither responses nor cookies. A POST, PUT,
/// or PATCH without a body has the length 0 (RFC 9110, section 8.6), which some servers require. To
/// modify requests instead, write an ``HTTPMiddleware``.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the complete response, even with the status of an error.
    ///
    /// - Throws: `.cancelled`, `.unreachable`, `.timedOut`, `.unusableResponse`, or `.refused`.
    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
}

extension HTTPClient {
    /// Creates a transport: `CurlTransport` on Linux with glibc, `URLSession` on all other
    /// platforms.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: The maximum number of connections to one host, 1 to 100.
    ///   - clock: Measures ``HTTPLimits/duration``.
    public static func makeTransport(
        connectionsPerHost: Int = 8,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> any HTTPTransport {
        #if canImport(Glibc) && canImport(CBrowseCurl)
        CurlTransport(connectionsPerHost: connectionsPerHost, clock: clock)
        #else
        URLSessionTransport(connectionsPerHost: connectionsPerHost, clock: clock)
        #endif
    }
}
