public import BrowseCoreMocks
public import BrowseDomain
public import BrowseRickAndMortyDomain

/// A repository of characters in memory.
public typealias InMemoryCharacterRepository = InMemoryRickAndMortyRepository<RickAndMorty.Character>
/// A repository of episodes in memory.
public typealias InMemoryEpisodeRepository = InMemoryRickAndMortyRepository<RickAndMorty.Episode>
/// A repository of locations in memory.
public typealias InMemoryLocationRepository = InMemoryRickAndMortyRepository<RickAndMorty.Location>

/// A Rick and Morty repository in memory, with the API's filters, for tests and previews.
public struct InMemoryRickAndMortyRepository<Entity: RickAndMorty.Entity>: RickAndMorty.Repository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// `page(of:at:)`.
        case page(of: Entity.Filter, at: PageCursor?)
        /// `entity(_:)`.
        case entity(Entity.ID)
        /// `entities(_:)`.
        case entities([Entity.ID])
    }

    private let rows: [Entity]
    private let rowsByID: [Entity.ID: Entity]
    private let pageSize: Int
    private let onCall: CallHook<Call, Page<Entity>>?
    private let includes: @Sendable (Entity.Filter, Entity) -> Bool

    private init(
        _ entities: [Entity],
        pageSize: Int,
        onCall: CallHook<Call, Page<Entity>>?,
        includes: @escaping @Sendable (Entity.Filter, Entity) -> Bool
    ) {
        var seen: Set<Entity.ID> = []
        rows = entities.filter { seen.insert($0.id).inserted }
        rowsByID = Dictionary(entities.map { ($0.id, $0) }) { first, _ in first }
        self.pageSize = pageSize
        self.onCall = onCall
        self.includes = includes
    }

    /// Returns a page of the entities that pass a filter.
    ///
    /// - Throws: `.refused(.foreignPage)` for another filter's cursor, or `.cancelled`.
    public func page(of filter: Entity.Filter, at cursor: PageCursor?) async throws(BrowseError) -> Page<Entity> {
        if let answer = try await onCall?(.page(of: filter, at: cursor)) { return answer }
        let rows = rows.filter { includes(filter, $0) }
        let pages = RowPages(rows, of: "\(filter)", size: pageSize, endpoint: endpoint("page(of:at:)"))
        let page = try pages.page(at: cursor)
        return Page(items: page.items, next: page.next, totalCount: rows.isEmpty ? nil : rows.count)
    }

    /// Returns an entity.
    ///
    /// - Throws: `.notFound` for an unknown ID, or `.cancelled`.
    public func entity(_ id: Entity.ID) async throws(BrowseError) -> Entity {
        let answer = try await onCall?(.entity(id))
        guard answer != nil || !Task.isCancelled else { throw .cancelled }
        let found = answer ?? Page(items: [rowsByID[id]].compactMap(\.self))
        return try found.first(for: endpoint("entity(_:)"))
    }

    /// Returns several entities in the requested order, without those that don't exist.
    ///
    /// - Throws: `.cancelled`.
    public func entities(_ ids: [Entity.ID]) async throws(BrowseError) -> Page<Entity> {
        if let answer = try await onCall?(.entities(ids)) { return answer }
        guard !Task.isCancelled else { throw .cancelled }
        var seen: Set<Entity.ID> = []
        let items = ids.filter { seen.insert($0).inserted }.compactMap { rowsByID[$0] }
        return Page(items: items, totalCount: items.isEmpty && !ids.isEmpty ? seen.count : nil)
    }

    private func endpoint(_ method: String) -> String { "InMemory\(Entity.self)Repository.\(method)" }
}

extension InMemoryCharacterRepository {
    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - characters: All characters, in order; those whose ID occurred before are ignored.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call.
    public init(
        _ characters: [RickAndMorty.Character] = [],
        pageSize: Int = 20,
        onCall: CallHook<Call, Page<RickAndMorty.Character>>? = nil
    ) {
        self.init(characters, pageSize: pageSize, onCall: onCall) { filter, character in
            RickAndMortyMatch.part(filter.name, of: character.name)
                && RickAndMortyMatch.part(filter.status?.rawValue, of: character.status?.rawValue)
                && RickAndMortyMatch.part(filter.species, of: character.species)
                && RickAndMortyMatch.part(filter.type, of: character.type)
                && RickAndMortyMatch.whole(filter.gender?.rawValue, of: character.gender?.rawValue)
        }
    }
}

extension InMemoryEpisodeRepository {
    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - episodes: All episodes, in order; those whose ID occurred before are ignored.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call.
    public init(
        _ episodes: [RickAndMorty.Episode] = [],
        pageSize: Int = 20,
        onCall: CallHook<Call, Page<RickAndMorty.Episode>>? = nil
    ) {
        self.init(episodes, pageSize: pageSize, onCall: onCall) { filter, episode in
            RickAndMortyMatch.part(filter.name, of: episode.name)
                && RickAndMortyMatch.part(filter.code, of: episode.code)
        }
    }
}

extension InMemoryLocationRepository {
    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - locations: All locations, in order; those whose ID occurred before are ignored.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call.
    public init(
        _ locations: [RickAndMorty.Location] = [],
        pageSize: Int = 20,
        onCall: CallHook<Call, Page<RickAndMorty.Location>>? = nil
    ) {
        self.init(locations, pageSize: pageSize, onCall: onCall) { filter, location in
            RickAndMortyMatch.part(filter.name, of: location.name)
                && RickAndMortyMatch.part(filter.type, of: location.type)
                && RickAndMortyMatch.part(filter.dimension, of: location.dimension)
        }
    }
}
