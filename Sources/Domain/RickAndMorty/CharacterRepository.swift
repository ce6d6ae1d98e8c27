extension RickAndMorty {
    /// Loads characters.
    ///
    /// Use `RemoteCharacterRepository` of BrowseData for the Rick and Morty API, or `InMemoryCharacterRepository` of
    /// BrowseMocks in tests.
    public protocol CharacterRepository: Sendable {
        /// Returns one page of the characters that match a filter, in the server's order.
        ///
        /// If no character matches, the page is empty.
        ///
        /// - Parameters:
        ///   - filter: The filter.
        ///   - cursor: ``Page/next`` of the previous page; `nil` for the first page.
        /// - Throws: ``BrowseError``: `.refused` if the cursor leads away from the API.
        func page(of filter: CharacterFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Character>

        /// Returns a character.
        ///
        /// - Throws: ``BrowseError``: `.notFound` if it doesn't exist.
        func character(_ id: Character.ID) async throws(BrowseError) -> Character

        /// Returns several characters in the given order, as one page without a next page.
        ///
        /// Nonexistent characters are left out, and duplicates are returned once.
        ///
        /// - Throws: ``BrowseError``, if any of the necessary requests fails.
        func characters(_ ids: [Character.ID]) async throws(BrowseError) -> Page<Character>
    }
}
