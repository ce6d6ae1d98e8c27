public import Crypto
public import Foundation

/// The use of a signed value. A signature for one purpose is invalid for all others.
public struct SignaturePurpose: Hashable, Sendable {
    let name: String

    /// Creates a purpose; its name must be unique within the server.
    public init(_ name: StaticString) {
        self.name = name.description
    }
}

/// The reason why a signed value isn't accepted.
public enum SignatureError: Error, Hashable {
    /// The text isn't a signed value.
    case malformed
    /// The signature doesn't match: another key, another purpose, or a changed value.
    case forged
    /// The signature matches, but its time is over.
    case expired
}

/// Signs values that leave the server and come back: cookies, form tokens, and image addresses.
///
/// A signed value is `value.expiry.code`: the value in base64, its expiry in seconds since 1970 or nothing, and an HMAC-SHA256
/// of the purpose, the expiry, and the value. It's readable by everyone; only the server can create it. The text contains only
/// letters, digits, `-`, `_`, and `.`, so it needs no escaping in URLs, cookies, and HTML.
///
/// To replace a key without signing everybody out, pass the old one as the previous key until its values have expired.
public struct Signer: Sendable {
    /// The maximum length of a signed value in bytes; longer ones are malformed.
    static let limit = 4096

    private let key: SymmetricKey
    private let previousKey: SymmetricKey?

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - key: Signs values; at least 256 bits. The default is random: values become invalid when the process ends.
    ///   - previousKey: Also accepted when values come back.
    public init(key: SymmetricKey = SymmetricKey(size: .bits256), previousKey: SymmetricKey? = nil) {
        self.key = key
        self.previousKey = previousKey
    }

    /// Returns a signed value.
    ///
    /// - Parameters:
    ///   - value: The value; readable by everyone.
    ///   - purpose: The only purpose for which the signature is valid.
    ///   - expiry: The end of its validity, rounded down to seconds; `nil` never expires.
    public func sign(_ value: String, for purpose: SignaturePurpose, until expiry: Date? = nil) -> String {
        let seconds = expiry.map { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) ?? 0 }
        let payload = "\(Base64URL.encode(value.utf8)).\(seconds.map(String.init) ?? "")"
        let code = HMAC<SHA256>.authenticationCode(for: Self.message(payload, for: purpose), using: key)
        return "\(payload).\(Base64URL.encode(code))"
    }

    /// Returns the value of a text signed for a purpose.
    ///
    /// The time of the comparison doesn't depend on the signature.
    ///
    /// - Parameters:
    ///   - text: The text from ``sign(_:for:until:)``, from an untrusted source.
    ///   - purpose: The purpose for which it must be signed.
    ///   - now: The current date.
    /// - Throws: ``SignatureError``.
    public func value(
        of text: String,
        for purpose: SignaturePurpose,
        at now: Date = Date()
    ) throws(SignatureError) -> String {
        guard text.utf8.count <= Self.limit else { throw .malformed }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[0]), let code = Base64URL.decode(parts[2]),
            let value = String(validating: bytes, as: UTF8.self)
        else { throw .malformed }
        let message = Self.message("\(parts[0]).\(parts[1])", for: purpose)
        let isGenuine = [key, previousKey].compactMap(\.self).contains { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
        }
        guard isGenuine else { throw .forged }
        guard !parts[1].isEmpty else { return value }
        guard let expiry = Int64(parts[1]) else { throw .malformed }
        guard now.timeIntervalSince1970 < Double(expiry) else { throw .expired }
        return value
    }

    /// Returns the signed bytes. The length of the purpose separates it from the payload.
    private static func message(_ payload: String, for purpose: SignaturePurpose) -> Data {
        Data("\(purpose.name.utf8.count):\(purpose.name)\(payload)".utf8)
    }
}
