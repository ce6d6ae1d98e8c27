public import BrowseDomain

/// Episodes from the Rick and Morty API, 20 a page.
public struct RemoteEpisodeRepository: RickAndMorty.EpisodeRepository {
    private let resource: RickAndMortyResource<EpisodeDTO>

    /// Creates a repository that asks through a client of ``HTTPClient/Service/rickAndMorty(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        resource = RickAndMortyResource(client: client)
    }

    /// One page of the episodes that pass a filter; the next one is where the response says.
    public func page(
        of filter: RickAndMorty.EpisodeFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        let query: [(name: String, value: String?)] = [("name", filter.name), ("episode", filter.code)]
        return try await resource.page(where: query, at: cursor)
    }

    /// One episode.
    public func episode(_ id: RickAndMorty.Episode.ID) async throws(BrowseError) -> RickAndMorty.Episode {
        try await resource.one(id.rawValue)
    }

    /// Several episodes in the order asked for, in one request unless its address would be too long.
    public func episodes(_ ids: [RickAndMorty.Episode.ID]) async throws(BrowseError) -> Page<RickAndMorty.Episode> {
        try await resource.many(ids.map(\.rawValue))
    }
}
