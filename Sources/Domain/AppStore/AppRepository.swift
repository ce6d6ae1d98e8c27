@_spi(Services) public import BrowseDomain

extension AppStore {
    /// The maximum number of search results: 200, even if a request asks for more.
    ///
    /// Source: Apple's "iTunes Search API".
    package static let searchResultLimits: ClosedRange<Int> = 1...200

    /// Loads apps from the App Store.
    ///
    /// Use `InMemoryAppRepository` of BrowseAppStoreMocks in tests. The service accepts about 20
    /// requests a minute from one address.
    ///
    /// All methods throw `BrowseError`: `.rateLimited` after too many requests.
    public protocol AppRepository: Sendable {
        /// Returns an app by its number or its bundle identifier, ignoring case.
        ///
        /// Its ID has the country of the storefront. For the country of a reference, see
        /// ``AppStore/Storefront/preferring(_:)``.
        ///
        /// - Throws: `BrowseError`: also `.notFound` if the store responded, and doesn't have the
        ///   app in that country.
        func lookUp(_ reference: AppReference, in storefront: Storefront) async throws(BrowseError) -> App

        /// Searches for apps; the best match is first.
        ///
        /// The limit of results is clamped to 1 through 200.
        ///
        /// - Returns: The only page; it's empty if nothing was found.
        func search(for term: SearchTerm, in storefront: Storefront, limit: Int) async throws(BrowseError) -> Page<App>
    }

    /// The App Store of a country, and the language of its responses.
    public struct Storefront: Hashable, Sendable {
        /// The country, which determines prices, ratings, and the available apps.
        public var country: Country
        /// The language of names and descriptions; `nil` uses the country's default.
        public var language: Language?
        /// The platform of search results, which a lookup prefers if several apps match.
        public var platform: App.Platform

        /// Creates a storefront.
        public init(country: Country = .unitedStates, language: Language? = nil, platform: App.Platform = .iOS) {
            self.country = country
            self.language = language
            self.platform = platform
        }

        /// Returns a storefront with the country of a reference, if it has one.
        public func preferring(_ reference: AppReference) -> Storefront {
            guard case .id(let id) = reference, let country = id.country else { return self }
            return Storefront(country: country, language: language, platform: platform)
        }

        /// Returns the app of the platform, or else the first one.
        package func preferred(of apps: [App]) -> App? { apps.first { $0.platform == platform } ?? apps.first }
    }

    /// A country's two-letter ISO 3166-1 code.
    public struct Country: Hashable, Codable, Sendable, CustomStringConvertible {
        /// The United States, the service's default.
        public static let unitedStates: Country = Country(checked: "us")
        /// South Korea.
        package static let southKorea: Country = Country(checked: "kr")

        /// The two letters in lowercase, as in the store's links.
        public let code: String

        /// Validates a code in any case; the country may still have no store.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ code: String) throws(ValidationError) {
            guard code.isTwoLetters else { throw .notTwoLetters }
            self.code = code.lowercased()
        }

        private init(checked code: String) { self.code = code }

        /// Decodes and validates a code.
        public init(from decoder: any Decoder) throws {
            try self.init(decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .code))
        }

        /// The two letters.
        public var description: String { code }

        /// The reason why a string isn't a country code.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text isn't two ASCII letters.
            case notTwoLetters
        }
    }

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

    /// A search term for the App Store: a `TypedText` that is neither blank nor too long.
    public struct SearchTerm: Hashable, Sendable, CustomStringConvertible {
        /// The maximum number of Unicode scalars: 256, longer than any name of an app.
        ///
        /// Apple documents none, but servers refuse addresses of several thousand bytes.
        package static let maximumLength: Int = 256

        /// The text to send.
        public let text: String

        /// Validates typed text.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ typed: String) throws(ValidationError) {
            text = TypedText(typed).text
            if text.isEmpty { throw .blank }
            let excess = text.unicodeScalars.count - Self.maximumLength
            if excess > 0 { throw .tooLong(by: excess) }
        }

        /// The text to send.
        public var description: String { text }

        /// The reason why a string isn't a search term.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text is blank, so there is nothing to search for.
            case blank
            /// The number of characters above 256.
            case tooLong(by: Int)
        }
    }
}

extension StringProtocol {
    /// Whether this is exactly two ASCII letters.
    fileprivate var isTwoLetters: Bool { utf8.count == 2 && utf8.allSatisfy(\.isASCIILetter) }
}
