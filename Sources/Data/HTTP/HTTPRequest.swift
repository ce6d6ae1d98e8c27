public import BrowseDomain
public import Foundation

/// What a transport is asked to send.
public struct HTTPRequest: Hashable, Sendable {
    /// What to do, in HTTP's words.
    public var method: HTTPMethod
    /// The whole address, encoded.
    public var url: URL
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, if there is one.
    public var body: Data?
    /// The endpoint's name, for errors and logs; it holds no parameter.
    public var endpoint: String
    /// The bounds of the exchange.
    public var limits: HTTPLimits

    /// Creates a request.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: Data? = nil,
        endpoint: String,
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.endpoint = endpoint
        self.limits = limits
    }

    /// The request as errors name it.
    public var info: BrowseError.RequestInfo { BrowseError.RequestInfo(endpoint: endpoint) }
}

/// A request method of RFC 9110, section 9.
public enum HTTPMethod: String, Hashable, Sendable {
    /// Reads.
    case get = "GET"
    /// Sends something to be worked on.
    case post = "POST"
    /// Puts something in its place.
    case put = "PUT"
    /// Removes.
    case delete = "DELETE"
}

/// The bounds of one exchange.
public struct HTTPLimits: Hashable, Sendable {
    /// The most bytes of a body, after decompression. 8 MiB unless told: a page of 100 followers has 0.1 MB.
    public var bodyBytes: Int
    /// The longest time until the reply is complete, redirects included. 30 seconds unless told.
    public var duration: Duration

    /// Creates bounds; values below one byte or one millisecond are raised to that.
    public init(bodyBytes: Int = 8 << 20, duration: Duration = .seconds(30)) {
        self.bodyBytes = max(1, bodyBytes)
        self.duration = max(.milliseconds(1), duration)
    }
}
