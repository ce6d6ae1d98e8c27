public import BrowseDomain

/// Locations from the Rick and Morty API, 20 a page.
public struct RemoteLocationRepository: RickAndMorty.LocationRepository {
    private let resource: RickAndMortyResource<LocationDTO>

    /// Creates a repository that asks through a client of ``HTTPClient/Service/rickAndMorty(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        resource = RickAndMortyResource(client: client)
    }

    /// One page of the locations that pass a filter; the next one is where the response says.
    public func page(
        of filter: RickAndMorty.LocationFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        let query: [(name: String, value: String?)] = [
            ("name", filter.name), ("type", filter.type), ("dimension", filter.dimension),
        ]
        return try await resource.page(where: query, at: cursor)
    }

    /// One location.
    public func location(_ id: RickAndMorty.Location.ID) async throws(BrowseError) -> RickAndMorty.Location {
        try await resource.one(id.rawValue)
    }

    /// Several locations in the order asked for, in one request unless its address would be too long.
    public func locations(_ ids: [RickAndMorty.Location.ID]) async throws(BrowseError) -> Page<RickAndMorty.Location> {
        try await resource.many(ids.map(\.rawValue))
    }
}
