public import BrowseData
public import BrowseDomain
public import BrowseRickAndMortyDomain

/// A repository of characters from the Rick and Morty API.
public typealias RemoteCharacterRepository = RemoteRickAndMortyRepository<RickAndMorty.Character>
/// A repository of episodes from the Rick and Morty API.
public typealias RemoteEpisodeRepository = RemoteRickAndMortyRepository<RickAndMorty.Episode>
/// A repository of locations from the Rick and Morty API.
public typealias RemoteLocationRepository = RemoteRickAndMortyRepository<RickAndMorty.Location>

/// A repository of the Rick and Morty API, with pages of 20.
///
/// Create one with a client of `HTTPClient.Service.rickAndMorty(baseURL:userAgent:now:)`.
public struct RemoteRickAndMortyRepository<Entity: RickAndMorty.Entity>: RickAndMorty.Repository {
    private let resource: any RickAndMorty.Repository<Entity>

    /// Returns one page of the entities that match a filter.
    public func page(of filter: Entity.Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity> {
        try await resource.page(of: filter, at: cursor)
    }

    /// Returns an entity.
    public func entity(_ id: Entity.ID) async throws(BrowseError) -> Entity {
        try await resource.entity(id)
    }

    /// Returns several entities in the given order, in one request unless its URL would be too long.
    public func entities(_ ids: [Entity.ID]) async throws(BrowseError) -> Page<Entity> {
        try await resource.entities(ids)
    }
}

extension RemoteCharacterRepository {
    /// Creates a repository of characters.
    public init(client: HTTPClient) { resource = RickAndMortyResource<CharacterDTO>(client: client) }
}

extension RemoteEpisodeRepository {
    /// Creates a repository of episodes.
    public init(client: HTTPClient) { resource = RickAndMortyResource<EpisodeDTO>(client: client) }
}

extension RemoteLocationRepository {
    /// Creates a repository of locations.
    public init(client: HTTPClient) { resource = RickAndMortyResource<LocationDTO>(client: client) }
}
