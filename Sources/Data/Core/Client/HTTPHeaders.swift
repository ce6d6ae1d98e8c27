@_spi(Services) import BrowseDomain

/// The header fields of a request or response, with case-insensitive names (RFC 9110, section 5.1).
///
/// Descriptions show `***` in place of values, except those of common fields without secrets, such
/// as `Content-Type`.
public struct HTTPHeaders: Sendable, ExpressibleByDictionaryLiteral {
    /// The lowercase names of the fields that contain credentials of any service.
    package static let credentialNames: Set<String> = [
        "authorization", "cookie", "proxy-authorization", "set-cookie",
    ]

    /// The lowercase names of the fields that a redirect sends to another origin.
    ///
    /// Any other field can contain credentials, or a condition that is meant for the first origin.
    static let crossOriginNames: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "range", "user-agent",
    ]

    /// The values by lowercase name.
    public private(set) var fields: [String: String] = [:]
    /// The lowercase names of further fields that contain credentials.
    package private(set) var declaredCredentials: Set<String> = []

    /// Creates headers without fields.
    package init() {}

    /// Creates headers from a literal; of names that differ only in case, the last one wins.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field, once if a proxy or server has repeated it; `nil` if it is missing.
    ///
    /// Setting `nil` removes the field.
    public subscript(name: String) -> String? {
        get {
            guard let value = fields[name.lowercased()] else { return nil }
            let first = String(decoding: value.utf8.prefix(max(0, value.utf8.count / 2 - 1)), as: UTF8.self)
            return value == "\(first), \(first)" ? first : value
        }
        set { fields[name.lowercased()] = newValue }
    }

    /// Adds other fields, replacing those with the same name.
    package mutating func merge(_ other: HTTPHeaders) {
        fields.merge(other.fields) { $1 }
        declareCredentials(other.declaredCredentials)
    }

    /// Whether a field contains credentials: it isn't stored.
    package func isCredential(_ lowercaseName: String) -> Bool {
        Self.credentialNames.contains(lowercaseName) || declaredCredentials.contains(lowercaseName)
    }

    /// Adds the lowercase names of fields that contain credentials.
    package mutating func declareCredentials(_ lowercaseNames: Set<String>) {
        declaredCredentials.formUnion(lowercaseNames)
    }

    /// Appends a value to a field, after its existing value and a separator.
    mutating func append(_ value: String, toLowercase name: String, separator: String) {
        // In place, since a server can repeat a field tens of thousands of times.
        if fields[name]?.append(separator + value) == nil { fields[name] = value }
    }

    /// The text of a received value, with few combining marks in a row.
    ///
    /// Control characters except tabs become spaces: a lone CR or NUL must not be forwarded (RFC
    /// 9110, section 5.5). An `ETag` that contains one would cause its revalidation to be refused.
    package static func sanitized(_ value: some Collection<UInt8>) -> String {
        func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) || byte == UInt8(ascii: "\t") }
        guard !value.allSatisfy(isPlain) else { return String(decoding: value, as: UTF8.self) }
        let bytes = value.map { isPlain($0) || $0 >= 0x80 ? $0 : UInt8(ascii: " ") }
        return String(decoding: bytes, as: UTF8.self).withFewMarks
    }

    /// The elements of a list field in lowercase (RFC 9110, section 5.6.1); empty if it is missing.
    public func list(_ name: String) -> [Substring] {
        guard let value = self[name] else { return [] }
        return value.lowercased().split(separator: ",").map(\.trimmingWhitespace).filter { !$0.isEmpty }
    }

    /// Whether the message must not be stored (RFC 9111, sections 5.2.1.5 and 5.2.2.5).
    var forbidsStoring: Bool { list("Cache-Control").contains { $0.hasPrefix("no-store") } }

    /// Returns the fields that can be sent, and whose names satisfy a predicate.
    func filter(_ isIncluded: (_ lowercaseName: String) -> Bool) -> HTTPHeaders {
        modified(self) { $0.fields = fields.filter { isIncluded($0.key) && Self.isWellFormed($0.key, $0.value) } }
    }
}

extension HTTPHeaders: Hashable {
    /// Whether two headers have the same fields.
    public static func == (one: HTTPHeaders, other: HTTPHeaders) -> Bool { one.fields == other.fields }

    /// Hashes the fields.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension Substring {
    /// The text without leading and trailing spaces and tabs (RFC 9110, section 5.6.3).
    var trimmingWhitespace: Substring { Substring(utf8.trimmingWhitespace) }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without leading and trailing spaces and tabs.
    var trimmingWhitespace: SubSequence {
        func isText(_ byte: UInt8) -> Bool { byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let start = firstIndex(where: isText), let end = lastIndex(where: isText) else { return prefix(0) }
        return self[start...end]
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
    /// The fields sorted by name, one per line, with `***` in place of values that may be secret.
    public var description: String {
        ShownText.headers(self).fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            .joined(separator: "\n")
    }
    /// A mirror that shows only ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}

extension HTTPHeaders {
    /// Whether every name is a token and every value is a single line (RFC 9110, sections 5.1 and
    /// 5.5).
    var areWellFormed: Bool {
        fields.allSatisfy { name, value in Self.isWellFormed(name, value) }
    }

    /// Whether a field can be sent.
    static func isWellFormed(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
            && value.utf8.allSatisfy { $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }
    }

    /// Whether a field name can contain a byte (RFC 9110, section 5.6.2).
    static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
