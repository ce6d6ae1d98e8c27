@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// The secrets of a recording, and their placeholders.
struct RecordingSecrets {
    /// The minimum length of secrets that are replaced everywhere; shorter ones only in their own
    /// fields.
    private static let length = 8
    private static let placeholder = "SECRET"

    private var rules: RecordingRules
    /// The lowercase names of the service's credentials, whose values aren't words.
    private var declared: Set<String> = []
    private let key: String
    private var placeholders: [String: String] = [:]
    /// The secrets that are replaced only in their own fields, because they are ordinary words.
    private var words: Set<String> = []
    /// The secrets that are replaced everywhere; see ``finish()``.
    private var longSecrets = TextReplacements([])

    /// - Parameter key: The recording's random key, so that nobody can compare secrets of several
    ///   recordings.
    init(_ rules: RecordingRules, key: String) {
        self.rules = rules.lowercased
        self.key = key
    }

    static func randomKey() -> String { String(UInt32.random(in: 0x1000_0000...(.max)), radix: 16) }

    /// The key of a recording that contains secrets.
    static func key(of recording: Recording) -> String? {
        recording.exchanges.lazy.compactMap { exchange in
            var texts = [RecordedText(exchange.url.absoluteString)]
            var bodies = [exchange.body ?? Data()]
            if case .response(let response) = exchange.outcome {
                texts.append(RecordedText("\(response.headers.fields)"))
                bodies.append(response.body)
            }
            return (texts + bodies.compactMap { RecordedText($0) }).lazy
                .flatMap { $0.words(withPrefixes: [placeholder + "-"], longerBy: 17) }
                .compactMap { $0.firstMatch(of: /SECRET-([0-9a-f]{8})-[0-9a-f]{8}/).map { String($0.1) } }.first
        }
        .first
    }

    // MARK: Finding

    /// Finds the secrets of an exchange.
    mutating func collect(from exchange: Recording.Exchange) {
        // A service can read its key from the query.
        declared.formUnion(exchange.headers.declaredCredentials)
        collect(fromHeaders: exchange.headers)
        collect(fromAddress: exchange.url.absoluteString)
        collect(fromBody: exchange.body ?? Data())
        guard case .response(let response) = exchange.outcome else { return }
        collect(fromHeaders: response.headers)
        if let url = response.url { collect(fromAddress: url.absoluteString) }
        collect(fromBody: response.body)
    }

    private mutating func add(_ secret: String, isWord: Bool = false) {
        guard !secret.isEmpty, !secret.hasPrefix(Self.placeholder + "-") else { return }
        if !isWord { words.remove(secret) }
        guard placeholders[secret] == nil else { return }
        if isWord { words.insert(secret) }
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
            case "cookie":
                for pair in value.split(separator: ";") {
                    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    // Of an empty cookie, the name is an ordinary word.
                    add(String(parts.last ?? ""))
                }
            case "set-cookie":
                // One field can have several, and the date of an attribute has a comma, too. So can
                // a value, which is then a secret as a whole.
                for cookie in value.split(separator: ",") + [value[...]] {
                    let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                    if pair.count == 2 { add(String(pair[1])) }
                }
            default:
                if headers.isCredential(name) { add(value) } else { collect(fromAddress: value) }
            }
        }
    }

    private mutating func collect(fromAddress address: String) {
        if let query = address.split(separator: "?", maxSplits: 1).dropFirst().first {
            collect(fromForm: query.prefix { $0 != "#" && $0 != ">" })
        }
        // A fragment can have parameters, too (RFC 6749, section 4.2.2).
        collect(fromAddressesIn: RecordedText(address))
        collectTokens(in: RecordedText(address))
    }

    /// Collects the secret parameters of addresses in a text, such as `?token=` of a download.
    ///
    /// - Parameter level: How often the address that contains the text was encoded.
    private mutating func collect(fromAddressesIn text: RecordedText, level: Int = 0) {
        let bytes = text.bytes
        var next = text.index(of: [UInt8(ascii: "=")], from: 0)
        while let equals = next {
            next = text.index(of: [UInt8(ascii: "=")], from: equals + 1)
            let marks = "?&#;\\".utf8
            guard let mark = bytes[..<equals].suffix(64).lastIndex(where: { marks.contains($0) }) else { continue }
            // JSON can write an ampersand as `\u0026`.
            let name = text[mark + 1..<equals].lowercased()
            guard rules.secretFields.contains(name.hasPrefix("u0026") ? String(name.dropFirst(5)) : name)
            else { continue }
            let value = bytes[(equals + 1)...].prefix { $0 > 0x20 && !"&#;\"'<>()\\".utf8.contains($0) }
            let secret = String(decoding: value, as: UTF8.self)
            guard value.count >= Self.length else { continue }
            let decoded = secret.removingPercentEncoding ?? secret
            add(decoded)
            // As it's written there, such as with `%2f`, too.
            if placeholders[secret] == nil { placeholders[secret] = placeholders[decoded] }
        }
        // An address can be a parameter of another one, such as `?continue=`, and again.
        let inner = text.decodingSeparators()
        if level < 3, inner.bytes.count < bytes.count { collect(fromAddressesIn: inner, level: level + 1) }
    }

    private mutating func collect(fromForm form: some StringProtocol) {
        for item in form.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1)
            let name = pair.first.map { Self.name(of: $0) } ?? ""
            guard pair.count == 2, isSecret(name) || rules.secretParameters.contains(name) else { continue }
            let value = String(pair[1]).replacing("+", with: "%20").removingPercentEncoding ?? String(pair[1])
            add(value, isWord: !isSecret(name) && Self.isWord(value))
        }
    }

    /// Whether a state or code is a word, such as `resolved`, or a number, rather than random.
    ///
    /// In JSON, a placeholder can't replace an equal number, such as an app's ID.
    private static func isWord(_ value: String) -> Bool {
        let isWord = value.allSatisfy { $0.isLetter || $0 == "_" || $0 == "-" }
        return value.count <= 20 && (isWord || value.allSatisfy(\.isNumber))
            && [value.lowercased(), value.uppercased()].contains(value)
    }

    private mutating func collect(fromBody body: Data) {
        guard let text = RecordedText(body) else { return collectTokens(in: RecordedText(bytesOf: body)) }
        guard !body.isEmpty else { return }
        for (_, value) in text.members(named: rules.secretFields) {
            if let secret = RecordedText.decoded(text.bytes[value]) { add(secret) }
        }
        if text.isForm { collect(fromForm: text[text.bytes.indices]) }
        collect(fromAddressesIn: text)
        collectTokens(in: text)
    }

    /// Collects the secret fields of a multipart form (RFC 7578, section 4.2).
    private mutating func collect(fromPartsOf text: RecordedText) {
        let mark = Array("form-data; name=\"".utf8)
        var next = text.index(of: mark, from: 0)
        while let start = next {
            let name = text.bytes[(start + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }
            next = text.index(of: mark, from: name.endIndex)
            guard rules.secretFields.contains(String(decoding: name, as: UTF8.self).lowercased()),
                let head = text.index(of: Array("\r\n\r\n".utf8), from: name.endIndex)
            else { continue }
            add(text[head + 4..<(text.index(of: Array("\r\n--".utf8), from: head + 2) ?? text.bytes.count)])
        }
    }

    private mutating func collectTokens(in text: RecordedText) {
        collect(fromPartsOf: text)
        // Shorter words begin like tokens, too.
        for token in text.words(withPrefixes: rules.tokenPrefixes, longerBy: Self.length) { add(token) }
    }

    private func isSecret(_ name: String) -> Bool { rules.secretFields.contains(name) || declared.contains(name) }

    /// The lowercase name of a parameter, such as `auth[key]` of `auth%5Bkey%5D`.
    private static func name(of parameter: some StringProtocol) -> String {
        (parameter.removingPercentEncoding ?? String(parameter)).lowercased()
    }

    /// Prepares the replacement of the secrets that were found.
    mutating func finish() {
        let secrets = placeholders.filter { $0.key.count >= Self.length && !words.contains($0.key) }
        longSecrets = TextReplacements(
            secrets.flatMap { secret, placeholder in Self.forms(of: secret).map { ($0, placeholder) } }
        )
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
            response.headers = cleaned(response.headers, keeping: rules.provingPrefixes)
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

    /// - Parameter prefixes: The prefixes of fields of which only the name stays.
    private func cleaned(_ headers: HTTPHeaders, keeping prefixes: [String] = []) -> HTTPHeaders {
        var result = HTTPHeaders()
        for (name, value) in headers.fields where !headers.isCredential(name) {
            if rules.keptHeaders.contains(name) {
                result[name] = cleaned(address: value)
            } else if prefixes.contains(where: name.hasPrefix) {
                result[name] = "recorded"
            }
        }
        return result
    }

    private func cleaned(_ body: Data) -> Data {
        guard var text = RecordedText(body) else {
            var bytes = RecordedText(bytesOf: body)
            longSecrets.apply(to: &bytes)
            return Data(bytes.bytes)
        }
        if text.isForm {
            text = RecordedText(cleaned(form: text[text.bytes.indices]))
        } else if !placeholders.isEmpty {
            // Whatever their length and escapes; equal words elsewhere stay.
            text.replace(
                text.members(named: rules.secretFields).compactMap { _, value in
                    let placeholder = RecordedText.decoded(text.bytes[value]).flatMap { placeholders[$0] }
                    return placeholder.map { (value, Array("\"\($0)\"".utf8)) }
                }
            )
        }
        clean(&text)
        return Data(text.bytes)
    }

    /// Replaces the secrets in the query of an address, whatever their length, then everywhere.
    private func cleaned(address: String) -> String { cleaned(withCleanedQueries(address)) }

    /// A field can have several addresses, and an address can have a fragment.
    private func withCleanedQueries(_ address: String) -> String {
        guard let mark = address.firstIndex(of: "?") else { return address }
        let rest = address[address.index(after: mark)...]
        let query = rest.prefix { $0 != "#" && $0 != ">" }
        return address[...mark] + cleaned(form: String(query)) + withCleanedQueries(String(rest[query.endIndex...]))
    }

    private func cleaned(form: String) -> String {
        form.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let pair = item.split(separator: "=", maxSplits: 1)
            let name = pair.first.map { Self.name(of: $0) } ?? ""
            guard pair.count == 2, isSecret(name) || rules.secretParameters.contains(name) else { return String(item) }
            let value = String(pair[1]).replacing("+", with: "%20").removingPercentEncoding ?? String(pair[1])
            return "\(pair[0])=\(placeholders[value] ?? String(pair[1]))"
        }
        .joined(separator: "&")
    }

    private func cleaned(_ text: String) -> String {
        var text = RecordedText(text)
        clean(&text)
        return text[text.bytes.indices]
    }

    /// Removes user information from URLs, and replaces long secrets and the rules' other texts.
    ///
    /// They are replaced wherever they occur, in every usual encoding.
    private func clean(_ text: inout RecordedText) {
        text.removeUserInformation()
        longSecrets.apply(to: &text)
        guard !rules.replacements.isEmpty else { return }
        var string = text[text.bytes.indices]
        for (original, replacement) in rules.replacements.sorted(by: { $1.key.count < $0.key.count }) {
            for form in Self.forms(of: original).prefix(3) {
                string = string.replacingOccurrences(of: form, with: replacement)
            }
        }
        text = RecordedText(string)
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
