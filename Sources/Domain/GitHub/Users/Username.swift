@_spi(Services) import BrowseDomain

extension GitHub {
    /// A typed username, which GitHub can have issued.
    ///
    /// It's read as a `TypedText`: 1 to 39 ASCII letters, digits, hyphens, and the underscore of
    /// managed accounts. An `@` before it, and addresses of an account, its gists, and its Git
    /// remotes are understood, also in a text; dashes of other kinds are hyphens, and full-width
    /// letters and digits are those of ASCII. A ``Login`` from GitHub isn't validated.
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
            let name = try Self.name(in: TypedText(text).text, host: host)
            guard !name.isEmpty else { throw .empty }
            if let character = name.first(where: { !Self.isAllowed($0) }) { throw .characterNotAllowed(character) }
            let excess = name.utf8.count - Self.maximumLength
            guard excess <= 0 else { throw .tooLong(by: excess) }
            // Old accounts have names such as `-ACE-`.
            guard !name.hasPrefix("-") || name.dropFirst().hasSuffix("-") else { throw .hyphenFirst }
            login = Login(String(name))
        }

        /// The username as typed.
        public var description: String { login.rawValue }

        /// Whether the last character is a hyphen, or there are two in a row.
        ///
        /// GitHub no longer issues such names, but old accounts have them.
        package var isUnusual: Bool { login.rawValue.hasSuffix("-") || login.rawValue.contains("--") }

        /// Returns the name after an `@`, or in the address of an account.
        ///
        /// Any other text is unchanged, except for what a keyboard has in place of hyphens.
        private static func name(in typed: String, host: String) throws(ValidationError) -> String {
            let text = typed.replacing("＠", with: "@")
            guard let address = ProfileAddress(in: text, host: host) else {
                let name = (text.hasPrefix("@") ? String(text.dropFirst()) : text).withASCIIWidth
                let both = name.withHyphens(emDash: "--")
                return both.utf8.count <= maximumLength ? both : name.withHyphens(emDash: "-")
            }
            guard let name = address.name else { throw .addressWithoutAccount }
            return name
        }

        private static func isAllowed(_ character: Character) -> Bool {
            character.asciiByte?.isASCIILetterOrDigit == true || character == "-" || character == "_"
        }

        /// The reason why a string isn't a username.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text is empty.
            case empty
            /// The text is an address, but not that of an account.
            case addressWithoutAccount
            /// This character, the first invalid one, isn't an ASCII letter, digit, hyphen, or
            /// underscore.
            case characterNotAllowed(Character)
            /// The number of characters above the 39 that a username can have.
            case tooLong(by: Int)
            /// The text begins with a hyphen, and doesn't end with another one.
            case hyphenFirst
        }
    }
}

extension String {
    /// The text with hyphens in place of other dashes.
    ///
    /// - Parameter emDash: The hyphens of an em dash after a letter or digit, for which keyboards
    ///   replace two hyphens.
    fileprivate func withHyphens(emDash: String) -> String {
        var text = ""
        for character in self {
            switch character {
            case "—" where text.utf8.last?.isASCIILetterOrDigit == true: text += emDash
            case "—", "–", "‒", "‐", "‑", "−", "﹣": text += "-"
            default: text.append(character)
            }
        }
        return text
    }
}
