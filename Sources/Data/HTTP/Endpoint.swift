public import BrowseDomain
public import Foundation

/// One thing that a service can be asked for, with the type of its answer.
///
/// An endpoint is a value: adding one is one function that returns it, in the folder of its feature, beside the remote
/// repository that asks for it.
public struct Endpoint<Response: Sendable>: Sendable {
    /// Where an endpoint is.
    public enum Location: Hashable, Sendable {
        /// Below the service's base address.
        case path(EndpointPath)
        /// The address of a next page that the server gave; confined to the service's own origin, and to a scope around the list.
        case page(PageCursor, of: EndpointPath, within: PageScope = .samePath)
    }

    /// The paths at which a server may continue a list.
    public enum PageScope: Hashable, Sendable {
        /// Only the path of the list; a slash at the end makes no difference.
        case samePath
        /// Any path below the base URL that ends in the list's last segment.
        ///
        /// GitHub continues `/users/octocat/followers` at `/user/583231/followers`.
        case sameCollection
    }

    /// A parameter of the query; name and value are raw and are encoded once, when the request is made.
    public struct QueryItem: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What to do.
    public var method: HTTPMethod
    /// Where it is.
    public var location: Location
    /// The query; a page's address brings its own.
    public var query: [QueryItem]
    /// Header fields in addition to the service's own.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Data?
    /// Which of the service's budgets it draws on; `nil` when it draws on none.
    public var bucket: String?
    /// Whether sending it again does no more than sending it once (RFC 9110, section 9.2.2).
    public var isSafeToRepeat: Bool
    /// Turns a successful response into the answer, off the main actor.
    ///
    /// What it throws becomes a `BrowseError`: a `DecodingError` keeps its coding path, a `BrowseError` stays as it is.
    public var decode: @Sendable (HTTPResponse) throws -> Response {
        didSet { decodingID = DecodingID() }
    }
    /// How ``decode`` works; endpoints with equal IDs and requests share one decoded value.
    public private(set) var decodingID: DecodingID

    /// Creates an endpoint; unless told otherwise it is safe to repeat when its method is idempotent.
    public init(
        method: HTTPMethod = .get,
        _ location: Location,
        query: [QueryItem] = [],
        headers: HTTPHeaders = [:],
        body: Data? = nil,
        bucket: String? = RateLimitStatus.core,
        isSafeToRepeat: Bool? = nil,
        decodingID: DecodingID = DecodingID(),
        decode: @escaping @Sendable (HTTPResponse) throws -> Response
    ) {
        self.method = method
        self.location = location
        self.query = query
        self.headers = headers
        self.body = body
        self.bucket = bucket
        self.isSafeToRepeat = isSafeToRepeat ?? method.isIdempotent
        self.decodingID = decodingID
        self.decode = decode
    }

    /// How errors and logs call it: the method and the path's template.
    public var name: String {
        switch location {
        case .path(let path), .page(_, of: let path, within: _): "\(method.rawValue) \(path.template)"
        }
    }
}

extension Endpoint {
    /// Creates an endpoint that reads JSON.
    ///
    /// ```swift
    /// let search = Endpoint<Page<String>>.json(.path("/search.json")) { (response: BooksDTO) in
    ///     Page(items: response.docs.rows.compactMap(\.title), skipped: response.docs.skipped)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - location: The path, or the next page of a list.
    ///   - query: The raw query items.
    ///   - headers: Header fields in addition to the service's own.
    ///   - bucket: The rate limit that requests count against, if the service has several.
    ///   - decodingID: Distinguishes endpoints with equal requests and different answers.
    ///   - map: Turns the decoded response into the answer, off the main actor.
    public static func json<Body: Decodable & SendableMetatype>(
        _ location: Location,
        query: [QueryItem] = [],
        headers: HTTPHeaders = [:],
        bucket: String? = RateLimitStatus.core,
        decodingID: DecodingID = DecodingID(),
        map: @escaping @Sendable (Body) throws -> Response
    ) -> Endpoint {
        Endpoint(location, query: query, headers: headers, bucket: bucket, decodingID: decodingID) { response in
            try map(try response.json(Body.self))
        }
    }

    /// The address to send to.
    ///
    /// - Throws: `.refused(.invalidParameter)` or `.refused(.foreignPage)`.
    func url(below base: URL, info: BrowseError.RequestInfo) throws(BrowseError) -> URL {
        switch location {
        case .path(let path):
            var text = base.absoluteString
            while text.hasSuffix("/") { text.removeLast() }
            text += path.encoded
            var separator = "?"
            for item in query {
                text += "\(separator)\(PercentEncoding.encode(item.name))=\(PercentEncoding.encode(item.value))"
                separator = "&"
            }
            guard path.isValid, let url = URL(string: text) else { throw .refused(.invalidParameter, info) }
            return url
        case .page(let cursor, of: let list, within: let scope):
            guard let address = PageAddress(cursor), address.isAt(base), address.isWithin(scope, of: list, below: base)
            else { throw .refused(.foreignPage, info) }
            return address.url
        }
    }
}

/// The address of a next page, taken apart by its letters: what a parser makes of an unusual one is not what another makes of it.
private struct PageAddress {
    let url: URL
    private let scheme: Substring
    private let authority: String
    private let path: Substring

    /// - Returns: `nil` when the text is no absolute address, or holds what URL parsers read in different ways.
    init?(_ cursor: PageCursor) {
        let text = cursor.rawValue
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || "\\#<>\"".utf8.contains($0) }),
            let colon = text.range(of: "://"), let url = URL(string: text)
        else { return nil }
        self.url = url
        scheme = text[..<colon.lowerBound]
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        self.authority = authority.lowercased()
        path = rest[authority.endIndex...].prefix { $0 != "?" }
    }

    /// Whether it is on the origin of a base URL, and says so in no other way than the usual one.
    func isAt(_ base: URL) -> Bool {
        guard let origin = Origin(base), Origin(url) == origin, scheme == origin.scheme else { return false }
        return authority == origin.authority || authority == "\(origin.bracketedHost):\(origin.port)"
    }

    func isWithin<Response>(_ scope: Endpoint<Response>.PageScope, of list: EndpointPath, below base: URL) -> Bool {
        // A base URL may end in a slash or more.
        var root = base.path(percentEncoded: true)[...]
        while root.hasSuffix("/") { root.removeLast() }
        guard let own = UnambiguousPath(path)?.segments, let root = UnambiguousPath(root)?.segments,
            let listed = UnambiguousPath(list.encoded)?.segments
        else { return false }
        switch scope {
        case .samePath: return own == root + listed
        case .sameCollection: return own.count > root.count && own.starts(with: root) && own.last == listed.last
        }
    }
}
