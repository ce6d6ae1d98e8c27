public import Foundation

/// The web address of a page or image, as sent by the server.
///
/// ``url`` parses the text on demand. A list of a hundred rows has two hundred addresses; parsing them all would take a third of
/// the decoding time.
public struct WebAddress: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The server's text.
    public let rawValue: String

    /// Creates an address from any text; ``url`` validates it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The URL to open; `nil` if the text isn't a web address.
    ///
    /// Only `http` and `https` are accepted, so a profile can't make an app open `javascript:` or `file:`. Text without `://`,
    /// such as some blogs in profiles, is read as `https`. Spaces around the text are ignored, and characters that a URL can't
    /// contain are escaped.
    public var url: URL? {
        let text = rawValue.contains("://") ? rawValue : "https://" + rawValue.drop(while: \.isWhitespace)
        guard let url = URL(lenient: text), let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty,
            scheme == "http" || scheme == "https"
        else { return nil }
        return url
    }

    /// The server's text.
    public var description: String { rawValue }
}
