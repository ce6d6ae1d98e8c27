extension RickAndMorty {
    /// Where episodes come from.
    ///
    /// Choose `RemoteEpisodeRepository` of BrowseData for the Rick and Morty API, or `InMemoryEpisodeRepository` of
    /// BrowseMocks in tests.
    public protocol EpisodeRepository: Sendable {
        /// One page of the episodes that pass a filter, in the server's order.
        ///
        /// That nothing passes is an empty page, not an error.
        ///
        /// - Parameters:
        ///   - filter: Which are wanted.
        ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
        /// - Throws: ``BrowseError``: `.refused` when the cursor leads away from the API, `.cancelled` when the caller was
        ///   canceled.
        func page(of filter: EpisodeFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Episode>

        /// One episode.
        ///
        /// - Throws: ``BrowseError``: `.notFound` when there is none of that number.
        func episode(_ id: Episode.ID) async throws(BrowseError) -> Episode

        /// Several episodes, in the order in which they are asked for.
        ///
        /// They come as one page without a next. Those that do not exist are left out; one that is asked for twice comes
        /// once.
        ///
        /// - Throws: ``BrowseError``; when any of the requests that it takes fails, nothing comes.
        func episodes(_ ids: [Episode.ID]) async throws(BrowseError) -> Page<Episode>
    }
}
