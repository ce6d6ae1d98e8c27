/// Header fields of a request or response; names compare without regard to case, as RFC 9110 (section 5.1) says.
///
/// Printing it shows `***` in place of credentials.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// Names, in lower case, of the fields that identify somebody. They are masked when printed and are not carried to
    /// another origin.
    package static let credentialNames: Set<String> = [
        "authorization", "cookie", "proxy-authorization", "set-cookie", "x-github-otp",
    ]

    /// Values by lower-case name.
    private var values: [String: String] = [:]

    /// Creates an empty set of fields.
    public init() {}

    /// Creates fields from a literal; of two names that differ in case only, the later counts.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The value of a field, or `nil` when it is not there; setting `nil` removes it.
    public subscript(name: String) -> String? {
        get { values[name.lowercased()] }
        set { values[name.lowercased()] = newValue }
    }

    /// The fields with lower-case names, in no particular order.
    public var fields: [String: String] { values }

    /// Adds other fields; where both have one, the other's value counts.
    public mutating func merge(_ other: HTTPHeaders) {
        values.merge(other.values) { $1 }
    }

    /// Adds those of other fields of whose names something is true, as ``merge(_:)`` does.
    mutating func merge(_ other: HTTPHeaders, where isAdded: (_ lowercaseName: String) -> Bool) {
        for (name, value) in other.values where values[name] != value && isAdded(name) { values[name] = value }
    }

    /// Adds a value to a field whose name is in lower case, after the value that it has.
    mutating func append(_ value: String, toLowercase name: String, separator: String) {
        // In place, since a server may repeat a field tens of thousands of times.
        if values[name]?.append(separator + value) == nil { values[name] = value }
    }

    /// The text of a received value, with a space for each control character but tabs.
    ///
    /// A lone CR or NUL must not be passed on (RFC 9110, section 5.5), and a request that repeats one, as revalidation repeats
    /// an `ETag`, is refused.
    static func text(ofReceived value: some Collection<UInt8>) -> String {
        func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F }
        guard value.contains(where: isControl) else { return String(decoding: value, as: UTF8.self) }
        return String(decoding: value.map { isControl($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// Makes room for fields that are going to be set.
    mutating func reserveCapacity(_ count: Int) { values.reserveCapacity(count) }

    /// The elements of a field that is a list, in lower case (RFC 9110, section 5.6.1); empty when it is not there.
    func list(_ name: String) -> [Substring] {
        (self[name] ?? "").lowercased().split(separator: ",").map(\.trimmingWhitespace).filter { !$0.isEmpty }
    }

    /// Removes fields of which something is true.
    mutating func remove(where isLeaving: (_ lowercaseName: String) -> Bool) {
        for name in values.keys.filter(isLeaving) { values[name] = nil }
    }

    /// Removes everything that identifies somebody.
    mutating func removeCredentials() {
        remove(where: Self.credentialNames.contains)
    }
}

extension Substring {
    /// The text without the spaces and tabs at its ends (RFC 9110, section 5.6.3).
    var trimmingWhitespace: Substring {
        func isText(_ byte: UInt8) -> Bool { byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        guard let start = utf8.firstIndex(where: isText), let end = utf8.lastIndex(where: isText) else { return "" }
        return Substring(utf8[start...end])
    }
}

extension String {
    /// The text with a space for each line break, since one in a field would end it; no server can send one, but a mock can.
    var inOneLine: String {
        guard utf8.contains(UInt8(ascii: "\n")) else { return self }
        return split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).joined(separator: " ")
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields by name, one in a line, credentials masked.
    public var description: String {
        values.sorted { $0.key < $1.key }
            .map { "\($0.key): \(Self.credentialNames.contains($0.key) ? "***" : $0.value)" }
            .joined(separator: "\n")
    }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror that shows ``description`` only.
    public var customMirror: Mirror { Mirror(self, children: ["fields": description]) }
}
