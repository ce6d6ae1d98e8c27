extension RickAndMorty {
    /// Loads episodes.
    ///
    /// Use `RemoteEpisodeRepository` of BrowseData for the Rick and Morty API, or `InMemoryEpisodeRepository` of BrowseMocks in
    /// tests.
    public protocol EpisodeRepository: Sendable {
        /// Returns one page of the episodes that match a filter, in the server's order.
        ///
        /// If no episode matches, the page is empty.
        ///
        /// - Parameters:
        ///   - filter: The filter.
        ///   - cursor: ``Page/next`` of the previous page; `nil` for the first page.
        /// - Throws: ``BrowseError``: `.refused` if the cursor leads away from the API.
        func page(of filter: EpisodeFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Episode>

        /// Returns an episode.
        ///
        /// - Throws: ``BrowseError``: `.notFound` if it doesn't exist.
        func episode(_ id: Episode.ID) async throws(BrowseError) -> Episode

        /// Returns several episodes in the given order, as one page without a next page.
        ///
        /// Nonexistent episodes are left out, and duplicates are returned once.
        ///
        /// - Throws: ``BrowseError``, if any of the necessary requests fails.
        func episodes(_ ids: [Episode.ID]) async throws(BrowseError) -> Page<Episode>
    }
}
