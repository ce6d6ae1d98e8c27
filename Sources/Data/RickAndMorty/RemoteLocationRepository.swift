public import BrowseDomain

/// A repository of locations from the Rick and Morty API, with pages of 20.
public struct RemoteLocationRepository: RickAndMorty.LocationRepository {
    private let resource: RickAndMortyResource<LocationDTO>

    /// Creates a repository with a client of ``HTTPClient/Service/rickAndMorty(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        resource = RickAndMortyResource(client: client)
    }

    /// Returns one page of the locations that match a filter.
    public func page(
        of filter: RickAndMorty.LocationFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        let query: [(name: String, value: String?)] = [
            ("name", filter.name), ("type", filter.type), ("dimension", filter.dimension),
        ]
        return try await resource.page(where: query, at: cursor)
    }

    /// Returns a location.
    public func location(_ id: RickAndMorty.Location.ID) async throws(BrowseError) -> RickAndMorty.Location {
        try await resource.one(id.rawValue)
    }

    /// Returns several locations in the given order, in one request unless its URL would be too long.
    public func locations(_ ids: [RickAndMorty.Location.ID]) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        try await resource.many(ids.map(\.rawValue))
    }
}
