/// Base64 for URLs and without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let values = Dictionary(uniqueKeysWithValues: zip(alphabet, 0..<UInt32(64)))

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var (buffer, bits): (UInt32, UInt32) = (0, 0)
        for byte in bytes {
            (buffer, bits) = (buffer << 8 | UInt32(byte), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits & 63)])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes; `nil` unless the text is exactly what ``encode(_:)`` returns for them.
    ///
    /// The last character can have unused bits, so several texts would otherwise have the same bytes.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (buffer, bits): (UInt32, UInt32) = (0, 0)
        for character in text.utf8 {
            guard let value = values[character] else { return nil }
            (buffer, bits) = (buffer << 6 | value, bits + 6)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            }
        }
        return bits < 6 && buffer & (1 << bits - 1) == 0 ? bytes : nil
    }
}

/// Ids that can't be guessed: 144 random bits, as 24 letters, digits, `-`, or `_`.
public enum RandomID {
    /// Returns a new id.
    public static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<18).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Returns whether a text has the form of an id.
    public static func isValid(_ text: String) -> Bool { Base64URL.decode(text)?.count == 18 }
}
