@_spi(Services) public import BrowseDomain
import Foundation
import Synchronization

/// Masks secrets in events, logs, and errors.
///
/// Any eight consecutive characters of a value are masked, except those of a token format's public prefix, in any case and
/// encoding: percent-encoded or JSON-escaped up to four times, or in Base64 at any offset. The clients of a container share a
/// redactor. Every token, code, and verifier is added before it is sent, and those in a token response before it is observed.
///
/// A value shorter than eight characters is masked only where its name or format marks it as secret, as in `?code=`, since a
/// search would also mask ordinary words. Credential fields such as `Authorization` are always masked.
public final class SecretRedactor: Sendable {
    private struct State {
        /// The most recently used secret is last.
        var secrets: [Secret] = []
        var patterns: SecretPatterns?
    }

    private let state = Mutex(State())

    /// Creates a redactor without secrets.
    public init() {}

    /// Masks a secret from now on.
    ///
    /// The 64 most recent secrets are masked, so that a replaced token is still masked in responses that were in flight.
    public func add(_ secret: Secret) {
        guard secret.text.utf8.count >= SecretPatterns.length else { return }
        state.withLock { state in
            guard state.secrets.last != secret else { return }
            if let index = state.secrets.firstIndex(of: secret) {
                state.secrets.append(state.secrets.remove(at: index))
                return
            }
            state.secrets.append(secret)
            if state.secrets.count > Self.capacity { state.secrets.removeFirst() }
            state.patterns = nil
        }
    }

    /// Returns a text with `***` in place of secrets.
    ///
    /// Secrets are the added ones, texts in the format of a token, values of query items with the name of a secret, and
    /// usernames and passwords in URLs.
    public func redact(_ text: String) -> String { RedactionScan(text, patterns).result }

    var patterns: SecretPatterns {
        state.withLock { state in
            if let patterns = state.patterns { return patterns }
            let patterns = SecretPatterns(state.secrets)
            state.patterns = patterns
            return patterns
        }
    }

    private static var capacity: Int { 64 }
}

extension SecretRedactor {
    /// Adds the credentials in a request's `Authorization`, and in the fields that its service declares.
    func add(credentialsOf request: HTTPRequest) {
        let headers = request.headers
        if let value = headers["Authorization"] { add(authorization: value) }
        for name in headers.declaredCredentials where !HTTPHeaders.credentialNames.contains(name) {
            if let value = headers[name] { add(text: value) }
        }
    }

    private func add(authorization value: String) {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return add(text: value) }
        if parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])) {
            add(text: String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).last ?? "")
        } else {
            add(text: parts[1])
        }
    }

    private func add(text: some StringProtocol) {
        if let secret = try? Secret(String(text)) { add(secret) }
    }

    /// Whether a response contains an added secret, so that it must not be stored.
    func containsSecret(in response: HTTPResponse) -> Bool {
        let patterns = patterns
        guard !patterns.isEmpty else { return false }
        return response.headers.fields.values.contains { patterns.match($0) }
            || patterns.match(response.url.absoluteString)
            || patterns.match(response.body)
    }
}

/// The search patterns of secrets.
struct SecretPatterns: Sendable {
    /// The minimum length of a match in bytes.
    static var length: Int { 8 }

    /// Every eight consecutive bytes of every form of every secret, as a number.
    private let parts: Set<UInt64>
    /// Bits of the parts' hashes, since few other bytes need the slower search then.
    private var filter = [UInt64](repeating: 0, count: 1024)
    private let values: [[UInt8]]

    init(_ secrets: [Secret]) {
        values = secrets.map { Array($0.text.utf8) }
        var parts: Set<UInt64> = []
        for value in values {
            for form in [value] + Self.base64(value) { Self.forEachPart(of: form) { parts.insert($0.number) } }
        }
        for prefix in RedactionScan.prefixes { Self.forEachPart(of: prefix) { parts.remove($0.number) } }
        self.parts = parts
        for part in parts {
            let (index, bit) = Self.filterPlace(of: part)
            filter[index] |= bit
        }
    }

    var isEmpty: Bool { parts.isEmpty }

    /// Calls a closure with the range of each match of eight bytes of a secret.
    func forEachMatch(in bytes: [UInt8], _ body: (Range<Int>) -> Void) {
        guard !parts.isEmpty else { return }
        Self.forEachPart(of: bytes) { number, end in
            let (index, bit) = Self.filterPlace(of: number)
            if filter[index] & bit != 0, parts.contains(number) { body((end - Self.length)..<end) }
        }
    }

    /// Returns one of 65,536 bits by multiplicative hashing.
    private static func filterPlace(of number: UInt64) -> (index: Int, bit: UInt64) {
        let hash = (number &* 0x9E37_79B9_7F4A_7C15) >> 48
        return (Int(truncatingIfNeeded: hash >> 6), 1 << (hash & 63))
    }

    func match(_ text: String) -> Bool {
        var isFound = false
        forEachMatch(in: Array(text.utf8)) { _ in isFound = true }
        return isFound
    }

    /// Whether bytes contain a complete secret in its original form.
    ///
    /// A search for all forms and parts would take as long as decoding a page.
    func match(_ data: Data) -> Bool {
        data.withUnsafeBytes { data in
            values.contains { value in value.withUnsafeBytes { Self.contains(data, $0) } }
        }
    }

    private static func contains(_ data: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard let start = data.baseAddress, let wanted = value.baseAddress, let first = value.first else {
            return false
        }
        var index = 0
        while index + value.count <= data.count {
            let rest = data.count - value.count - index + 1
            guard let found = memchr(start + index, Int32(first), rest) else { return false }
            if memcmp(found, wanted, value.count) == 0 { return true }
            index = UnsafeRawPointer(found) - start + 1
        }
        return false
    }

    private static func forEachPart(of bytes: [UInt8], _ body: ((number: UInt64, end: Int)) -> Void) {
        var number: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            number = number << 8 | UInt64(folded(byte))
            if index + 1 >= length { body((number, index + 1)) }
        }
    }

    /// Returns a byte in lowercase, and the same byte for both alphabets of Base64.
    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte.asciiLowercased
        }
    }

    /// Returns the Base64 characters that depend only on the value, for each offset of its bytes.
    private static func base64(_ value: [UInt8]) -> [[UInt8]] {
        (0..<3).map { offset in
            let text = Data([UInt8](repeating: 0, count: offset) + value).base64EncodedString()
            let first = offset == 0 ? 0 : offset + 1
            return Array(text.utf8.prefix((offset + value.count) * 8 / 6).dropFirst(first))
        }
    }
}
