import BrowseData
import BrowseDomain
import Foundation

/// The secrets of a recording, and their placeholders.
struct RecordingSecrets {
    /// The minimum length of secrets that are replaced everywhere; shorter ones only in their own fields.
    private static let length = 8
    private static let placeholder = "SECRET"

    private let rules: RecordingRules
    private let key: String
    private var placeholders: [String: String] = [:]

    /// - Parameter key: The recording's random key, so that nobody can compare secrets of several recordings.
    init(_ rules: RecordingRules, key: String) {
        self.rules = rules
        self.key = key
    }

    static func randomKey() -> String { String(UInt32.random(in: 0x1000_0000...(.max)), radix: 16) }

    /// The key of a recording that contains secrets.
    static func key(of recording: Recording) -> String? {
        recording.exchanges.lazy.compactMap { exchange in
            guard case .response(let response) = exchange.outcome else { return nil }
            let texts =
                [exchange.url.absoluteString, "\(response.headers.fields)"]
                + [exchange.body ?? Data(), response.body].map { String(decoding: $0, as: UTF8.self) }
            return texts.lazy.compactMap { $0.firstMatch(of: /SECRET-([0-9a-f]{8})-[0-9a-f]{8}/) }.first.map {
                String($0.1)
            }
        }
        .first
    }

    // MARK: Finding

    /// Finds the secrets of an exchange.
    mutating func collect(from exchange: Recording.Exchange) {
        collect(fromHeaders: exchange.headers)
        collect(fromAddress: exchange.url.absoluteString)
        collect(fromBody: exchange.body ?? Data())
        guard case .response(let response) = exchange.outcome else { return }
        collect(fromHeaders: response.headers)
        if let url = response.url { collect(fromAddress: url.absoluteString) }
        collect(fromBody: response.body)
    }

    private mutating func add(_ secret: String) {
        guard !secret.isEmpty, !secret.hasPrefix(Self.placeholder + "-"), placeholders[secret] == nil else { return }
        let digest = SHA256Digest.hash("\(key) \(secret)").prefix(4).hexadecimal
        placeholders[secret] = "\(Self.placeholder)-\(key)-\(digest)"
    }

    private mutating func collect(fromHeaders headers: HTTPHeaders) {
        for (name, value) in headers.fields.sorted(by: { $0.key < $1.key }) {
            switch name {
            case "authorization", "proxy-authorization":
                let credentials = value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? value
                guard value.lowercased().hasPrefix("basic "), let data = Data(base64Encoded: credentials) else {
                    add(credentials)
                    continue
                }
                let password = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1).last
                add(String(password ?? ""))
            case "cookie", "set-cookie":
                let pairs = value.split(separator: ";").prefix(name == "cookie" ? .max : 1)
                for pair in pairs { add(String(pair.split(separator: "=", maxSplits: 1).last ?? "")) }
            default:
                if headers.isCredential(name) { add(value) } else { collect(fromAddress: value) }
            }
        }
    }

    private mutating func collect(fromAddress address: String) {
        if let query = address.split(separator: "?", maxSplits: 1).dropFirst().first {
            collect(fromForm: query.prefix { $0 != "#" && $0 != ">" })
        }
        collectTokens(in: address)
    }

    private mutating func collect(fromForm form: some StringProtocol) {
        for item in form.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, isParameter(pair[0].lowercased()) else { continue }
            add(String(pair[1]).replacing("+", with: "%20").removingPercentEncoding ?? String(pair[1]))
        }
    }

    private mutating func collect(fromBody body: Data) {
        guard !body.isEmpty, let text = String(data: body, encoding: .utf8) else { return }
        if let json = try? JSONSerialization.jsonObject(with: body) {
            collect(fromJSON: json)
        } else if text.contains("="), !text.contains("<") {
            collect(fromForm: text)
        }
        collectTokens(in: text)
    }

    private mutating func collect(fromJSON value: Any) {
        if let members = value as? [String: Any] {
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if let text = value as? String, rules.secretFields.contains(name.lowercased()) {
                    add(text)
                } else {
                    collect(fromJSON: value)
                }
            }
        } else if let elements = value as? [Any] {
            for element in elements { collect(fromJSON: element) }
        }
    }

    private mutating func collectTokens(in text: String) {
        for prefix in rules.tokenPrefixes {
            var rest = text[...]
            while let start = rest.range(of: prefix) {
                let token = rest[start.lowerBound...].prefix {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0))
                }
                // Shorter words begin like tokens, too.
                if token.count >= prefix.count + Self.length { add(String(token)) }
                rest = rest[start.upperBound...]
            }
        }
    }

    private func isParameter(_ name: String) -> Bool {
        rules.secretFields.contains(name) || rules.secretParameters.contains(name)
    }

    // MARK: Replacing

    /// An exchange without secrets and without header fields that aren't kept.
    func cleaned(_ exchange: Recording.Exchange) -> Recording.Exchange {
        var exchange = exchange
        exchange.url = cleaned(exchange.url)
        exchange.headers = cleaned(exchange.headers)
        exchange.body = exchange.body.map(cleaned)
        if case .response(var response) = exchange.outcome {
            response.url = response.url.map(cleaned)
            response.headers = cleaned(response.headers)
            response.body = cleaned(response.body)
            exchange.outcome = .response(response)
        }
        return exchange
    }

    private func cleaned(_ url: URL) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        parts.user = nil
        parts.password = nil
        return parts.string.flatMap { URL(string: cleaned(address: $0)) } ?? url
    }

    private func cleaned(_ headers: HTTPHeaders) -> HTTPHeaders {
        var result = HTTPHeaders()
        for (name, value) in headers.fields
        where rules.keptHeaders.contains(name) && !headers.isCredential(name) {
            result[name] = cleaned(address: value)
        }
        return result
    }

    private func cleaned(_ body: Data) -> Data {
        guard let text = String(data: body, encoding: .utf8) else { return body }
        let isForm = text.contains("=") && !text.contains("<") && (try? JSONSerialization.jsonObject(with: body)) == nil
        let inFields = isForm ? cleaned(form: text) : cleaned(json: text)
        return Data(cleaned(inFields).utf8)
    }

    /// Replaces the secrets in the query of an address, whatever their length, then everywhere.
    private func cleaned(address: String) -> String {
        guard let mark = address.firstIndex(of: "?") else { return cleaned(address) }
        return cleaned(address[...mark] + cleaned(form: String(address[address.index(after: mark)...])))
    }

    private func cleaned(form: String) -> String {
        form.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let pair = item.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, isParameter(pair[0].lowercased()) else { return String(item) }
            let value = String(pair[1]).replacing("+", with: "%20").removingPercentEncoding ?? String(pair[1])
            return "\(pair[0])=\(placeholders[value] ?? String(pair[1]))"
        }
        .joined(separator: "&")
    }

    /// Replaces the secrets of members, whatever their length and escapes; equal words elsewhere stay.
    private func cleaned(json text: String) -> String {
        guard !placeholders.isEmpty else { return text }
        return text.replacing(/"([^"\\]+)"(\s*:\s*)("(?:[^"\\]|\\.)*")/) { match in
            let (member, name, colon, literal) = match.output
            guard rules.secretFields.contains(name.lowercased()),
                let value = try? JSONDecoder().decode(String.self, from: Data(literal.utf8)),
                let placeholder = placeholders[value]
            else { return String(member) }
            return "\"\(name)\"\(colon)\"\(placeholder)\""
        }
    }

    /// Removes user information from URLs, and replaces long secrets and the rules' other texts.
    ///
    /// They are replaced wherever they occur, in every usual encoding.
    private func cleaned(_ text: String) -> String {
        var text = withoutUserInformation(text)
        // The longest first: one secret can be part of another.
        for (secret, placeholder) in placeholders.sorted(by: { ($1.key.count, $1.key) < ($0.key.count, $0.key) })
        where secret.count >= Self.length {
            for form in Self.forms(of: secret) { text = text.replacingOccurrences(of: form, with: placeholder) }
        }
        for (original, replacement) in rules.replacements.sorted(by: { $1.key.count < $0.key.count }) {
            for form in Self.forms(of: original).prefix(3) {
                text = text.replacingOccurrences(of: form, with: replacement)
            }
        }
        return text
    }

    /// Removes users and passwords from URLs, also from percent-encoded and JSON-escaped ones.
    private func withoutUserInformation(_ text: String) -> String {
        var text = text
        if text.utf8.contains(UInt8(ascii: "@")) {
            text = text.replacing(/(:\\?\/\\?\/)[^\s\/?#"'<>\\]*@/) { $0.1 }
        }
        if text.contains("%40") {
            text = text.replacing(/(?i)(%3A%2F%2F)(?:(?!%2F|%3F|%23)[^\s\/?#"'<>\\&=])*%40/) { $0.1 }
        }
        return text
    }

    /// A secret in each encoding: plain, percent-encoded, JSON-escaped, and Base64 at each offset.
    private static func forms(of secret: String) -> [String] {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        let bytes = Array(secret.utf8)
        let base64 = (0..<3).map { offset in
            let text = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
            return String(text.prefix((offset + bytes.count) * 8 / 6).dropFirst(offset == 0 ? 0 : offset + 1))
        }
        return [secret, secret.addingPercentEncoding(withAllowedCharacters: unreserved) ?? secret]
            + [secret.replacing("\\", with: "\\\\").replacing("/", with: "\\/").replacing("\"", with: "\\\"")] + base64
    }
}
