public import BrowseDomain
public import Foundation

/// What a transport is asked to send.
public struct HTTPRequest: Hashable, Sendable {
    private struct Fields: Hashable, Sendable {
        var method: HTTPMethod
        var url: URL
        var headers: HTTPHeaders
        var body: Data?
        var endpoint: String
        var limits: HTTPLimits
        var options: LoadOptions
        var bucket: String?
        var isSafeToRepeat: Bool
        var account: String?
        var ignoresCache = false
        var deadline: RequestDeadline?
    }

    private var fields: Boxed<Fields>

    /// What to do, in HTTP's words.
    public var method: HTTPMethod {
        get { fields.value.method }
        set { fields.value.method = newValue }
    }
    /// The whole address, encoded.
    public var url: URL {
        get { fields.value.url }
        set { fields.value.url = newValue }
    }
    /// The header fields.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        set { fields.value.headers = newValue }
    }
    /// The body, if there is one.
    public var body: Data? {
        get { fields.value.body }
        set { fields.value.body = newValue }
    }
    /// The endpoint's name, for errors and logs; it holds no parameter.
    public var endpoint: String {
        get { fields.value.endpoint }
        set { fields.value.endpoint = newValue }
    }
    /// The bounds of the exchange.
    public var limits: HTTPLimits {
        get { fields.value.limits }
        set { fields.value.limits = newValue }
    }
    /// The source, priority, and patience of the request.
    public var options: LoadOptions {
        get { fields.value.options }
        set { fields.value.options = newValue }
    }
    /// The service's rate-limit bucket that counts the request; `nil` when none does.
    public var bucket: String? {
        get { fields.value.bucket }
        set { fields.value.bucket = newValue }
    }
    /// Whether sending it again does no more than sending it once (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool {
        get { fields.value.isSafeToRepeat }
        set { fields.value.isSafeToRepeat = newValue }
    }
    /// An identifier that tells accounts apart and is no secret; `nil` for anonymous requests.
    public var account: String? {
        get { fields.value.account }
        set { fields.value.account = newValue }
    }
    /// Whether the server is to send all of it, whatever is cached.
    package var ignoresCache: Bool {
        get { fields.value.ignoresCache }
        set { fields.value.ignoresCache = newValue }
    }
    /// The total time limit of the request and its retries; `nil` without one.
    var deadline: RequestDeadline? {
        get { fields.value.deadline }
        set { fields.value.deadline = newValue }
    }

    /// The longest total wait for rate limits.
    var patience: Duration { options.patience ?? .zero }

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
        fields = Boxed(
            Fields(
                method: method,
                url: url,
                headers: headers,
                body: body,
                endpoint: endpoint,
                limits: limits,
                options: options,
                bucket: bucket,
                isSafeToRepeat: isSafeToRepeat ?? method.isIdempotent
            )
        )
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
    /// The longest time until the response is complete, redirects included. 30 seconds unless told.
    public var duration: Duration

    /// Creates bounds; values below one byte or one millisecond are raised to that.
    public init(bodyBytes: Int = 8 << 20, duration: Duration = .seconds(30)) {
        self.bodyBytes = max(1, bodyBytes)
        self.duration = max(.milliseconds(1), duration)
    }
}
