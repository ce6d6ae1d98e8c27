extension AppStore {
    /// Whose shop is asked, and in which language it answers.
    public struct Storefront: Hashable, Sendable {
        /// The country: prices, ratings, and which apps there are.
        public var country: Country
        /// The language of names and descriptions; `nil` is the country's own.
        public var language: Language?

        /// Names a shop.
        public init(country: Country = .unitedStates, language: Language? = nil) {
            self.country = country
            self.language = language
        }
    }

    /// A country with a shop, by its two letters in ISO 3166-1.
    public struct Country: Hashable, Sendable, CustomStringConvertible {
        /// The United States, which the shop takes unless it is told.
        public static let unitedStates: Country = Country(checked: "us")
        /// South Korea.
        public static let southKorea: Country = Country(checked: "kr")

        /// The two letters in lower case, as in the shop's links.
        public let code: String

        /// Checks a country's code, in any case; whether the country has a shop is known to the shop alone.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ code: String) throws(ValidationError) {
            guard code.isTwoLetters else { throw .notTwoLetters }
            self.code = code.lowercased()
        }

        private init(checked code: String) {
            self.code = code
        }

        /// The two letters.
        public var description: String { code }

        /// Why a text is no country.
        public enum ValidationError: Error, Hashable, Sendable {
            /// It is something else than two ASCII letters.
            case notTwoLetters
        }
    }

    /// A language that the shop answers in, as the shop names it: `ko_kr`.
    public struct Language: Hashable, Sendable, CustomStringConvertible {
        /// The language's two letters in ISO 639-1, an underscore, and a country's two letters, all in lower case.
        public let code: String

        /// Checks a language's code: two letters, an underscore or hyphen, two letters, in any case.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ code: String) throws(ValidationError) {
            let parts = code.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
            guard parts.count == 2, parts.allSatisfy(\.isTwoLetters) else { throw .notLanguageAndCountry }
            self.code = parts.joined(separator: "_").lowercased()
        }

        /// The code.
        public var description: String { code }

        /// Why a text is no language of the shop's.
        public enum ValidationError: Error, Hashable, Sendable {
            /// It is something else than two ASCII letters for the language and two for the country.
            case notLanguageAndCountry
        }
    }
}

extension StringProtocol {
    /// Whether it is two letters of ASCII, and nothing else.
    fileprivate var isTwoLetters: Bool {
        utf8.count == 2 && utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    }
}
