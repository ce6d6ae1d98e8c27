@_spi(Services) public import BrowseDomain
public import Foundation

extension HTTPClient {
    /// An HTTP request, with its limits and load options.
    public struct Request: Hashable, Sendable {
        /// The request method.
        public var method: HTTPMethod
        /// The absolute URL, percent-encoded.
        public var url: URL
        /// The header fields.
        public var headers: HTTPHeaders
        /// The body; `nil` if there is none.
        public var body: Data?
        /// The endpoint's name for errors and logs, without parameters.
        public var endpoint: String
        /// The size and time limits of the exchange.
        public var limits: HTTPLimits
        /// The source and priority of the request.
        public var options: LoadOptions
        /// The rate-limit bucket that the request counts against; `nil` if there is none.
        public var bucket: String?
        /// Whether the request can be sent again without further effects (RFC 9110, section 9.2.2).
        public var isSafeToRepeat: Bool
        /// Whether a request with another method than GET changes nothing.
        var onlyReads = false
        /// A nonsecret identifier of the account, without line breaks; `nil` for anonymous
        /// requests.
        ///
        /// Responses to requests with credentials other than the service's own are cached only with
        /// an account.
        public var account: String?
        /// Whether ``Authorization`` adds the token of the account.
        var isAuthorized = false
        /// The total time limit of the request and its retries; `nil` without one.
        var deadline: Retry.Deadline?

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

        /// Whether the request changes nothing.
        var isRead: Bool { method == .get || onlyReads }
        /// The body as it's sent, which is empty for methods that usually have one.
        ///
        /// Servers expect a length of these, if only 0 (RFC 9110, section 8.6).
        var sentBody: Data? { body ?? ([.post, .put, .patch].contains(method) ? Data() : nil) }
        /// The description of the request in errors.
        public var info: BrowseError.RequestInfo { BrowseError.RequestInfo(endpoint: endpoint) }
        /// Whether both are attempts of one request, of which a later one is a retry.
        package func isAttempt(with other: Self) -> Bool { deadline != nil && deadline == other.deadline }
    }
}

extension HTTPClient.Request: CustomStringConvertible, CustomReflectable {
    /// The method and the URL, with `***` in place of values that may be secret.
    public var description: String { "\(method.rawValue) \(ShownText.url(url))" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension HTTPClient.Request {
    /// Returns the origin of a request that can be sent.
    ///
    /// - Throws: `.refused(.invalidParameter)` unless the URL has the scheme http or https and no
    ///   user information, every field name is a token, and every field value is a single line (RFC
    ///   9110, sections 5.1 and 5.5).
    package func validatedOrigin() throws(BrowseError) -> Origin {
        guard let origin = Origin(url), url.user() == nil, url.password() == nil, headers.areWellFormed else {
            throw .refused(.invalidParameter, info)
        }
        return origin
    }
}
