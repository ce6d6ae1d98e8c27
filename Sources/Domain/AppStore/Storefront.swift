extension AppStore {
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
}
