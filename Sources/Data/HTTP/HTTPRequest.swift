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
    /// How the reply may be brought.
    public var options: LoadOptions
    /// Which of the service's budgets it draws on; `nil` when it draws on none.
    public var bucket: String?
    /// Whether sending it again does no more than sending it once (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool
    /// Whose request it is, as something that tells accounts apart and is no secret; `nil` is nobody's.
    public var account: String?
    /// Whether the server is to send all of it, whatever is kept.
    package var ignoresKept = false

    /// Creates a request; unless told otherwise it is safe to repeat when its method is idempotent.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: Data? = nil,
        endpoint: String,
        limits: HTTPLimits = HTTPLimits(),
        options: LoadOptions = LoadOptions(),
        bucket: String? = nil,
        isSafeToRepeat: Bool? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.endpoint = endpoint
        self.limits = limits
        self.options = options
        self.bucket = bucket
        self.isSafeToRepeat = isSafeToRepeat ?? method.isIdempotent
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

    /// Whether doing it again changes nothing more (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { self != .post }
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
