@_spi(Services) import BrowseDomain

/// Finds and masks secrets in a text, also those percent-encoded or JSON-escaped up to four times.
struct RedactionScan {
    /// The text after a number of decodings, and the origin of each byte.
    private struct Decoding {
        var bytes: [UInt8]
        /// The position of each byte in the original text, and the text's end.
        var origins: [Int]
    }

    private let original: [UInt8]
    private var isMasked: [Bool]

    init(_ text: String, _ patterns: SecretPatterns) {
        original = Array(text.utf8)
        isMasked = Array(repeating: false, count: original.count)
        var decoding = Decoding(bytes: original, origins: Array(0...original.count))
        for _ in 0..<Self.depth {
            scan(decoding, patterns)
            guard let next = Self.decoded(decoding) else { break }
            decoding = next
        }
    }

    /// The text with `***` in place of each secret.
    var result: String {
        guard isMasked.contains(true) else { return String(decoding: original, as: UTF8.self) }
        var bytes: [UInt8] = []
        for (index, byte) in original.enumerated() {
            if !isMasked[index] {
                bytes.append(byte)
            } else if index == 0 || !isMasked[index - 1] {
                bytes += Self.mask.utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static var mask: String { "***" }

    private mutating func scan(_ decoding: Decoding, _ patterns: SecretPatterns) {
        let bytes = decoding.bytes
        var known = FoundRanges()
        // The rest of the word could reveal the secret's last bits, as neighboring characters in Base64 do.
        patterns.forEachMatch(in: bytes) { match in
            known.add(match) { Self.word(of: .word, around: $0, in: bytes) }
        }
        var formats = FoundRanges()
        var values = FoundRanges()
        var users = FoundRanges()
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "g"), UInt8(ascii: "e"):
                guard let length = Self.formatLength(in: bytes, at: index) else { continue }
                formats.add(index..<(index + length)) { Self.word(of: .token, around: $0, in: bytes) }
            case UInt8(ascii: "="):
                guard Self.isSecretName(endingAt: index, in: bytes) else { continue }
                let start = bytes[(index + 1)...].firstIndex { !ByteSet.quotes.contains($0) } ?? bytes.count
                values.add(start..<start) { Self.end(of: $0, before: .valueEnds, in: bytes) }
            case UInt8(ascii: "/") where index > 0 && bytes[index - 1] == UInt8(ascii: "/"):
                let user = Self.end(of: (index + 1)..<(index + 1), before: .userEnds, in: bytes)
                guard let at = bytes[user].lastIndex(of: UInt8(ascii: "@")) else { continue }
                users.add(user) { $0.lowerBound..<at }
            default: break
            }
        }
        for range in known.ranges + formats.ranges + values.ranges + users.ranges {
            for index in decoding.origins[range.lowerBound]..<decoding.origins[range.upperBound] {
                isMasked[index] = true
            }
        }
    }

    /// Returns the length of a token's prefix; `nil` if there is none.
    private static func formatLength(in bytes: [UInt8], at index: Int) -> Int? {
        prefixes.first { bytes[index...].starts(with: $0) }?.count
    }

    static let prefixes = Secret.tokenPrefixes.map { Array($0.utf8) }

    /// Extends a range to the word that contains it.
    private static func word(of parts: ByteSet, around range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
        let start = bytes[..<range.lowerBound].lastIndex { !parts.contains($0) }.map { $0 + 1 } ?? 0
        let end = bytes[range.upperBound...].firstIndex { !parts.contains($0) } ?? bytes.count
        // An equals sign before the range ends the name of a query item.
        let name = bytes[start..<range.lowerBound].lastIndex(of: UInt8(ascii: "="))
        return (name.map { $0 + 1 } ?? start)..<end
    }

    /// Extends a range to the next of some bytes.
    private static func end(of range: Range<Int>, before ends: ByteSet, in bytes: [UInt8]) -> Range<Int> {
        range.lowerBound..<(bytes[range.upperBound...].firstIndex { ends.contains($0) } ?? bytes.count)
    }

    /// Whether the name before an equals sign is that of a secret.
    private static func isSecretName(endingAt sign: Int, in bytes: [UInt8]) -> Bool {
        let start = bytes[..<sign].lastIndex { !ByteSet.word.contains($0) }.map { $0 + 1 } ?? 0
        guard sign - start <= longestName else { return false }
        return secretNames.contains(String(decoding: bytes[start..<sign], as: UTF8.self).lowercased())
    }

    /// Parameters of OAuth (RFC 6749, 7521, 7636, 8628), and common names of keys and signatures.
    private static let secretNames: Set<String> = [
        "access_token", "api_key", "apikey", "assertion", "client_assertion", "client_secret", "code", "code_verifier",
        "device_code", "id_token", "jwt", "oauth_token", "oauth_token_secret", "oauth_verifier", "passwd", "password",
        "private_token", "refresh_token", "secret", "sig", "signature", "state", "token", "user_code",
        "x-amz-credential", "x-amz-security-token", "x-amz-signature", "x-goog-credential", "x-goog-signature",
    ]

    private static let longestName = secretNames.map(\.utf8.count).max() ?? 0

    /// The maximum number of scans; the text is decoded once before each further scan.
    private static var depth: Int { 5 }
}

extension RedactionScan {
    /// Decodes percent-encoding and JSON escapes once; `nil` if there are none.
    private static func decoded(_ decoding: Decoding) -> Decoding? {
        let bytes = decoding.bytes
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }) else { return nil }
        var next = Decoding(bytes: [], origins: [])
        next.bytes.reserveCapacity(bytes.count)
        next.origins.reserveCapacity(bytes.count + 1)
        var index = 0
        var isChanged = false
        while index < bytes.count {
            if let (scalar, length) = escape(in: bytes, at: index) {
                isChanged = true
                // Only the escape of a scalar has six bytes.
                if length == 6 {
                    next.bytes += Array(String(scalar).utf8)
                } else {
                    next.bytes.append(UInt8(scalar.value))
                }
                while next.origins.count < next.bytes.count { next.origins.append(decoding.origins[index]) }
                index += length
            } else {
                next.bytes.append(bytes[index])
                next.origins.append(decoding.origins[index])
                index += 1
            }
        }
        next.origins.append(decoding.origins[bytes.count])
        return isChanged ? next : nil
    }

    /// Returns the decoded byte or scalar and the length of an escape; `nil` if there is none.
    private static func escape(in bytes: [UInt8], at index: Int) -> (Unicode.Scalar, Int)? {
        guard bytes[index] == UInt8(ascii: "%") || bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
            return nil
        }
        func number(_ range: Range<Int>) -> UInt32? {
            range.upperBound <= bytes.count ? UInt32(hexDigits: bytes[range]) : nil
        }
        if bytes[index + 1] | 0x20 == UInt8(ascii: "u") {
            return number((index + 2)..<(index + 6)).flatMap(Unicode.Scalar.init).map { ($0, 6) }
        }
        if bytes[index] == UInt8(ascii: "%") {
            return number((index + 1)..<(index + 3)).map { (Unicode.Scalar(UInt8($0)), 3) }
        }
        return "\"\\/".utf8.contains(bytes[index + 1]) ? (Unicode.Scalar(bytes[index + 1]), 2) : nil
    }
}

/// The ranges that a rule finds, in order.
///
/// A match inside the last range would extend to a part of it, so it isn't extended: otherwise, the time for a word of many matches
/// would grow with the square of its length.
private struct FoundRanges {
    private(set) var ranges: [Range<Int>] = []

    /// Adds a match, extended by a closure, unless the last range covers it.
    mutating func add(_ match: Range<Int>, extended: (Range<Int>) -> Range<Int>) {
        if let last = ranges.last, last.lowerBound <= match.lowerBound, match.upperBound < last.upperBound { return }
        ranges.append(extended(match))
    }
}

private struct ByteSet {
    private let isMember: [Bool]

    private init(_ characters: String, lettersAndDigits: Bool = false) {
        isMember = (UInt8.min...UInt8.max).map {
            characters.utf8.contains($0) || lettersAndDigits && $0.isASCIILetterOrDigit
        }
    }

    func contains(_ byte: UInt8) -> Bool { isMember[Int(byte)] }

    /// The characters of names and of URL-safe Base64.
    static let word = ByteSet("-_", lettersAndDigits: true)
    /// The characters of tokens (RFC 6750, section 2.1), without the slash.
    static let token = ByteSet("-_.~+=", lettersAndDigits: true)
    static let quotes = ByteSet("\"'")
    static let valueEnds = ByteSet("&;#,\"'<>()[]{} \t\r\n")
    static let userEnds = ByteSet("/?#\"'<> \t\\")
}

extension Secret {
    /// The prefixes of common formats of tokens, which aren't secret themselves.
    package static let tokenPrefixes = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "eyJ"]
}
