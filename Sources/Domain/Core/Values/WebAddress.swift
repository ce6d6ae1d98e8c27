public import Foundation

/// The web address of a page or image, as sent by the server.
///
/// ``url`` parses the text on demand. A list of a hundred rows has two hundred addresses; parsing
/// them all would take a third of the decoding time.
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
    /// Only `http` and `https` are accepted, so a profile can't make an app open `javascript:` or
    /// `file:`, and no credentials, which can look like a host. Text without `://`, such as some
    /// blogs in profiles, is read as `https` if its host has a period, unlike `@handle`,
    /// `mailto:me@example.com`, and `tel:1`, and so is text that begins with `//`. Spaces around
    /// the text are ignored, and characters that a URL can't contain are escaped.
    public var url: URL? {
        // Servers accept 8,000 bytes (RFC 9110, section 4.1) or a few more; megabytes take seconds.
        guard rawValue.utf8.count <= 16_384 else { return nil }
        // The scheme ends before the first slash; another page's address can follow in a query.
        let hasScheme = rawValue.prefix { !"/?#".contains($0) }.hasSuffix(":") && rawValue.contains("://")
        let rest = rawValue.drop(while: \.isWhitespace)
        // Pages on both http and https have addresses without a scheme.
        let text = hasScheme ? rawValue : (rest.hasPrefix("//") ? "https:" : "https://") + rest
        guard let url = URL(lenient: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), hasScheme ? !host.isEmpty : host.contains("."),
            url.user() == nil, url.password() == nil
        else { return nil }
        return url
    }

    /// The server's text.
    public var description: String { rawValue }
}

extension URL {
    /// Parses an address from outside as browsers do (WHATWG, "URL", section 4.4).
    ///
    /// Spaces around it and line breaks don't count, and only raw characters are escaped.
    /// `URL(string:)` also escapes the escapes beside them again.
    package init?(lenient text: String, relativeTo base: URL? = nil) {
        let bytes = text.utf8.filter { !"\t\n\r".utf8.contains($0) }
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 }) else {
            return nil
        }
        var rest = bytes[start...end]
        var written: [UInt8] = []
        // A host has escapes of its own.
        let scheme = rest.prefix { !"/?#".utf8.contains($0) }
        if scheme.isEmpty || scheme.last == UInt8(ascii: ":"), rest[scheme.endIndex...].starts(with: "//".utf8) {
            let host = rest[scheme.endIndex...].dropFirst(2).prefix { !"/?#".utf8.contains($0) }
            written += rest[..<host.endIndex]
            rest = rest[host.endIndex...]
        }
        var isFragment = false
        while let byte = rest.popFirst() {
            let isRaw =
                switch byte {
                case UInt8(ascii: "%"): rest.count < 2 || UInt32(hexDigits: rest.prefix(2)) == nil
                case UInt8(ascii: "#"): isFragment
                default: !byte.isASCIILetterOrDigit && !"-._~!$&'()*+,;=:@/?".utf8.contains(byte)
                }
            if byte == UInt8(ascii: "#") { isFragment = true }
            written += isRaw ? PercentEncoding.escape(byte) : [byte]
        }
        self.init(string: String(decoding: written, as: UTF8.self), relativeTo: base)
    }
}
