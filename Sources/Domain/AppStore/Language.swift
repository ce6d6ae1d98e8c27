extension AppStore {
    /// A language of the store's responses: `ko_kr`.
    public struct Language: Hashable, Sendable, CustomStringConvertible {
        /// An ISO 639-1 language code, an underscore, and a country code, in lowercase.
        public let code: String

        /// Validates a code: two letters, an underscore or hyphen, and two letters, in any case.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ code: String) throws(ValidationError) {
            let parts = code.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
            guard parts.count == 2, parts.allSatisfy(\.isTwoLetters) else { throw .notLanguageAndCountry }
            self.code = parts.joined(separator: "_").lowercased()
        }

        /// The code, as in `en_us`.
        public var description: String { code }

        /// The reason why a string isn't a language code.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text isn't two ASCII letters for the language and two for the country.
            case notLanguageAndCountry
        }
    }
}
