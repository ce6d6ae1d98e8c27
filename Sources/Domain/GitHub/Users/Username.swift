@_spi(Services) import BrowseDomain

extension GitHub {
    /// A typed username, which GitHub can have issued.
    ///
    /// It's read as a `TypedText`: 1 to 39 ASCII letters, digits, hyphens, and the underscore of managed accounts. An `@` before it,
    /// and the address of a profile, are understood. A ``Login`` from GitHub isn't validated.
    public struct Username: Hashable, Sendable, CustomStringConvertible {
        /// The maximum length: 39 characters.
        package static let maximumLength: Int = 39

        /// The login, which repositories take.
        public let login: Login

        /// Validates typed text.
        ///
        /// - Parameters:
        ///   - text: The whole text of the field.
        ///   - host: The host of GitHub's website, on which profiles have addresses.
        /// - Throws: The first ``ValidationError`` that applies, in the order of its cases.
        public init(_ text: String, host: String = "github.com") throws(ValidationError) {
            let name = Self.name(in: TypedText(text).text, host: host)
            guard !name.isEmpty else { throw .empty }
            if let character = name.first(where: { !Self.isAllowed($0) }) { throw .characterNotAllowed(character) }
            let excess = name.utf8.count - Self.maximumLength
            guard excess <= 0 else { throw .tooLong(by: excess) }
            guard !name.hasPrefix("-") else { throw .hyphenFirst }
            login = Login(String(name))
        }

        /// The username as typed.
        public var description: String { login.rawValue }

        /// Whether the last character is a hyphen, or there are two in a row.
        ///
        /// GitHub no longer issues such names, but old accounts have them.
        package var isUnusual: Bool { login.rawValue.hasSuffix("-") || login.rawValue.contains("--") }

        /// Returns the name after an `@`, or in the address of a profile; any other text is unchanged.
        private static func name(in text: String, host: String) -> Substring {
            var rest = text[...]
            for prefix in ["https://", "http://", "www."] where rest.lowercased().hasPrefix(prefix) {
                rest = rest.dropFirst(prefix.count)
            }
            guard rest.lowercased().hasPrefix(host.lowercased() + "/") else {
                return text.hasPrefix("@") ? text.dropFirst() : text[...]
            }
            let path = rest.dropFirst(host.count).prefix { !"?#".contains($0) }.split(separator: "/")
            // Organizations also have addresses such as `/orgs/NAME/people`.
            return path.first == "orgs" ? path.dropFirst().first ?? "" : path.first ?? ""
        }

        private static func isAllowed(_ character: Character) -> Bool {
            character.asciiByte?.isASCIILetterOrDigit == true || character == "-" || character == "_"
        }
    }
}

extension GitHub.Username {
    /// The reason why a string isn't a username.
    public enum ValidationError: Error, Hashable, Sendable {
        /// The text is empty.
        case empty
        /// This character, the first invalid one, isn't an ASCII letter, digit, hyphen, or underscore.
        case characterNotAllowed(Character)
        /// The number of characters above the 39 that a username can have.
        case tooLong(by: Int)
        /// The text begins with a hyphen.
        case hyphenFirst
    }
}
