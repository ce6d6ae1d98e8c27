import Foundation

/// Percent-encodes everything but unreserved characters (RFC 3986), so values contain no
/// delimiters.
@_spi(Services) public enum PercentEncoding {
    /// Encodes a text.
    public static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        return String(decoding: text.utf8.flatMap { isUnreserved($0) ? [$0] : escape($0) }, as: UTF8.self)
    }

    /// Decodes a text once; `nil` if an escape is incomplete, or the bytes aren't UTF-8.
    public static func decode(_ text: some StringProtocol) -> String? { text.removingPercentEncoding }

    /// The escape of a byte.
    package static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%"), (byte >> 4).hexDigit, (byte & 15).hexDigit]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte)
    }
}
