public import BrowseDomain
public import Foundation

/// A request to a service, with the type of its response.
///
/// An endpoint is a value, returned by a function next to the remote repository that sends it.
public struct Endpoint<Response: Sendable>: Sendable {
    /// The location of an endpoint.
    public enum Location: Hashable, Sendable {
        /// A path below the service's base URL.
        case path(EndpointPath)
        /// The URL of a next page, restricted to the service's origin and to a scope around the list.
        case page(PageCursor, of: EndpointPath, within: PageScope = .samePath)
    }

    /// The paths at which a server can continue a list.
    public enum PageScope: Hashable, Sendable {
        /// The path of the list, with or without a trailing slash.
        case samePath
        /// Any path below the base URL that ends with the list's last segment.
        ///
        /// Some services continue `/users/octocat/followers` at `/user/583231/followers`.
        case sameCollection
    }

    /// A query parameter with a raw name and value, which are percent-encoded when the request is created.
    public struct QueryItem: Hashable, Sendable {
        /// The unencoded name.
        public var name: String
        /// The unencoded value.
        public var value: String

        /// Creates a query parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The request method.
    public var method: HTTPMethod
    /// The path, or the URL of a next page.
    public var location: Location
    /// The query parameters; ignored for a page, whose URL contains its own.
    public var query: [QueryItem]
    /// Header fields that are added to the service's, or replace them.
    public var headers: HTTPHeaders
    /// The body; `nil` if there is none.
    public var body: Data?
    /// The rate-limit bucket that requests count against; `nil` if there is none.
    public var bucket: String?
    /// Whether the request can be sent again without further effects (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool
    /// Decodes a successful response, off the main actor.
    ///
    /// Errors become a `BrowseError`: a `DecodingError` keeps its coding path, and a `BrowseError` is rethrown, with secrets
    /// masked.
    public var decode: @Sendable (HTTPResponse) throws -> Response

    /// Creates an endpoint; `isSafeToRepeat` defaults to whether the method is idempotent.
    public init(
        method: HTTPMethod = .get,
        _ location: Location,
        query: [QueryItem] = [],
        headers: HTTPHeaders = [:],
        body: Data? = nil,
        bucket: String? = RateLimitStatus.core,
        isSafeToRepeat: Bool? = nil,
        decode: @escaping @Sendable (HTTPResponse) throws -> Response
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
        case .path(let path), .page(_, of: let path, within: _): "\(method.rawValue) \(path.template)"
        }
    }
}

extension Endpoint {
    /// Creates an endpoint that decodes JSON.
    ///
    /// ```swift
    /// let search = Endpoint<Page<String>>.json(.path("/search.json")) { (response: BooksDTO, _) in
    ///     Page(items: response.docs.rows.compactMap(\.title), skipped: response.docs.skipped)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - location: The path, or the next page of a list.
    ///   - query: The unencoded query parameters.
    ///   - headers: Header fields that are added to the service's, or replace them.
    ///   - bucket: The rate-limit bucket that requests count against, if the service has several.
    ///   - map: Converts the decoded body off the main actor; the response has the header fields.
    public static func json<Body: Decodable & SendableMetatype>(
        _ location: Location,
        query: [QueryItem] = [],
        headers: HTTPHeaders = [:],
        bucket: String? = RateLimitStatus.core,
        map: @escaping @Sendable (Body, HTTPResponse) throws -> Response
    ) -> Endpoint {
        Endpoint(location, query: query, headers: headers, bucket: bucket) { response in
            try map(try response.json(Body.self), response)
        }
    }

    /// Returns the URL of the endpoint.
    ///
    /// - Throws: `.refused(.invalidParameter)` for an invalid path, `.refused(.foreignPage)` for a page outside the service or
    ///   scope.
    package func url(below base: URL, info: BrowseError.RequestInfo) throws(BrowseError) -> URL {
        switch location {
        case .path(let path):
            var text = base.absoluteString
            while text.hasSuffix("/") { text.removeLast() }
            text += path.encoded
            let items = query.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
            if !items.isEmpty { text += "?" + items.joined(separator: "&") }
            guard path.isValid, let url = URL(string: text) else { throw .refused(.invalidParameter, info) }
            return url
        case .page(let cursor, of: let list, within: let scope):
            var info = info
            if let page = PageURL(cursor), page.isAt(base), let segments = page.segments(below: base) {
                if list.isContinued(at: segments, scope) { return page.url }
                info.receivedPath = list.template(of: segments)
            }
            throw .refused(.foreignPage, info)
        }
    }
}

/// The URL of a next page, split as text because URL parsers disagree on unusual URLs.
private struct PageURL {
    let url: URL
    private let scheme: Substring
    private let authority: String
    private let path: Substring

    /// Splits a URL; `nil` unless it is absolute and all URL parsers read its characters the same way.
    init?(_ cursor: PageCursor) {
        let text = cursor.rawValue
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || "\\#<>\"".utf8.contains($0) }),
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://"),
            let url = URL(string: text)
        else { return nil }
        self.url = url
        scheme = text[..<colon]
        let rest = text[colon...].dropFirst(3)
        let authority = rest.utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        self.authority = Substring(authority).lowercased()
        path = Substring(rest.utf8[authority.endIndex...].prefix { $0 != UInt8(ascii: "?") })
    }

    /// Whether the URL has a base URL's origin, in its canonical spelling or with an explicit port.
    func isAt(_ base: URL) -> Bool {
        guard let origin = Origin(base), Origin(url) == origin, scheme == origin.scheme else { return false }
        return authority == origin.authority || authority == "\(origin.bracketedHost):\(origin.port)"
    }

    /// The segments of the path below a base URL; `nil` if the path is elsewhere, or ambiguous.
    func segments(below base: URL) -> ArraySlice<String>? {
        // The base URL can end with slashes.
        var root = base.path(percentEncoded: true)[...]
        while root.hasSuffix("/") { root.removeLast() }
        guard let own = UnambiguousPath(path)?.segments, let root = UnambiguousPath(root)?.segments,
            own.starts(with: root)
        else { return nil }
        return own.dropFirst(root.count)
    }
}

extension EndpointPath {
    /// Whether a page with other segments continues the list at this path.
    fileprivate func isContinued<Response>(
        at segments: ArraySlice<String>,
        _ scope: Endpoint<Response>.PageScope
    ) -> Bool {
        guard let listed = UnambiguousPath(encoded)?.segments else { return false }
        return switch scope {
        case .samePath: segments.elementsEqual(listed)
        case .sameCollection: !segments.isEmpty && segments.last == listed.last
        }
    }

    /// Returns a path with `{}` in place of segments that this one doesn't have literally.
    ///
    /// Such segments may be secret.
    fileprivate func template(of segments: ArraySlice<String>) -> String {
        let literals = Set(template.split(separator: "/").map(String.init))
        return Excerpt.cut("/" + segments.map { literals.contains($0) ? $0 : "{}" }.joined(separator: "/"))
    }
}
