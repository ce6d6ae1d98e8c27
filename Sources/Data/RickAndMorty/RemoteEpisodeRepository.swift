public import BrowseDomain

/// A repository of episodes from the Rick and Morty API, with pages of 20.
public struct RemoteEpisodeRepository: RickAndMorty.EpisodeRepository {
    private let resource: RickAndMortyResource<EpisodeDTO>

    /// Creates a repository with a client of ``HTTPClient/Service/rickAndMorty(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        resource = RickAndMortyResource(client: client)
    }

    /// Returns one page of the episodes that match a filter.
    public func page(
        of filter: RickAndMorty.EpisodeFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        let query: [(name: String, value: String?)] = [("name", filter.name), ("episode", filter.code)]
        return try await resource.page(where: query, at: cursor)
    }

    /// Returns an episode.
    public func episode(_ id: RickAndMorty.Episode.ID) async throws(BrowseError) -> RickAndMorty.Episode {
        try await resource.one(id.rawValue)
    }

    /// Returns several episodes in the given order, in one request unless its URL would be too long.
    public func episodes(_ ids: [RickAndMorty.Episode.ID]) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        try await resource.many(ids.map(\.rawValue))
    }
}
