import BrowseDomain

/// The rows of an in-memory Rick and Morty repository, in order.
struct NumberedRows<Entity: Identifiable & Sendable>: Sendable where Entity.ID: Sendable {
    private let rows: [Entity]
    private let rowsByID: [Entity.ID: Entity]
    private let pageSize: Int

    /// - Parameters:
    ///   - rows: All rows, in order; rows whose ID occurred before are ignored.
    ///   - pageSize: The number of rows per page; clamped to at least 1.
    init(_ rows: [Entity], pageSize: Int) {
        var seen: Set<Entity.ID> = []
        self.rows = rows.filter { seen.insert($0.id).inserted }
        rowsByID = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        self.pageSize = pageSize
    }

    func page(
        at cursor: PageCursor?,
        of list: String,
        endpoint: String,
        where isIncluded: (Entity) -> Bool
    ) throws(BrowseError) -> Page<Entity> {
        try RowPages(rows.filter(isIncluded), of: list, size: pageSize, endpoint: endpoint).page(at: cursor)
    }

    func one(_ id: Entity.ID, endpoint: String) throws(BrowseError) -> Entity {
        guard !Task.isCancelled else { throw .cancelled }
        guard let row = rowsByID[id] else { throw .notFound(BrowseError.RequestInfo(endpoint: endpoint)) }
        return row
    }

    func several(_ ids: [Entity.ID]) throws(BrowseError) -> Page<Entity> {
        guard !Task.isCancelled else { throw .cancelled }
        var seen: Set<Entity.ID> = []
        return Page(items: ids.filter { seen.insert($0).inserted }.compactMap { rowsByID[$0] })
    }
}

/// Compares fields like the API's filters, ignoring case.
///
/// A gender must match completely, because `Female` contains `male`.
enum RickAndMortyMatch {
    static func part(_ wanted: String?, of text: String?) -> Bool {
        guard let wanted = wanted?.nonBlank else { return true }
        return text?.lowercased().contains(wanted.lowercased()) == true
    }

    static func whole(_ wanted: String?, of text: String?) -> Bool {
        guard let wanted else { return true }
        return text?.lowercased() == wanted.lowercased()
    }
}

extension RickAndMorty.CharacterFilter {
    func includes(_ character: RickAndMorty.Character) -> Bool {
        RickAndMortyMatch.part(name, of: character.name)
            && RickAndMortyMatch.part(status?.rawValue, of: character.status?.rawValue)
            && RickAndMortyMatch.part(species, of: character.species)
            && RickAndMortyMatch.part(type, of: character.type)
            && RickAndMortyMatch.whole(gender?.rawValue, of: character.gender?.rawValue)
    }
}

extension RickAndMorty.EpisodeFilter {
    func includes(_ episode: RickAndMorty.Episode) -> Bool {
        RickAndMortyMatch.part(name, of: episode.name) && RickAndMortyMatch.part(code, of: episode.code)
    }
}

extension RickAndMorty.LocationFilter {
    func includes(_ location: RickAndMorty.Location) -> Bool {
        RickAndMortyMatch.part(name, of: location.name) && RickAndMortyMatch.part(type, of: location.type)
            && RickAndMortyMatch.part(dimension, of: location.dimension)
    }
}
