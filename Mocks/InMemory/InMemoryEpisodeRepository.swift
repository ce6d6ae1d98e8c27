public import BrowseDomain

/// A repository of episodes in memory, with the API's filters, for tests and previews.
public struct InMemoryEpisodeRepository: RickAndMorty.EpisodeRepository {
    private let rows: NumberedRows<RickAndMorty.Episode>

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - episodes: All episodes, in order; those whose ID occurred before are ignored.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    public init(_ episodes: [RickAndMorty.Episode], pageSize: Int = 20) {
        rows = NumberedRows(episodes, pageSize: pageSize)
    }

    /// Returns a page of the episodes that pass a filter.
    ///
    /// - Throws: `.refused(.foreignPage)` for another filter's cursor, or `.cancelled`.
    public func page(
        of filter: RickAndMorty.EpisodeFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        let endpoint = "InMemoryEpisodeRepository.page(of:at:)"
        return try rows.page(at: cursor, of: "\(filter)", endpoint: endpoint, where: filter.includes)
    }

    /// Returns an episode.
    ///
    /// - Throws: `.notFound` for an unknown ID, or `.cancelled`.
    public func episode(_ id: RickAndMorty.Episode.ID) async throws(BrowseError) -> RickAndMorty.Episode {
        try rows.one(id, endpoint: "InMemoryEpisodeRepository.episode(_:)")
    }

    /// Returns several episodes in the requested order, without those that don't exist.
    ///
    /// - Throws: `.cancelled`.
    public func episodes(
        _ ids: [RickAndMorty.Episode.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        try rows.several(ids)
    }
}
