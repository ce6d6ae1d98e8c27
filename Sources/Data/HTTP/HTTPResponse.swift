public import Foundation

/// A complete reply.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code, 100 to 599.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body, decompressed; empty when there was none.
    public var body: Data
    /// The address that answered, which differs from the request's after a redirect.
    public var url: URL

    /// Creates a reply.
    public init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), url: URL) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }
}
