@_spi(Services) public import BrowseDomain
public import Foundation

/// A request to a service, with the type of its response.
///
/// An endpoint is a value, returned by a function next to the remote repository that sends it.
public struct Endpoint<Response: Sendable>: Sendable {
    /// The location of an endpoint.
    public enum Location: Hashable, Sendable {
        /// A path below the service's base URL.
        case path(EndpointPath)
        /// The URL of a list's next page, which must be below the service's base URL.
        case page(PageCursor, of: EndpointPath)
    }

    /// A query parameter.
    public typealias QueryItem = HTTPClient.QueryItem

    /// The request method.
    public var method: HTTPMethod
    /// The path, or the URL of a next page.
    package var location: Location
    /// The query parameters; ignored for a page, whose URL contains its own.
    package var query: [QueryItem]
    /// Header fields that are added to the service's, or replace them.
    public var headers: HTTPHeaders
    /// The body; `nil` if there is none.
    public var body: Data?
    /// Whether the body could be encoded.
    private var isValid = true
    /// The rate-limit bucket that requests count against; `nil` if there is none.
    public var bucket: String?
    /// Whether the request can be sent again without further effects (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool
    /// Whether a request with another method than GET changes nothing, such as a search by POST.
    ///
    /// Like a GET, it's repeated and deduplicated, and doesn't outdate other reads. Its response
    /// isn't cached.
    public var onlyReads: Bool = false
    /// Decodes a successful response, off the main actor.
    ///
    /// Errors become a `BrowseError`: a `DecodingError` keeps its coding path, and a `BrowseError`
    /// is rethrown, with secrets masked.
    package var decode: @Sendable (HTTPClient.Response) throws -> Response
    /// Returns whether a cached response may be revalidated; by default, it may.
    ///
    /// A full last page of a list may not: when rows are added behind it, some servers confirm it
    /// (`If-None-Match`).
    public var isRevalidated: @Sendable (Response) -> Bool = { _ in true }

    /// Creates an endpoint; `isSafeToRepeat` defaults to whether the method is idempotent.
    public init(
        method: HTTPMethod = .get,
        _ location: Location,
        query: [QueryItem] = [],
        headers: HTTPHeaders = [:],
        body: Data? = nil,
        bucket: String? = RateLimitStatus.core,
        isSafeToRepeat: Bool? = nil,
        decode: @escaping @Sendable (HTTPClient.Response) throws -> Response
    ) {
        self.method = method
        self.location = location
        self.query = query
        self.headers = headers
        self.body = body
        self.bucket = bucket
        self.isSafeToRepeat = isSafeToRepeat ?? method.isIdempotent
        self.decode = decode
    }

    /// The name for errors and logs: the method and the path's template.
    public var name: String {
        switch location {
        case .path(let path), .page(_, of: let path): "\(method.rawValue) \(path.template)"
        }
    }
}

extension Endpoint {
    /// Creates an endpoint that decodes JSON, and sends it if it has a body.
    ///
    /// ```swift
    /// let search = Endpoint<Page<String>>.json(.path("/search.json")) { (response: BooksDTO, _) in
    ///     Page(items: response.docs.rows.compactMap(\.title.value), skipped: response.docs.skipped)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - method: The request method; `nil` is GET, or POST if there is a body.
    ///   - location: The path, or the next page of a list.
    ///   - query: The unencoded query parameters.
    ///   - headers: Header fields that are added to the service's, or replace them.
    ///   - body: A value to send, encoded with default settings and sorted keys; if it can't be
    ///     encoded, sending the endpoint throws `.refused(.invalidParameter)`.
    ///   - bucket: The rate-limit bucket that requests count against, if the service has several.
    ///   - map: Converts the decoded body off the main actor; the response has the header fields.
    public static func json<Body: Decodable & SendableMetatype>(
        method: HTTPMethod? = nil,
        _ location: Location,
        query: [QueryItem] = [],
        headers: HTTPHeaders = [:],
        body: (any Encodable)? = nil,
        bucket: String? = RateLimitStatus.core,
        map: @escaping @Sendable (Body, HTTPClient.Response) throws -> Response
    ) -> Endpoint {
        let method = method ?? (body == nil ? .get : .post)
        return Endpoint(method: method, location, query: query, headers: headers, bucket: bucket) { response in
            try map(try response.json(Body.self), response)
        }
        .sending(body)
    }

    private consuming func sending(_ value: (any Encodable)?) -> Endpoint {
        guard let value else { return self }
        headers["Content-Type"] = headers["Content-Type"] ?? "application/json"
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        body = try? encoder.encode(value)
        isValid = body != nil
        return self
    }

    /// Returns the endpoint with fields as its body, in the format of an HTML form.
    ///
    /// A GET becomes a POST, which isn't repeated.
    ///
    /// - Parameter fields: The unencoded fields.
    public consuming func sending(form fields: [QueryItem]) -> Endpoint {
        // The body of a GET has no meaning (RFC 9110, section 9.3.1), and `URLSession` refuses it.
        if method == .get { (method, isSafeToRepeat) = (.post, false) }
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        body = Data(fields.encoded.utf8)
        return self
    }

    /// Returns the URL of the endpoint.
    ///
    /// - Throws: `.refused(.invalidParameter)` for an invalid path, or one that changes the origin,
    ///   `.refused(.foreignPage)` for a page outside the service.
    package func url(below base: URL, info: BrowseError.RequestInfo) throws(BrowseError) -> URL {
        guard isValid else { throw .refused(.invalidParameter, info) }
        switch location {
        case .path(let path):
            var text = base.absoluteString
            while !path.encoded.isEmpty, text.hasSuffix("/") { text.removeLast() }
            text += path.encoded
            if !query.isEmpty { text += (text.contains("?") ? "&" : "?") + query.encoded }
            guard path.isValid, let url = URL(string: text), url.isOnOrigin(of: base), url.fragment() == nil else {
                throw .refused(.invalidParameter, info)
            }
            return url
        case .page(let cursor, of: _):
            // Behind a proxy, a server may link to http, to its own port 80, or without the proxy's
            // port. Such a link is one to the service, as to a host known to have https (RFC 6797,
            // section 8.3).
            var text = cursor.rawValue
            if let own = Origin(base)?.scheme, let scheme = ["http://", own + "://"].first(where: text.hasPrefix) {
                let rest = text.dropFirst(scheme.count)
                let authority = rest.prefix { !"/?#".contains($0) }
                // An IPv6 address has colons in brackets.
                let end = authority.lastIndex(of: "]") ?? authority.startIndex
                let host = authority[..<(authority[end...].firstIndex(of: ":") ?? authority.endIndex)]
                let written = String(authority[host.endIndex...])
                let port = ["", ":80"].contains(written) ? base.port.map { ":\($0)" } ?? "" : written
                text = "\(own)://\(host)\(port)\(rest[authority.endIndex...])"
            }
            // Some services don't encode the text in a query.
            let address = String(text.prefix { $0 != "?" })
            guard URL(string: address, encodingInvalidCharacters: false) != nil,
                let url = URL(lenient: text), url.isPage(below: base)
            else {
                throw .refused(.foreignPage, info)
            }
            return url
        }
    }
}

extension Endpoint<Void> {
    /// Creates an endpoint whose response has no content, such as a 204, or one that is ignored.
    ///
    /// As with every endpoint without a value, sending it throws `.unreachable(.intercepted)` for a
    /// body without the service's evidence, such as the page of a proxy. It throws
    /// `.unusableResponse(.status)` if a redirect (301 or 302) turns a POST into a GET.
    ///
    /// - Parameters:
    ///   - method: The request method.
    ///   - location: The path.
    ///   - query: The unencoded query parameters.
    ///   - headers: Header fields that are added to the service's, or replace them.
    ///   - body: A value to send, encoded with default settings and sorted keys; if it can't be
    ///     encoded, sending the endpoint throws `.refused(.invalidParameter)`.
    public static func json(
        method: HTTPMethod,
        _ location: Location,
        query: [QueryItem] = [],
        headers: HTTPHeaders = [:],
        body: (any Encodable)? = nil
    ) -> Endpoint {
        Endpoint(method: method, location, query: query, headers: headers) { _ in }.sending(body)
    }
}

extension [HTTPClient.QueryItem] {
    /// The items as in a query or a form, percent-encoded.
    fileprivate var encoded: String {
        map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension PageCursor {
    /// Whether the page is one of a list: the last segment of its path is the same.
    ///
    /// That is so for `/user/1/followers` and `/users/octocat/followers`.
    @_spi(Services) public func isPage(of list: EndpointPath) -> Bool {
        func segment(_ path: Substring) -> Substring? { path.split(separator: "/").last }
        return segment(rawValue.prefix { $0 != "?" }) == segment(list.encoded[...])
    }
}

extension URL {
    /// Whether the URL has a base URL's origin, and no user information.
    fileprivate func isOnOrigin(of base: URL) -> Bool {
        guard let origin = Origin(base) else { return false }
        return Origin(self) == origin && absoluteString.hasPrefix(origin.scheme + "://") && user() == nil
            && password() == nil
    }

    /// Whether the URL has a base URL's origin, begins with its path, and has no dot segment.
    fileprivate func isPage(below base: URL) -> Bool {
        guard isOnOrigin(of: base), fragment() == nil else { return false }
        let path = path(percentEncoded: true)
        let root = base.path(percentEncoded: true).split(separator: "/")
        return path.split(separator: "/").starts(with: root) && !path.hasDotSegment
    }
}
