public import BrowseDomain

extension RickAndMorty {
    /// Loads characters.
    public typealias CharacterRepository = Repository<Character>
    /// Loads episodes.
    public typealias EpisodeRepository = Repository<Episode>
    /// Loads locations.
    public typealias LocationRepository = Repository<Location>

    /// Loads entities of one type.
    ///
    /// Use `InMemoryRickAndMortyRepository` of BrowseRickAndMortyMocks in tests.
    public protocol Repository<Entity>: Sendable {
        /// The type of the entities.
        associatedtype Entity: RickAndMorty.Entity

        /// Returns one page of the entities that match a filter, in the server's order.
        ///
        /// If none matches, the page is empty. The cursor is `Page.next` of the previous page;
        /// `nil` is the first page.
        ///
        /// - Throws: `BrowseError`: `.refused` if the cursor leads away from the API.
        func page(of filter: Entity.Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity>

        /// Returns an entity.
        ///
        /// - Throws: `BrowseError`: `.notFound` if it doesn't exist.
        func entity(_ id: Entity.ID) async throws(BrowseError) -> Entity

        /// Returns several entities in the given order, as one page without a next page.
        ///
        /// Nonexistent entities are left out, and duplicates are returned once.
        ///
        /// - Throws: `BrowseError`, if any of the necessary requests fails.
        func entities(_ ids: [Entity.ID]) async throws(BrowseError) -> Page<Entity>
    }
}
