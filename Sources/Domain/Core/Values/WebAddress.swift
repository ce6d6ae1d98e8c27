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

    /// Creates an address from any text; ``url`` validates it.
    public init(_ text: String) { self.init(rawValue: text) }

    /// The URL to open; `nil` if the text isn't a web address.
    ///
    /// Only `http` and `https` are accepted, so a profile can't make an app open `javascript:` or `file:`, and no credentials, which
    /// can look like a host. Text without `://`, such as some blogs in profiles, is read as `https` if its host has a period, unlike
    /// `@handle`, `mailto:me@example.com`, and `tel:1`. Spaces around the text are ignored, and characters that a URL can't contain are
    /// escaped.
    public var url: URL? {
        let hasScheme = rawValue.contains("://")
        let text = hasScheme ? rawValue : "https://" + rawValue.drop(while: \.isWhitespace)
        guard let url = URL(lenient: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), hasScheme ? !host.isEmpty : host.contains("."),
            url.user() == nil, url.password() == nil
        else { return nil }
        return url
    }

    /// The server's text.
    public var description: String { rawValue }
}
