public import BrowseDomain
import Foundation
import Synchronization

/// Masks the secrets in use in everything that observers, logs, and errors show.
///
/// A value is found wherever it stands and however it is written: raw, in any case, percent-encoded (also repeatedly),
/// JSON-escaped, in Base64 at any offset, or in part, from eight characters on. The clients of a container share one redactor,
/// which learns every token, code, and verifier before it is sent, and those in a token response before anything observes it.
///
/// A value shorter than eight characters is masked only where its name tells that it is secret, as in `?code=`: searched for
/// everywhere, it would mask ordinary words. Values of any length are masked in credential fields such as `Authorization`.
public final class SecretRedactor: Sendable {
    private struct State {
        /// The most recently used last.
        var secrets: [Secret] = []
        /// Made when they are needed.
        var patterns: SecretPatterns?
    }

    private let state = Mutex(State())

    /// Creates a redactor that knows no secret.
    public init() {}

    /// Masks a secret from now on.
    ///
    /// A redactor remembers the 64 that were added most recently, so that a token is still masked in responses to requests
    /// that were in flight when it was replaced.
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

    /// A text with every secret in it replaced by `***`: those in use, those with the format of a token, those that a query
    /// item names, and names and passwords in URLs.
    public func redact(_ text: String) -> String {
        RedactionScan(text, patterns).result
    }

    /// What secrets look like in a text.
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
    /// Learns both tokens.
    func add(_ credentials: GitHub.Credentials) {
        if let refreshToken = credentials.refreshToken { add(refreshToken) }
        add(credentials.token)
    }

    /// Learns the credentials of a request.
    func add(credentialsOf request: HTTPRequest) {
        guard let value = request.headers["Authorization"] else { return }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else {
            if let secret = try? Secret(value) { add(secret) }
            return
        }
        if parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])) {
            let password = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).last
            if let secret = try? Secret(String(password ?? "")) { add(secret) }
        } else if let secret = try? Secret(String(parts[1])) {
            add(secret)
        }
    }

    /// Whether a response shows a secret in use, so that it must not be stored.
    func finds(in response: HTTPResponse) -> Bool {
        let patterns = patterns
        guard !patterns.isEmpty else { return false }
        return response.headers.fields.values.contains { patterns.match($0) }
            || patterns.match(response.url.absoluteString)
            || patterns.match(response.body)
    }
}

/// The forms in which secrets are looked for.
struct SecretPatterns: Sendable {
    /// The fewest characters that are searched for.
    static var length: Int { 8 }

    /// Every run of eight characters of every form of every secret, as a number.
    private let parts: Set<UInt64>
    private let values: [[UInt8]]

    init(_ secrets: [Secret]) {
        values = secrets.map { Array($0.text.utf8) }
        var parts: Set<UInt64> = []
        for value in values {
            for form in [value] + Self.base64(value) { Self.forEachPart(of: form) { parts.insert($0.number) } }
        }
        // What all tokens of a kind begin with tells nothing.
        Self.forEachPart(of: Array("github_pat_".utf8)) { parts.remove($0.number) }
        self.parts = parts
    }

    var isEmpty: Bool { parts.isEmpty }

    /// Calls a function with each place at which eight characters of a secret stand.
    func forEachMatch(in bytes: [UInt8], _ body: (Range<Int>) -> Void) {
        guard !parts.isEmpty else { return }
        Self.forEachPart(of: bytes) { number, end in
            if parts.contains(number) { body((end - Self.length)..<end) }
        }
    }

    /// Whether a part of a secret stands in a text as it is.
    func match(_ text: String) -> Bool {
        var isFound = false
        forEachMatch(in: Array(text.utf8)) { _ in isFound = true }
        return isFound
    }

    /// Whether a secret stands in bytes as it is, in full.
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
        var place = 0
        while place + value.count <= data.count {
            let rest = data.count - value.count - place + 1
            guard let found = memchr(start + place, Int32(first), rest) else { return false }
            if memcmp(found, wanted, value.count) == 0 { return true }
            place = UnsafeRawPointer(found) - start + 1
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

    /// Without case, and with one form for both alphabets of Base64.
    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }

    /// The characters of Base64 that depend on the value alone, for each offset that it can have in what is encoded.
    private static func base64(_ value: [UInt8]) -> [[UInt8]] {
        (0..<3).map { offset in
            let text = Data([UInt8](repeating: 0, count: offset) + value).base64EncodedString()
            let first = offset == 0 ? 0 : offset + 1
            return Array(text.utf8.prefix((offset + value.count) * 8 / 6).dropFirst(first))
        }
    }
}
