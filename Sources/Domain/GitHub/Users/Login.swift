@_spi(Services) import BrowseDomain

extension GitHub {
    /// The login of an account, as GitHub writes it.
    ///
    /// Logins from the server aren't validated: old ones may end in a hyphen, managed users'
    /// contain an underscore, and bots' end in `[bot]`. ``isValid`` checks a login before it's
    /// sent, and ``Username`` checks typed text.
    public struct Login: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// The login as the server wrote it.
        public let rawValue: String

        /// Creates a login without validation.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a login without validation.
        public init(_ text: String) { self.init(rawValue: text) }

        /// The login as the server wrote it.
        public var description: String { rawValue }

        /// Whether GitHub could have issued the login: 1 to 100 of `A–Z a–z 0–9 - _`, then maybe
        /// `[bot]`.
        ///
        /// Requests with other logins are refused, because a string such as `../user` could change
        /// the path.
        public var isValid: Bool {
            let name = rawValue.hasSuffix("[bot]") ? rawValue.dropLast(5) : rawValue[...]
            return (1...100).contains(name.utf8.count)
                && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }
        }
    }
}
