import BrowseDomain
public import Foundation

/// The name of a service's session in its store: the service, and the base URL of its API.
///
/// Services have sessions of their own, even behind one gateway, and so have the servers of one
/// service.
public struct SessionName: Hashable, Sendable {
    /// The name as text, such as `Books https://api.books.example`, for stores of your own.
    public let text: String
    /// A file name that is unique, also on case-insensitive file systems.
    let fileName: String

    /// Creates a name.
    ///
    /// - Parameters:
    ///   - service: The service, such as `Books`.
    ///   - server: The base URL of its API; a slash at the end makes no difference.
    public init(_ service: String, at server: URL) {
        var path = server.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        text = service + " " + (Origin(server).map { $0.text + path } ?? server.absoluteString)
        fileName = "session-\(SHA256Digest.hash(text).prefix(16).hexadecimal).json"
    }
}
