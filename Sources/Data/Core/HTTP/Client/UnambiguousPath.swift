@_spi(Services) import BrowseDomain
import Foundation

/// The segments of a URL path that all servers read the same way.
///
/// Proxies and frameworks disagree on paths: some decode twice, treat a backslash or `%2f` as a slash, drop path parameters
/// (`..;`), skip control characters, or map full-width characters to ASCII.
struct UnambiguousPath: Sendable {
    /// The decoded segments, without the empty one after a trailing slash.
    let segments: [String]

    /// Parses a percent-encoded path that is empty or begins with a slash.
    ///
    /// - Returns: `nil` if a segment is empty, or can be read as anything but one segment.
    init?(_ path: some StringProtocol) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.isEmpty || parts.removeFirst().isEmpty else { return nil }
        if parts.last?.isEmpty == true { parts.removeLast() }
        segments = parts.compactMap { Self.segment($0) }
        guard segments.count == parts.count else { return nil }
    }

    /// Whether a parameter can be decoded to a `.` or `..` segment, or can't be decoded.
    ///
    /// Percent-encoding makes other delimiters and control characters harmless.
    static func isTraversal(_ parameter: String) -> Bool {
        // Most parameters contain no dot.
        guard parameter.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") || $0 > 0x7F }) else {
            return false
        }
        guard let decodings = decodings(of: Substring(parameter)) else { return true }
        return decodings.contains { decoding in
            Substring(decoding.precomposedStringWithCompatibilityMapping).unicodeScalars.split { slashes.contains($0) }
                .contains(where: isDots)
        }
    }

    /// Decodes one segment; `nil` if it can be read as anything else.
    private static func segment(_ part: some StringProtocol) -> String? {
        if !part.isEmpty, part.utf8.allSatisfy(isPlain) { return part.utf8.allSatisfy(isDot) ? nil : String(part) }
        guard !part.isEmpty, let decodings = decodings(of: Substring(part)),
            decodings.allSatisfy({ isSegment($0) && isSegment($0.precomposedStringWithCompatibilityMapping) })
        else { return nil }
        return decodings.first { !$0.contains("%") } ?? String(part)
    }

    private static func isSegment(_ text: String) -> Bool {
        !isDots(Substring(text).unicodeScalars)
            && text.unicodeScalars.allSatisfy { scalar in
                guard !slashes.contains(scalar), scalar != ";" else { return false }
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return false
                default: return true
                }
            }
    }

    /// Whether a segment without its parameters and invisible characters is `.` or `..`.
    private static func isDots(_ segment: Substring.UnicodeScalarView) -> Bool {
        let name = segment.prefix { $0 != ";" }.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return name.elementsEqual([dot]) || name.elementsEqual([dot, dot])
    }

    /// Returns the text decoded zero times, once, twice, and so on.
    ///
    /// Returns `nil` if it isn't UTF-8, or if the last of ``maxDecodings`` texts can be decoded further.
    private static func decodings(of text: Substring) -> [String]? {
        var decodings = [String(text)]
        while let last = decodings.last, last.utf8.contains(UInt8(ascii: "%")) {
            guard let next = decoded(last) else { return nil }
            guard next != last else { break }
            guard decodings.count < maxDecodings else { return nil }
            decodings.append(next)
        }
        return decodings
    }

    /// Decodes percent-encoding, including `%u002e`; `nil` if the bytes aren't UTF-8.
    private static func decoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let isLong = index + 1 < bytes.count && bytes[index + 1] | 0x20 == UInt8(ascii: "u")
            let (start, count) = isLong ? (index + 2, 4) : (index + 1, 2)
            guard start + count <= bytes.count,
                let value = UInt32(hexDigits: bytes[start..<(start + count)]),
                let scalar = isLong ? Unicode.Scalar(value) : "\0"
            else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if isLong { result += String(scalar).utf8 } else { result.append(UInt8(value)) }
            index = start + count
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "-._~,@:!$&'()*+=".utf8.contains(byte)
    }

    private static func isDot(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") }

    private static var dot: Unicode.Scalar { "." }
    private static let slashes: Set<Unicode.Scalar> = [
        "/", "\\", "\u{2044}", "\u{2215}", "\u{29F8}", "\u{FF0F}", "\u{FF3C}",
    ]
    /// The maximum number of texts that repeated decoding returns, including the original.
    private static var maxDecodings: Int { 5 }
}
