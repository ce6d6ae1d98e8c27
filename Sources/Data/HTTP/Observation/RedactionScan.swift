/// Finds and masks secrets in a text, including percent-encoded and JSON-escaped ones, at any depth.
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
        var found: [Range<Int>] = []
        // The rest of the word could reveal the secret's last bits, as neighboring characters in Base64 do.
        patterns.forEachMatch(in: bytes) { found.append(Self.word(around: $0, in: bytes)) }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "g"), UInt8(ascii: "e"):
                if let length = Self.formatLength(bytes[index...]) {
                    found.append(Self.word(around: index..<(index + length), in: bytes, adding: ".~+="))
                }
            case UInt8(ascii: "="):
                if let value = Self.namedValue(in: bytes, at: index) { found.append(value) }
            case UInt8(ascii: "/") where index > 0 && bytes[index - 1] == UInt8(ascii: "/"):
                let user = bytes[(index + 1)...].prefix { !"/?#\"'<> \t\\".utf8.contains($0) }
                if let at = user.lastIndex(of: UInt8(ascii: "@")) { found.append(user.startIndex..<at) }
            default: break
            }
        }
        for range in found {
            for index in decoding.origins[range.lowerBound]..<decoding.origins[range.upperBound] {
                isMasked[index] = true
            }
        }
    }

    /// Returns the length of a prefix of GitHub tokens and JSON web tokens; `nil` if there is none.
    private static func formatLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        prefixes.first { bytes.starts(with: $0) }?.count
    }

    private static let prefixes = ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "eyJ"].map { Array($0.utf8) }

    /// Extends a range to the word that contains it.
    private static func word(around range: Range<Int>, in bytes: [UInt8], adding others: String = "") -> Range<Int> {
        func isPart(_ byte: UInt8) -> Bool {
            isLetterOrDigit(byte) || "-_".utf8.contains(byte) || others.utf8.contains(byte)
        }
        let start = bytes[..<range.lowerBound].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = bytes[range.upperBound...].firstIndex { !isPart($0) } ?? bytes.count
        // An equals sign before the range ends the name of a query item.
        let name = bytes[start..<range.lowerBound].lastIndex(of: UInt8(ascii: "="))
        return (name.map { $0 + 1 } ?? start)..<end
    }

    /// Returns the range of the value after an equals sign, if the name before it is that of a secret.
    private static func namedValue(in bytes: [UInt8], at sign: Int) -> Range<Int>? {
        let name = bytes[..<sign].reversed().prefix { isLetterOrDigit($0) || "-_".utf8.contains($0) }
        guard secretNames.contains(String(decoding: name.reversed(), as: UTF8.self).lowercased()) else { return nil }
        let start = bytes[(sign + 1)...].firstIndex { !"\"'".utf8.contains($0) } ?? bytes.count
        let end = bytes[start...].firstIndex { "&;#,\"'<>()[]{} \t\r\n".utf8.contains($0) } ?? bytes.count
        return start..<end
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Parameters of OAuth (RFC 6749, 7521, 7636, 8628), and common names of keys and signatures.
    private static let secretNames: Set<String> = [
        "access_token", "api_key", "apikey", "assertion", "client_assertion", "client_secret", "code", "code_verifier",
        "device_code", "id_token", "jwt", "oauth_token", "oauth_token_secret", "oauth_verifier", "passwd", "password",
        "private_token", "refresh_token", "secret", "sig", "signature", "state", "token", "user_code",
        "x-amz-credential", "x-amz-security-token", "x-amz-signature", "x-goog-credential", "x-goog-signature",
    ]

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
            let (decoded, length) = escape(in: bytes, at: index) ?? ([bytes[index]], 1)
            isChanged = isChanged || length > 1
            for byte in decoded {
                next.bytes.append(byte)
                next.origins.append(decoding.origins[index])
            }
            index += length
        }
        next.origins.append(decoding.origins[bytes.count])
        return isChanged ? next : nil
    }

    /// Returns the decoded bytes and the length of an escape; `nil` if there is none.
    private static func escape(in bytes: [UInt8], at index: Int) -> ([UInt8], Int)? {
        guard bytes[index] == UInt8(ascii: "%") || bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
            return nil
        }
        func number(_ range: Range<Int>) -> UInt32? {
            range.upperBound <= bytes.count ? UInt32(hexDigits: bytes[range]) : nil
        }
        if bytes[index + 1] | 0x20 == UInt8(ascii: "u") {
            let scalar = number((index + 2)..<(index + 6)).flatMap(Unicode.Scalar.init)
            return scalar.map { (Array(String($0).utf8), 6) }
        }
        if bytes[index] == UInt8(ascii: "%") {
            return number((index + 1)..<(index + 3)).map { ([UInt8($0)], 3) }
        }
        return "\"\\/".utf8.contains(bytes[index + 1]) ? ([bytes[index + 1]], 2) : nil
    }
}
