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
        /// Where a page said that the next one is; only on the service's own origin and path.
        case page(PageCursor, of: EndpointPath)
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
    /// Turns a successful reply into the answer, off the main actor.
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
        bucket: String? = RateBudget.core,
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
        case .path(let path), .page(_, of: let path): "\(method.rawValue) \(path.template)"
        }
    }
}

extension Endpoint {
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
        case .page(let cursor, _):
            guard let url = URL(string: cursor.rawValue), url.user() == nil, let origin = Origin(url),
                origin == Origin(base), url.isBelow(base)
            else { throw .refused(.foreignPage, info) }
            return url
        }
    }
}

extension URL {
    /// Whether the path begins with the whole segments of another's, with nothing that leads out of it again.
    fileprivate func isBelow(_ base: URL) -> Bool {
        guard let own = segments, let others = base.segments, own.starts(with: others) else { return false }
        // A server may take `%2f` for a slash, so dots beside it count too.
        return !own.contains { $0.split(separator: "/").contains { $0 == ".." || $0 == "." } }
    }

    /// The parts of the path, cut before they are decoded, since `%2f` is a part of one; `nil` when one is no text.
    ///
    /// Decoding the whole path would not tell: it is empty then.
    private var segments: [String]? {
        let parts = path(percentEncoded: true).split(separator: "/")
        // Most parts hold nothing to decode, which takes far longer than the look.
        let decoded = parts.compactMap { $0.utf8.contains(UInt8(ascii: "%")) ? $0.removingPercentEncoding : String($0) }
        return decoded.count == parts.count ? decoded : nil
    }
}
