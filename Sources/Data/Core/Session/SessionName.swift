@_spi(Services) import BrowseDomain
public import Foundation

/// The name of a service's session in its store: the service, and the base URL of its API.
///
/// Services have sessions of their own, even behind one gateway, and so have the servers of one service.
public struct SessionName: Hashable, Sendable {
    /// The name as text, such as `Books https://api.books.example`, for stores of your own.
    public let text: String
    /// A file name that is unique, even on case-insensitive file systems.
    ///
    /// All bytes but lowercase letters, digits, dots, and the hyphens of an address are escaped as `_` and two hexadecimal digits.
    /// Long names are truncated, with `~` and a digest appended.
    let fileName: String

    /// Creates a name.
    ///
    /// - Parameters:
    ///   - service: The service, such as `Books`.
    ///   - server: The base URL of its API; a slash at the end makes no difference.
    public init(_ service: String, at server: URL) {
        var path = server.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        let address = Origin(server).map { $0.text + path } ?? server.absoluteString
        text = service + " " + address
        let service = Self.escape(service).replacing("-", with: "_2d")
        let name = "session-" + service + "-" + Self.escape(address.replacing("://", with: "-", maxReplacements: 1))
        // With suffixes, file systems allow 255 bytes.
        let limit = 160
        let isLong = name.utf8.count > limit
        fileName = (isLong ? name.prefix(limit / 2) + "~" + SHA256Digest.hash(name).hexadecimal : name) + ".json"
    }

    private static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = byte.isASCIILowercase || byte.isASCIIDigit || ".-".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "_" + CollectionOfOne(byte).hexadecimal
        }
        .joined()
    }
}
