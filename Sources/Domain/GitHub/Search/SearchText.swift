extension GitHub {
    /// A text to search for, as a person typed it, checked against GitHub's limits.
    ///
    /// White space at its ends is cut off; everything else stays as it was typed, qualifiers such as `language:swift`
    /// included. Source of the limits: "Limitations on query length" in GitHub's "REST API endpoints for search".
    public struct SearchText: Hashable, Sendable, CustomStringConvertible {
        /// The most characters a text may have, qualifiers and operators not counted: 256.
        public static let maximumLength: Int = 256
        /// The most operators (`AND`, `OR`, `NOT`) a text may have: 5.
        public static let maximumOperatorCount: Int = 5

        /// The text to send.
        public let text: String

        /// Checks what a person typed.
        ///
        /// - Throws: ``ValidationError`` with the first reason that applies, in the order of its cases.
        public init(_ typed: String) throws(ValidationError) {
            let text = typed.trimmed
            guard !text.isEmpty else { throw .blank }
            let words = Self.words(of: text)
            // Unicode scalars: the strictest of what GitHub may mean by a character that is still fair to every script.
            // A word that does not count takes the space beside it along.
            let length = words.filter { Self.isQualifier($0) || Self.isOperator($0) }
                .reduce(text.unicodeScalars.count) { $0 - $1.unicodeScalars.count - 1 }
            guard length <= Self.maximumLength else { throw .tooLong(by: length - Self.maximumLength) }
            guard words.count(where: Self.isOperator) <= Self.maximumOperatorCount else { throw .tooManyOperators }
            self.text = text
        }

        /// The text to send.
        public var description: String { text }

        /// The text cut at white space, but not inside of quotes.
        private static func words(of text: String) -> [Substring] {
            var isInQuotes = false
            return text.split { character in
                if character == "\"" { isInQuotes.toggle() }
                return character.isWhitespace && !isInQuotes
            }
        }

        /// `name:value` or `-name:value`, but not the beginning of a web address.
        private static func isQualifier(_ word: Substring) -> Bool {
            let word = word.hasPrefix("-") ? word.dropFirst() : word
            guard let colon = word.firstIndex(of: ":"), colon != word.startIndex else { return false }
            let value = word[colon...].dropFirst()
            guard !value.isEmpty, !value.hasPrefix("//") else { return false }
            return word[..<colon].utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
            }
        }

        private static func isOperator(_ word: Substring) -> Bool {
            word == "AND" || word == "OR" || word == "NOT"
        }
    }
}

extension GitHub.SearchText {
    /// Why a text cannot be searched for.
    public enum ValidationError: Error, Hashable, Sendable {
        /// There is nothing but white space; it means that nothing is searched for.
        case blank
        /// The text is longer than ``GitHub/SearchText/maximumLength``; the value is by how many characters.
        case tooLong(by: Int)
        /// There are more operators than ``GitHub/SearchText/maximumOperatorCount``.
        case tooManyOperators
    }
}
