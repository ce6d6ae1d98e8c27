import Foundation

/// The path of an address that a server wrote, read in every way in which another server could read it.
///
/// Proxies and frameworks disagree on paths: some decode twice, take a backslash or `%2f` for a slash, cut path parameters
/// (`..;`), skip control characters, or map full-width forms to ASCII. A path is used only where all of them agree.
struct UnambiguousPath: Sendable {
    /// The decoded segments, without the empty one after a slash at the end.
    let segments: [String]

    /// Reads a percent-encoded path, which begins with a slash or is empty.
    ///
    /// - Returns: `nil` when a segment is empty, or could be read as anything but one segment.
    init?(_ path: some StringProtocol) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.isEmpty || parts.removeFirst().isEmpty else { return nil }
        if parts.last?.isEmpty == true { parts.removeLast() }
        var segments: [String] = []
        segments.reserveCapacity(parts.count)
        for part in parts {
            guard let segment = Self.segment(part) else { return nil }
            segments.append(segment)
        }
        self.segments = segments
    }

    /// Whether a parameter would lead to another endpoint once a server has decoded it, as `..` and `%2e%2e` do.
    ///
    /// Other delimiters and controls are left to its percent-encoding.
    static func isTraversal(_ parameter: String) -> Bool {
        // Most parameters hold no dot.
        guard parameter.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") || $0 > 0x7F }) else {
            return false
        }
        guard let readings = readings(of: Substring(parameter)) else { return true }
        return readings.contains { reading in
            Substring(reading.precomposedStringWithCompatibilityMapping).unicodeScalars.split { slashes.contains($0) }
                .contains(where: isDots)
        }
    }

    /// One segment, decoded; `nil` when it could be read as anything else.
    private static func segment(_ part: some StringProtocol) -> String? {
        if !part.isEmpty, part.utf8.allSatisfy(isPlain) { return part.utf8.allSatisfy(isDot) ? nil : String(part) }
        guard !part.isEmpty, let readings = readings(of: Substring(part)),
            readings.allSatisfy({ isSegment($0) && isSegment($0.precomposedStringWithCompatibilityMapping) })
        else { return nil }
        return readings.first { !$0.contains("%") } ?? String(part)
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

    /// Whether only dots are left of a segment, without its parameters and all that cannot be seen.
    private static func isDots(_ segment: Substring.UnicodeScalarView) -> Bool {
        let name = segment.prefix { $0 != ";" }.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return name.elementsEqual([dot]) || name.elementsEqual([dot, dot])
    }

    /// The text as it is, decoded once, twice, and so on; `nil` when it has no end, or no text is encoded there.
    private static func readings(of text: Substring) -> [String]? {
        var readings = [String(text)]
        while let last = readings.last, last.utf8.contains(UInt8(ascii: "%")) {
            guard let next = decoded(last) else { return nil }
            guard next != last else { break }
            guard readings.count < deepest else { return nil }
            readings.append(next)
        }
        return readings
    }

    /// A text without its percent-encoding, that of `%u002e` among it; `nil` when the bytes are not UTF-8.
    private static func decoded(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "%") else {
                result.append(bytes[place])
                place += 1
                continue
            }
            let isLong = place + 1 < bytes.count && bytes[place + 1] | 0x20 == UInt8(ascii: "u")
            let (start, count) = isLong ? (place + 2, 4) : (place + 1, 2)
            guard start + count <= bytes.count,
                let value = UInt32(hexDigits: bytes[start..<(start + count)]),
                let scalar = isLong ? Unicode.Scalar(value) : "\0"
            else {
                result.append(bytes[place])
                place += 1
                continue
            }
            if isLong { result += String(scalar).utf8 } else { result.append(UInt8(value)) }
            place = start + count
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~,@:!$&'()*+=".utf8.contains(byte)
        }
    }

    private static func isDot(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") }

    private static var dot: Unicode.Scalar { "." }
    private static let slashes: Set<Unicode.Scalar> = [
        "/", "\\", "\u{2044}", "\u{2215}", "\u{29F8}", "\u{FF0F}", "\u{FF3C}",
    ]
    /// How often a path may be decoded until nothing is left to decode.
    private static var deepest: Int { 5 }
}

extension UInt32 {
    /// The number that hexadecimal digits write; `nil` when there is anything else among them.
    init?(hexDigits: some Sequence<UInt8>) {
        self = 0
        for byte in hexDigits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = self << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): self = self << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): self = self << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
        }
    }
}
