public import BrowseDomain

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
}
