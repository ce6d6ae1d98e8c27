import Foundation

/// Base64 with the URL alphabet and without padding (RFC 4648, section 5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the bytes; `nil` unless the text is exactly what ``encode(_:)`` returns for them.
    ///
    /// The last character can have unused bits, so several texts would otherwise have the same bytes.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let data = Data(base64Encoded: base64), encode(data) == text else { return nil }
        return Array(data)
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
