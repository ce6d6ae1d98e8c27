import BrowseDomain
import Foundation

/// The table of favourites: one for every kind of thing.
///
/// What all kinds have has columns of its own; what only one has is JSON in `detail`. The columns from `section_rank` to
/// `folded` are what `FavoriteSortKey` compares, and SQLite compares texts by their bytes as it does.
struct FavoriteTable {
    static let migrations = Migrations(steps: [
        [
            """
            CREATE TABLE favorite (
                position INTEGER PRIMARY KEY AUTOINCREMENT,
                kind TEXT NOT NULL,
                number INTEGER NOT NULL,
                name TEXT NOT NULL,
                picture TEXT,
                page TEXT,
                detail BLOB,
                section_rank INTEGER NOT NULL,
                section TEXT NOT NULL,
                folded TEXT NOT NULL,
                UNIQUE (kind, number)
            )
            """,
            "CREATE INDEX favorite_by_name ON favorite (section_rank, section, folded, kind, number)",
        ],
        ["CREATE INDEX favorite_by_kind ON favorite (kind, section_rank, section, folded, number)"],
    ])

    let database: Database

    /// Adds a favourite behind the others; `false` when it is there already.
    func insert(_ favorite: Favorite) throws(Database.Failure) -> Bool {
        try insert(favorite, position: .null)
    }

    /// Adds a favourite at the position that it had.
    func restore(_ row: PositionedRow) throws(Database.Failure) {
        _ = try insert(row.favorite, position: .integer(row.position))
    }

    private func insert(_ favorite: Favorite, position: Database.Value) throws(Database.Failure) -> Bool {
        let record = FavoriteRecord(favorite)
        let key = FavoriteSortKey(favorite)
        try database.run(
            """
            INSERT INTO favorite (position, kind, number, name, picture, page, detail, section_rank, section, folded)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING
            """,
            [
                position, .text(key.id.kind.rawValue), .integer(key.id.number), .text(favorite.name),
                record.picture.map(Database.Value.text) ?? .null, record.page.map(Database.Value.text) ?? .null,
                record.detail.map(Database.Value.blob) ?? .null, .integer(Int64(key.section.kind.rawValue)),
                .text(key.section.title), .text(key.foldedName),
            ]
        )
        return database.changedRowCount > 0
    }

    /// Takes a favourite out; `false` when it is not there.
    func delete(_ id: Favorite.ID) throws(Database.Failure) -> Bool {
        try database.run(
            "DELETE FROM favorite WHERE kind = ?1 AND number = ?2",
            [.text(id.kind.rawValue), .integer(id.number)]
        )
        return database.changedRowCount > 0
    }

    /// Everything that is kept, of the kinds that are known.
    func ids() throws(Database.Failure) -> Set<Favorite.ID> {
        var ids: Set<Favorite.ID> = []
        ids.reserveCapacity(try database.first("SELECT count(*) FROM favorite") { $0.count(0) } ?? 0)
        try database.each("SELECT kind, number FROM favorite") { row in
            if let kind = Favorite.Kind(rawValue: row.text(0)) {
                ids.insert(Favorite.ID(kind: kind, number: row.integer(1)))
            }
            return true
        }
        return ids
    }

    /// One page.
    ///
    /// - Parameters:
    ///   - query: Which favourites, in which order.
    ///   - place: Behind which place the page begins; `nil` begins at the first row.
    ///   - size: How many rows a page has.
    func page(
        of query: FavoriteQuery,
        after place: FavoritePlace?,
        size: Int
    ) throws(Database.Failure) -> Page<Favorite> {
        var conditions: [String] = []
        var values: [Database.Value] = []
        func bind(_ value: Database.Value) -> String {
            values.append(value)
            return "?\(values.count)"
        }
        if let place { conditions.append(place.condition(bind)) }
        if !query.kinds.isEmpty {
            // In a fixed order, so that equal queries are equal statements, which are prepared once.
            let kinds = Favorite.Kind.allCases.filter(query.kinds.contains)
            conditions.append("kind IN (\(kinds.map { bind(.text($0.rawValue)) }.joined(separator: ", ")))")
        }
        let filter = query.filter.trimmed.foldedForSearch
        if !filter.isEmpty { conditions.append("instr(\(Database.foldingFunction)(name), \(bind(.text(filter)))) > 0") }
        let order =
            switch query.order {
            case .added: "position"
            case .name: "section_rank, section, folded, kind, number"
            case .kind: "kind, section_rank, section, folded, number"
            }
        let sql = """
            SELECT \(Self.columns), folded FROM favorite
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY \(order) LIMIT \(bind(.integer(Int64(size) + 1)))
            """
        var items: [Favorite] = []
        var skipped: [SkippedRow] = []
        var last: FavoritePlace?
        var count = 0
        var hasMore = false
        try database.each(sql, values) { row in
            guard count < size else {
                hasMore = true
                return false
            }
            if let favorite = Self.row(row)?.favorite {
                items.append(favorite)
            } else {
                skipped.append(SkippedRow(index: count, reason: "not a favourite that this version can read"))
            }
            count += 1
            if count == size {
                last = FavoritePlace(
                    order: query.order,
                    position: row.integer(0),
                    kind: row.text(1),
                    number: row.integer(2),
                    folded: row.text(7)
                )
            }
            return true
        }
        return Page(items: items, next: hasMore ? last?.cursor : nil, skipped: skipped)
    }

    /// A favourite with the number that the order of adding is by.
    struct PositionedRow {
        let position: Int64
        let favorite: Favorite
    }

    static let columns = "position, kind, number, name, picture, page, detail"

    /// Reads the columns of ``columns``; `nil` when they are nothing that this version knows.
    static func row(_ row: Database.Row) -> PositionedRow? {
        guard let kind = Favorite.Kind(rawValue: row.text(1)) else { return nil }
        let record = FavoriteRecord(
            id: Favorite.ID(kind: kind, number: row.integer(2)),
            name: row.text(3),
            picture: row.optionalText(4),
            page: row.optionalText(5),
            detail: row.optionalBlob(6)
        )
        return record.favorite.map { PositionedRow(position: row.integer(0), favorite: $0) }
    }
}

/// Where a row of a list of favourites stands, so that the next page can begin behind it even when the row is gone.
struct FavoritePlace: Hashable {
    let order: FavoriteQuery.Order
    let position: Int64
    let kind: String
    let number: Int64
    let folded: String

    /// Writes the place as a cursor.
    var cursor: PageCursor {
        switch order {
        case .added: PageCursor(rawValue: "added \(position)")
        case .name: PageCursor(rawValue: "name \(kind) \(number) \(folded)")
        case .kind: PageCursor(rawValue: "kind \(kind) \(number) \(folded)")
        }
    }

    /// Reads a cursor; `nil` when it is not one of this order.
    init?(_ cursor: PageCursor, in order: FavoriteQuery.Order) {
        let parts = cursor.rawValue.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(
            String.init
        )
        switch order {
        case .added:
            guard parts.count == 2, parts[0] == "added", let position = Int64(parts[1]) else { return nil }
            self.init(order: order, position: position, kind: "", number: 0, folded: "")
        case .name, .kind:
            guard parts.count == 4, parts[0] == (order == .name ? "name" : "kind"), let number = Int64(parts[2]) else {
                return nil
            }
            self.init(order: order, position: 0, kind: parts[1], number: number, folded: parts[3])
        }
    }

    init(order: FavoriteQuery.Order, position: Int64, kind: String, number: Int64, folded: String) {
        self.order = order
        self.position = position
        self.kind = kind
        self.number = number
        self.folded = folded
    }

    /// The SQL for all that stands behind this place.
    fileprivate func condition(_ bind: (Database.Value) -> String) -> String {
        switch order {
        case .added:
            return "position > \(bind(.integer(position)))"
        case .name:
            let name = boundName(bind)
            let id = [bind(.text(kind)), bind(.integer(number))]
            return "(section_rank, section, folded, kind, number) > (\((name + id).joined(separator: ", ")))"
        case .kind:
            let values = [bind(.text(kind))] + boundName(bind) + [bind(.integer(number))]
            return "(kind, section_rank, section, folded, number) > (\(values.joined(separator: ", ")))"
        }
    }

    private func boundName(_ bind: (Database.Value) -> String) -> [String] {
        let section = FavoriteSection(of: folded)
        return [bind(.integer(Int64(section.kind.rawValue))), bind(.text(section.title)), bind(.text(folded))]
    }
}
