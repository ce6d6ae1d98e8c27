@_spi(Services) import BrowseDomain

extension GitHub {
    /// A typed username, validated by GitHub's sign-up rule.
    ///
    /// The rule of GitHub's sign-up form: 1 to 39 ASCII letters, digits, or hyphens, with no leading, trailing, or double
    /// hyphen. White space isn't trimmed. A ``Login`` from GitHub isn't validated.
    public struct Username: Hashable, Sendable, CustomStringConvertible {
        /// The maximum length: 39 characters.
        package static let maximumLength: Int = 39

        /// The login, which repositories take.
        public let login: Login

        /// Validates typed text.
        ///
        /// - Parameter text: The whole text of the field, which isn't trimmed.
        /// - Throws: The first ``ValidationError`` that applies, in the order of its cases.
        public init(_ text: String) throws(ValidationError) {
            guard !text.isEmpty else { throw .empty }
            if let character = text.first(where: { !Self.isAllowed($0) }) { throw .characterNotAllowed(character) }
            let excess = text.utf8.count - Self.maximumLength
            guard excess <= 0 else { throw .tooLong(by: excess) }
            guard !text.hasPrefix("-"), !text.hasSuffix("-") else { throw .hyphenAtEdge }
            guard !text.contains("--") else { throw .doubleHyphen }
            login = Login(text)
        }

        /// The username as typed.
        public var description: String { login.rawValue }

        private static func isAllowed(_ character: Character) -> Bool {
            character.asciiByte?.isASCIILetterOrDigit == true || character == "-"
        }
    }
}

extension GitHub.Username {
    /// The reason why a string isn't a username.
    public enum ValidationError: Error, Hashable, Sendable {
        /// The text is empty.
        case empty
        /// This character, the first invalid one, isn't an ASCII letter, digit, or hyphen.
        case characterNotAllowed(Character)
        /// The number of characters above the 39 that a username can have.
        case tooLong(by: Int)
        /// The text begins or ends with a hyphen.
        case hyphenAtEdge
        /// The text contains two consecutive hyphens.
        case doubleHyphen
    }
}
