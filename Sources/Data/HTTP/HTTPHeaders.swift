/// Header fields of a request or reply; names compare without regard to case, as RFC 9110 (section 5.1) says.
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

    /// Removes everything that identifies somebody.
    mutating func removeCredentials() {
        for name in Self.credentialNames { values[name] = nil }
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
