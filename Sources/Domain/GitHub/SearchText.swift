@_spi(Services) import BrowseDomain

extension GitHub {
    /// A text to search for, validated against GitHub's limit of its length.
    ///
    /// It's a `TypedText` with straight quotes, since GitHub doesn't accept others around a phrase,
    /// and without the user and password of a pasted address. GitHub itself refuses more than five
    /// operators, with a reason. Source of the limits: "Limitations on query length" in GitHub's
    /// "REST API endpoints for search".
    public struct SearchText: Hashable, Sendable, CustomStringConvertible {
        /// The maximum number of characters, without qualifiers and operators: 256.
        package static let maximumLength: Int = 256

        /// The text to send.
        public let text: String

        /// Validates typed text.
        ///
        /// - Throws: The first ``ValidationError`` that applies, in the order of its cases.
        public init(_ typed: String) throws(ValidationError) {
            let text = TypedText(typed).withStraightQuotes.withoutCredentials.text
            guard !text.isEmpty else { throw .blank }
            let words = Self.words(of: text)
            // GitHub doesn't define a character; Unicode scalars are the strictest count that suits
            // every script. A word that doesn't count is subtracted with one space.
            let length = words.filter { Self.isQualifier($0) || ["AND", "OR", "NOT"].contains($0) }
                .reduce(text.unicodeScalars.count) { $0 - $1.unicodeScalars.count - 1 }
            guard length <= Self.maximumLength else { throw .tooLong(by: length - Self.maximumLength) }
            self.text = text
        }

        /// The text to send.
        public var description: String { text }

        /// Splits the text at white space outside quotes.
        package static func words(of text: String) -> [Substring] {
            var isInQuotes = false
            return text.split { character in
                if character == "\"" { isInQuotes.toggle() }
                return character.isWhitespace && !isInQuotes
            }
        }

        /// Whether the word is `name:value` or `-name:value`, but not the beginning of a web
        /// address.
        private static func isQualifier(_ word: Substring) -> Bool {
            let word = word.hasPrefix("-") ? word.dropFirst() : word
            guard let colon = word.firstIndex(of: ":"), colon != word.startIndex else { return false }
            let value = word[colon...].dropFirst()
            guard !value.isEmpty, !value.hasPrefix("//") else { return false }
            return word[..<colon].utf8.allSatisfy { $0.isASCIILetter || $0 == UInt8(ascii: "-") }
        }

        /// The reason why a string can't be searched for.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text is blank, so there is nothing to search for.
            case blank
            /// The number of characters above the 256 that GitHub accepts, without qualifiers and
            /// operators.
            case tooLong(by: Int)
        }
    }

    /// The maximum number of results that GitHub returns for a search: 1,000.
    ///
    /// Source: GitHub's "REST API endpoints for search".
    package static let searchResultLimit: Int = 1000
}
