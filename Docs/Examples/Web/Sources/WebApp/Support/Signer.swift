import Crypto
import Foundation

/// The use of a signed value. A signature for one purpose is invalid for all others.
struct SignaturePurpose: Hashable, Sendable {
    let name: String

    init(_ name: StaticString) { self.name = name.description }
}

/// Signs values that leave the server and come back: cookies, form tokens, and image addresses.
///
/// A signed value is `value.expiry.code`: the value in base64, its expiry in seconds since 1970 or nothing, and an HMAC-SHA256
/// of the purpose, the expiry, and the value. It's readable by everyone; only the server can create it. The text contains only
/// letters, digits, `-`, `_`, and `.`, so it needs no escaping in URLs, cookies, and HTML.
///
/// To replace a key without signing everybody out, pass the old one as the previous key until its values have expired.
struct Signer: Sendable {
    /// The maximum length of a signed value in bytes; longer ones are invalid.
    static let limit = 4096

    private let key: SymmetricKey
    private let previousKey: SymmetricKey?

    /// Creates a signer with a key of at least 256 bits, and a previous one that is accepted too.
    init(key: SymmetricKey = SymmetricKey(size: .bits256), previousKey: SymmetricKey? = nil) {
        self.key = key
        self.previousKey = previousKey
    }

    /// Returns a signed value, which is valid for one purpose until its expiry, rounded down to seconds.
    func sign(_ value: String, for purpose: SignaturePurpose, until expiry: Date? = nil) -> String {
        let seconds = expiry.map { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) ?? 0 }
        let payload = "\(Base64URL.encode(value.utf8)).\(seconds.map(String.init) ?? "")"
        let code = HMAC<SHA256>.authenticationCode(for: Self.message(payload, for: purpose), using: key)
        return "\(payload).\(Base64URL.encode(code))"
    }

    /// Returns the value of a signed text; `nil` if it's invalid or has expired. Compares in constant time.
    func value(of text: String, for purpose: SignaturePurpose, at now: Date = Date()) -> String? {
        guard text.utf8.count <= Self.limit else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[0]), let code = Base64URL.decode(parts[2]),
            let value = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let message = Self.message("\(parts[0]).\(parts[1])", for: purpose)
        let isGenuine = [key, previousKey].compactMap(\.self).contains { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
        }
        guard isGenuine else { return nil }
        guard !parts[1].isEmpty else { return value }
        return Int64(parts[1]).flatMap { now.timeIntervalSince1970 < Double($0) ? value : nil }
    }

    /// Returns the signed bytes. The length of the purpose separates it from the payload.
    private static func message(_ payload: String, for purpose: SignaturePurpose) -> Data {
        Data("\(purpose.name.utf8.count):\(purpose.name)\(payload)".utf8)
    }
}

/// Base64 for URLs and without padding (RFC 4648, section 5).
enum Base64URL {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let text = Data(bytes).base64EncodedData().prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: text.map(replacing("+/", by: "-_")), as: UTF8.self)
    }

    /// Returns the bytes; `nil` unless the text is exactly what ``encode(_:)`` returns for them.
    static func decode(_ text: some StringProtocol) -> Data? {
        let padding = Array(repeating: UInt8(ascii: "="), count: (4 - text.utf8.count % 4) % 4)
        let data = Data(base64Encoded: Data(text.utf8.map(replacing("-_", by: "+/")) + padding))
        return data.flatMap { encode($0) == text ? $0 : nil }
    }

    private static func replacing(_ old: StaticString, by new: StaticString) -> (UInt8) -> UInt8 {
        { byte in (0..<2).first { old.utf8Start[$0] == byte }.map { new.utf8Start[$0] } ?? byte }
    }
}

/// Ids that can't be guessed: 144 random bits, as 24 letters, digits, `-`, or `_`.
enum RandomID {
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<18).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    static func isValid(_ text: String) -> Bool { Base64URL.decode(text)?.count == 18 }
}
