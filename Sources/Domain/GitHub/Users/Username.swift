extension GitHub {
    /// A username that a person typed, checked against GitHub's sign-up rule.
    ///
    /// The rule, from GitHub's own sign-up form: 1 to 39 ASCII letters, digits or hyphens, no hyphen at either edge and no
    /// two in a row; the whole text counts, so a trailing newline is refused. It holds for typed input only: logins that
    /// GitHub returns are a ``Login`` and follow no rule.
    public struct Username: Hashable, Sendable, CustomStringConvertible {
        /// The most characters a username may have: 39.
        public static let maximumLength: Int = 39

        /// The username as a login that repositories take.
        public let login: Login

        /// Checks what a person typed.
        ///
        /// - Parameter text: The whole text of the field; it is not trimmed.
        /// - Throws: ``ValidationError`` with the first reason that applies, in the order of its cases.
        public init(_ text: String) throws(ValidationError) {
            guard !text.isEmpty else { throw .empty }
            if let character = text.first(where: { !Self.isAllowed($0) }) {
                throw .characterNotAllowed(character)
            }
            guard text.utf8.count <= Self.maximumLength else {
                throw .tooLong(by: text.utf8.count - Self.maximumLength)
            }
            guard !text.hasPrefix("-"), !text.hasSuffix("-") else { throw .hyphenAtEdge }
            guard !text.contains("--") else { throw .doubleHyphen }
            login = Login(text)
        }

        /// The username as it was typed.
        public var description: String { login.rawValue }

        private static func isAllowed(_ character: Character) -> Bool {
            // A Character may be several scalars: "e" with an accent, or "\r\n". Only a lone ASCII one passes.
            guard character.unicodeScalars.count == 1, let ascii = character.asciiValue else { return false }
            switch ascii {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                return true
            default:
                return false
            }
        }
    }
}

extension GitHub.Username {
    /// Why a typed text is not a username.
    public enum ValidationError: Error, Hashable, Sendable {
        /// Nothing was typed.
        case empty
        /// The first character that is neither an ASCII letter, a digit nor a hyphen.
        case characterNotAllowed(Character)
        /// The text is longer than ``GitHub/Username/maximumLength``; the value is by how many characters.
        case tooLong(by: Int)
        /// The text begins or ends with a hyphen.
        case hyphenAtEdge
        /// Two hyphens stand side by side.
        case doubleHyphen
    }
}
