extension RickAndMorty {
    /// Where locations come from.
    ///
    /// Choose `RemoteLocationRepository` of BrowseData for the Rick and Morty API, or `InMemoryLocationRepository` of
    /// BrowseMocks in tests.
    public protocol LocationRepository: Sendable {
        /// One page of the locations that pass a filter, in the server's order.
        ///
        /// That nothing passes is an empty page, not an error.
        ///
        /// - Parameters:
        ///   - filter: Which are wanted.
        ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
        /// - Throws: ``BrowseError``: `.refused` when the cursor leads away from the API, `.cancelled` when the caller was
        ///   canceled.
        func page(of filter: LocationFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Location>

        /// One location.
        ///
        /// - Throws: ``BrowseError``: `.notFound` when there is none of that number.
        func location(_ id: Location.ID) async throws(BrowseError) -> Location

        /// Several locations, in the order in which they are asked for.
        ///
        /// They come as one page without a next. Those that do not exist are left out; one that is asked for twice comes
        /// once.
        ///
        /// - Throws: ``BrowseError``; when any of the requests that it takes fails, nothing comes.
        func locations(_ ids: [Location.ID]) async throws(BrowseError) -> Page<Location>
    }
}
