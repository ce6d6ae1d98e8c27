extension RickAndMorty {
    /// Where characters come from.
    ///
    /// Choose `RemoteCharacterRepository` of BrowseData for the Rick and Morty API, or `InMemoryCharacterRepository` of
    /// BrowseMocks in tests.
    public protocol CharacterRepository: Sendable {
        /// One page of the characters that pass a filter, in the server's order.
        ///
        /// That nothing passes is an empty page, not an error.
        ///
        /// - Parameters:
        ///   - filter: Which are wanted.
        ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
        /// - Throws: ``BrowseError``: `.refused` when the cursor leads away from the API, `.cancelled` when the caller was
        ///   canceled.
        func page(of filter: CharacterFilter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Character>

        /// One character.
        ///
        /// - Throws: ``BrowseError``: `.notFound` when there is none of that number.
        func character(_ id: Character.ID) async throws(BrowseError) -> Character

        /// Several characters, in the order in which they are asked for.
        ///
        /// They come as one page without a next. Those that do not exist are left out; one that is asked for twice comes
        /// once.
        ///
        /// - Throws: ``BrowseError``; when any of the requests that it takes fails, nothing comes.
        func characters(_ ids: [Character.ID]) async throws(BrowseError) -> Page<Character>
    }
}
