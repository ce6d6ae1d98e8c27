public import BrowseDomain

/// A repository of characters in memory, with the API's filters, for tests and previews.
public struct InMemoryCharacterRepository: RickAndMorty.CharacterRepository {
    private let rows: NumberedRows<RickAndMorty.Character>

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - characters: All characters, in order; those whose ID occurred before are ignored.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    public init(_ characters: [RickAndMorty.Character], pageSize: Int = 20) {
        rows = NumberedRows(characters, pageSize: pageSize)
    }

    /// Returns a page of the characters that pass a filter.
    ///
    /// - Throws: `.refused(.foreignPage)` for another filter's cursor, or `.cancelled`.
    public func page(
        of filter: RickAndMorty.CharacterFilter,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
        let endpoint = "InMemoryCharacterRepository.page(of:at:)"
        return try rows.page(at: cursor, of: "\(filter)", endpoint: endpoint, where: filter.includes)
    }

    /// Returns a character.
    ///
    /// - Throws: `.notFound` for an unknown ID, or `.cancelled`.
    public func character(_ id: RickAndMorty.Character.ID) async throws(BrowseError) -> RickAndMorty.Character {
        try rows.one(id, endpoint: "InMemoryCharacterRepository.character(_:)")
    }

    /// Returns several characters in the requested order, without those that don't exist.
    ///
    /// - Throws: `.cancelled`.
    public func characters(
        _ ids: [RickAndMorty.Character.ID]
    ) async throws(BrowseError) -> Page<RickAndMorty.Character> {
        try rows.several(ids)
    }
}
