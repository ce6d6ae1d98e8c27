public import BrowseDomain
public import Foundation

extension HTTPClient {
    /// A complete HTTP response.
    public struct Response: Hashable, Sendable {
        /// The reason to doubt a 401.
        enum Doubt {
            /// It names the service, but isn't proven.
            case unproven
            /// Nothing says that it's the service's.
            case foreign
        }

        /// The status code.
        public var status: Int
        /// The header fields.
        public var headers: HTTPHeaders
        /// The decompressed body; empty if there was none.
        public var body: Data
        /// The transferred size of the body in bytes, before decompression; `nil` if unknown.
        public var wireBytes: Int?
        /// The URL that responded; after a redirect, it differs from the request's.
        public var url: URL
        /// Whether the response is fresh, revalidated, or cached.
        public var provenance: Provenance
        /// Whether a redirect (301, 302) has turned a POST into a GET, so its change may be lost.
        var isChangeLost = false
        /// Whether a refusal answers a request without a token.
        var hadNoToken = false
        /// The reason to doubt a 401; `nil` for one of the service, and for other statuses.
        var doubt: Doubt?
        /// The grant that was refused with a 401; `nil` for other statuses.
        var refusedGrant: AccessGrant?
        /// Stores or discards the response after decoding; `nil` if it can't be cached.
        var cacheCommit: ConditionalCache.Commit?

        /// Creates a response.
        public init(
            status: Int,
            headers: HTTPHeaders = [:],
            body: Data = Data(),
            url: URL,
            provenance: Provenance = .fresh
        ) {
            self.status = status
            self.headers = headers
            self.body = body
            self.url = url
            self.provenance = provenance
        }
    }
}

extension HTTPClient.Response: CustomStringConvertible, CustomReflectable {
    /// The status and the URL, with `***` in place of values that may be secret.
    public var description: String { "\(status) \(ShownText.url(url))" }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
