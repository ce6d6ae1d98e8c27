import Crypto
import Foundation

/// Signs text that this server issues and accepts again.
///
/// Examples are the addresses of images and the ids of visitors.
public struct Signer: Sendable {
    private let key: SymmetricKey

    /// Creates a signer with a new random key, so signatures become invalid when the process ends.
    public init() {
        key = SymmetricKey(size: .bits256)
    }

    /// Returns the text with its signature.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - purpose: The use of the text. A signature for one purpose is invalid for others.
    public func sign(_ text: String, for purpose: String) -> String {
        Self.base64URL(Data(text.utf8)) + "." + Self.base64URL(Data(code(text, purpose)))
    }

    /// Returns the signed text; `nil` if the signature is wrong.
    public func open(_ signed: String, for purpose: String) -> String? {
        let parts = signed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let data = Self.data(parts[0]), let code = Self.data(parts[1]),
            let text = String(data: data, encoding: .utf8),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Data((purpose + "\n" + text).utf8), using: key)
        else { return nil }
        return text
    }

    private func code(_ text: String, _ purpose: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data((purpose + "\n" + text).utf8), using: key)
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func data(_ text: Substring) -> Data? {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
    }
}
