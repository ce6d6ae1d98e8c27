public import BrowseDomain

/// Characters from the Rick and Morty API, 20 a page.
public struct RemoteCharacterRepository: RickAndMorty.CharacterRepository {
    private let resource: RickAndMortyResource<CharacterDTO>

    /// Creates a repository that asks through a client of ``HTTPClient/Service/rickAndMorty(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        resource = RickAndMortyResource(client: client)
    }

    /// One page of the characters that pass a filter; the next one is where the response says.
    public func page(
        of filter: RickAndMorty.CharacterFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
        let query: [(name: String, value: String?)] = [
            ("name", filter.name), ("status", filter.status?.rawValue), ("species", filter.species),
            ("type", filter.type), ("gender", filter.gender?.rawValue),
        ]
        return try await resource.page(where: query, at: cursor)
    }

    /// One character.
    public func character(_ id: RickAndMorty.Character.ID) async throws(BrowseError) -> RickAndMorty.Character {
        try await resource.one(id.rawValue)
    }

    /// Several characters in the order asked for, in one request unless its address would be too long.
    public func characters(_ ids: [RickAndMorty.Character.ID]) async throws(BrowseError) -> Page<RickAndMorty.Character>
    {
        try await resource.many(ids.map(\.rawValue))
    }
}
