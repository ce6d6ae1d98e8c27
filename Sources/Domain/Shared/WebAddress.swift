#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The address of a page or picture on the web, kept as the text that the server sent.
///
/// A list of a hundred rows shows none of its two hundred addresses; parsing them all would cost a third of the decoding.
/// So the text is parsed when ``url`` is asked for.
public struct WebAddress: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The text as it came.
    public let rawValue: String

    /// Takes any text; ``url`` tells whether it is an address.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The address to open, or `nil` when the text is none.
    ///
    /// Only `http` and `https` pass, so that a profile cannot make a front end open `javascript:` or `file:`. A text
    /// without a scheme, as people write their blog, is taken as `https`.
    public var url: URL? {
        let text = rawValue.contains("://") ? rawValue : "https://" + rawValue
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host(), !host.isEmpty,
            scheme == "http" || scheme == "https"
        else { return nil }
        return url
    }

    /// The text as it came.
    public var description: String { rawValue }
}
