public import BrowseDomain
public import Foundation

/// An HTTP request, with its limits and load options.
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
        var isAuthorized = false
        var deadline: RequestDeadline?
    }

    private var fields: Boxed<Fields>

    /// The request method.
    public var method: HTTPMethod {
        get { fields.value.method }
        set { fields.update { $0.method = newValue } }
    }
    /// The absolute URL, percent-encoded.
    public var url: URL {
        get { fields.value.url }
        set { fields.update { $0.url = newValue } }
    }
    /// The header fields.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        set { fields.update { $0.headers = newValue } }
    }
    /// The body; `nil` if there is none.
    public var body: Data? {
        get { fields.value.body }
        set { fields.update { $0.body = newValue } }
    }
    /// The endpoint's name for errors and logs, without parameters.
    public var endpoint: String {
        get { fields.value.endpoint }
        set { fields.update { $0.endpoint = newValue } }
    }
    /// The size and time limits of the exchange.
    public var limits: HTTPLimits {
        get { fields.value.limits }
        set { fields.update { $0.limits = newValue } }
    }
    /// The source, priority, and longest wait of the request.
    public var options: LoadOptions {
        get { fields.value.options }
        set { fields.update { $0.options = newValue } }
    }
    /// The rate-limit bucket that the request counts against; `nil` if there is none.
    public var bucket: String? {
        get { fields.value.bucket }
        set { fields.update { $0.bucket = newValue } }
    }
    /// Whether the request can be sent again without further effects (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool {
        get { fields.value.isSafeToRepeat }
        set { fields.update { $0.isSafeToRepeat = newValue } }
    }
    /// A nonsecret identifier of the account, without line breaks; `nil` for anonymous requests.
    ///
    /// Responses to requests with credentials other than the service's own are cached only with an account.
    public var account: String? {
        get { fields.value.account }
        set { fields.update { $0.account = newValue } }
    }
    /// Whether the request is sent without revalidating a cached response.
    var ignoresCache: Bool {
        get { fields.value.ignoresCache }
        set { fields.update { $0.ignoresCache = newValue } }
    }
    /// Whether ``Authorization`` added the token of the account.
    var isAuthorized: Bool {
        get { fields.value.isAuthorized }
        set { fields.update { $0.isAuthorized = newValue } }
    }
    /// The total time limit of the request and its retries; `nil` without one.
    var deadline: RequestDeadline? {
        get { fields.value.deadline }
        set { fields.update { $0.deadline = newValue } }
    }

    /// The maximum total wait for rate limits.
    var longestWait: Duration { options.longestWait ?? .zero }

    /// Creates a request; `isSafeToRepeat` defaults to whether the method is idempotent.
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

    /// Returns the request with the lowercase names of fields that contain credentials.
    ///
    /// Not inlined, so that the frame of a request in flight needs no space for its values.
    @inline(never)
    func declaringCredentials(_ lowercaseNames: Set<String>) -> HTTPRequest {
        guard !lowercaseNames.isSubset(of: headers.declaredCredentials) else { return self }
        var request = self
        request.headers.declareCredentials(lowercaseNames)
        return request
    }

    /// The description of the request in errors.
    public var info: BrowseError.RequestInfo { BrowseError.RequestInfo(endpoint: endpoint) }
}

/// A request method of RFC 9110, section 9, or RFC 5789.
public enum HTTPMethod: String, Hashable, Sendable {
    /// Reads a resource.
    case get = "GET"
    /// Submits data for processing.
    case post = "POST"
    /// Creates or replaces a resource.
    case put = "PUT"
    /// Changes part of a resource.
    case patch = "PATCH"
    /// Deletes a resource.
    case delete = "DELETE"

    /// Whether repeating a request has no further effects (RFC 9110, section 9.2.2; RFC 5789, section 2).
    var isIdempotent: Bool { self != .post && self != .patch }

    /// The methods in a sentence, for reports of others.
    package static let supported = "The supported methods are GET, POST, PUT, PATCH, and DELETE."

    /// The report of a request with another method.
    package static func unsupported(_ request: String) -> String { "Unexpected request: \(request)\n\(supported)" }
}

/// The size and time limits of an exchange.
public struct HTTPLimits: Hashable, Sendable {
    /// The maximum size of a response body in bytes after decompression, at least 1.
    public var bodyBytes: Int { didSet { bodyBytes = Self.bytes(bodyBytes) } }
    /// The maximum time until the response is complete, including redirects.
    ///
    /// It's clamped to 1 millisecond through 1,000,000 seconds.
    public var duration: Duration { didSet { duration = Self.duration(duration) } }

    /// Creates limits; by default 8 MiB and 30 seconds.
    ///
    /// For comparison, a page of 100 followers has 0.1 MB.
    public init(bodyBytes: Int = 8 << 20, duration: Duration = .seconds(30)) {
        self.bodyBytes = Self.bytes(bodyBytes)
        self.duration = Self.duration(duration)
    }

    private static func bytes(_ count: Int) -> Int { max(1, count) }

    private static func duration(_ duration: Duration) -> Duration {
        duration.clamped(to: .milliseconds(1)...TimeLimit.longest)
    }
}
