extension RickAndMorty {
    /// Loads locations.
    ///
    /// Use `RemoteLocationRepository` of BrowseData for the Rick and Morty API, or `InMemoryLocationRepository` of BrowseMocks
    /// in tests.
    public protocol LocationRepository: Sendable {
        /// Returns one page of the locations that match a filter, in the server's order.
        ///
        /// If no location matches, the page is empty.
        ///
        /// - Parameters:
        ///   - filter: The filter.
        ///   - cursor: ``Page/next`` of the previous page; `nil` for the first page.
        /// - Throws: ``BrowseError``: `.refused` if the cursor leads away from the API.
        func page(of filter: LocationFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Location>

        /// Returns a location.
        ///
        /// - Throws: ``BrowseError``: `.notFound` if it doesn't exist.
        func location(_ id: Location.ID) async throws(BrowseError) -> Location

        /// Returns several locations in the given order, as one page without a next page.
        ///
        /// Nonexistent locations are left out, and duplicates are returned once.
        ///
        /// - Throws: ``BrowseError``, if any of the necessary requests fails.
        func locations(_ ids: [Location.ID]) async throws(BrowseError) -> Page<Location>
    }
}
