public import BrowseDomain

/// Characters that a test or a preview brings along, filtered as the Rick and Morty API filters them.
public struct InMemoryCharacterRepository: RickAndMorty.CharacterRepository {
    private let rows: NumberedRows<RickAndMorty.Character>

    /// Creates a repository of these characters.
    ///
    /// - Parameters:
    ///   - characters: All of them, in order; of two with one number, the first counts.
    ///   - pageSize: How many rows a page has; below 1 is raised to that.
    public init(_ characters: [RickAndMorty.Character], pageSize: Int = 20) {
        rows = NumberedRows(characters, pageSize: pageSize)
    }

    /// One page of the characters that pass a filter.
    ///
    /// - Throws: `.refused(.foreignPage)` when the cursor is not one of this filter, `.cancelled` when the calling task is
    ///   canceled.
    public func page(
        of filter: RickAndMorty.CharacterFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
        let endpoint = "InMemoryCharacterRepository.page(of:at:)"
        return try rows.page(at: cursor, of: "\(filter)", endpoint: endpoint, where: filter.includes)
    }

    /// One character.
    ///
    /// - Throws: `.notFound` when there is none of that number, `.cancelled` when the calling task is cancelled.
    public func character(_ id: RickAndMorty.Character.ID) async throws(BrowseError) -> RickAndMorty.Character {
        try rows.one(id, endpoint: "InMemoryCharacterRepository.character(_:)")
    }

    /// Several characters in the order asked for; those that do not exist are left out.
    ///
    /// - Throws: `.cancelled` when the calling task is cancelled.
    public func characters(
        _ ids: [RickAndMorty.Character.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
        try rows.several(ids)
    }
}
