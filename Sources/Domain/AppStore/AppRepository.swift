extension AppStore {
    /// How many results of a search the shop hands out at most: 200, whatever is asked for.
    ///
    /// Source: Apple's "iTunes Search API".
    public static let searchResultLimit: Int = 200

    /// Where apps come from.
    ///
    /// Choose `RemoteAppRepository` of BrowseData for the shop's public lookup, or `InMemoryAppRepository` of BrowseMocks in
    /// tests. The shop takes about 20 requests a minute from one address, lookups and searches together.
    public protocol AppRepository: Sendable {
        /// One app by its number.
        ///
        /// - Throws: ``BrowseError``: `.notFound` when the shop of that country has no such app, `.rateLimited` when it was
        ///   asked too often, `.cancelled` when the caller was cancelled.
        func lookUp(_ id: AppID, in storefront: Storefront) async throws(BrowseError) -> App

        /// One app by its bundle identifier, whose case does not count.
        ///
        /// - Throws: ``BrowseError``, as the lookup by number does.
        func lookUp(_ bundleID: BundleID, in storefront: Storefront) async throws(BrowseError) -> App

        /// What a search finds, best match first.
        ///
        /// - Parameters:
        ///   - term: What to search for.
        ///   - storefront: Whose shop.
        ///   - limit: The most results, 1 to ``AppStore/searchResultLimit``; others count as the nearest of these.
        /// - Returns: One page, which has no next one; an empty one when nothing is found.
        /// - Throws: ``BrowseError``, as the lookups do, but never `.notFound`.
        func search(
            for term: SearchTerm,
            in storefront: Storefront,
            limit: Int
        ) async throws(BrowseError) -> Page<App>
    }
}
