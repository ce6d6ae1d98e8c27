public import BrowseDomain

/// A repository of characters from the Rick and Morty API, with pages of 20.
public struct RemoteCharacterRepository: RickAndMorty.CharacterRepository {
    private let resource: RickAndMortyResource<CharacterDTO>

    /// Creates a repository with a client of ``HTTPClient/Service/rickAndMorty(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        resource = RickAndMortyResource(client: client)
    }

    /// Returns one page of the characters that match a filter.
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

    /// Returns a character.
    public func character(_ id: RickAndMorty.Character.ID) async throws(BrowseError) -> RickAndMorty.Character {
        try await resource.one(id.rawValue)
    }

    /// Returns several characters in the given order, in one request unless its URL would be too long.
    public func characters(_ ids: [RickAndMorty.Character.ID]) async throws(BrowseError) -> Page<RickAndMorty.Character>
    {
        try await resource.many(ids.map(\.rawValue))
    }
}
