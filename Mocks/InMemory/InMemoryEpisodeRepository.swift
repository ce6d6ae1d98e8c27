public import BrowseDomain

/// Episodes that a test or a preview brings along, filtered as the Rick and Morty API filters them.
public struct InMemoryEpisodeRepository: RickAndMorty.EpisodeRepository {
    private let rows: NumberedRows<RickAndMorty.Episode>

    /// Creates a repository of these episodes.
    ///
    /// - Parameters:
    ///   - episodes: All of them, in order; of two with one number, the first counts.
    ///   - pageSize: How many rows a page has; below 1 is raised to that.
    public init(_ episodes: [RickAndMorty.Episode], pageSize: Int = 20) {
        rows = NumberedRows(episodes, pageSize: pageSize)
    }

    /// One page of the episodes that pass a filter.
    ///
    /// - Throws: `.refused(.foreignPage)` when the cursor is not one of this filter, `.cancelled` when the calling task is
    ///   canceled.
    public func page(
        of filter: RickAndMorty.EpisodeFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        let endpoint = "InMemoryEpisodeRepository.page(of:at:)"
        return try rows.page(at: cursor, of: "\(filter)", endpoint: endpoint, where: filter.includes)
    }

    /// One episode.
    ///
    /// - Throws: `.notFound` when there is none of that number, `.cancelled` when the calling task is cancelled.
    public func episode(_ id: RickAndMorty.Episode.ID) async throws(BrowseError) -> RickAndMorty.Episode {
        try rows.one(id, endpoint: "InMemoryEpisodeRepository.episode(_:)")
    }

    /// Several episodes in the order asked for; those that do not exist are left out.
    ///
    /// - Throws: `.cancelled` when the calling task is cancelled.
    public func episodes(
        _ ids: [RickAndMorty.Episode.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        try rows.several(ids)
    }
}
