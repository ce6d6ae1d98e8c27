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
