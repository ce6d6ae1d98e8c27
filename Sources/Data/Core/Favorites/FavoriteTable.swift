@_spi(Services) import BrowseDomain
import CBrowseSQLite

/// The table of favorites of all kinds.
///
/// `position` is the sequence number. `section_rank`, `section`, and `folded` are the fields of
/// `FavoriteSortKey`, which compares text by bytes, as SQLite does.
struct FavoriteTable {
    /// The number in the file's header; 0 is a new file. Lower ones were never released.
    private static var version: Int { 4 }

    private static let schema = [
        """
        CREATE TABLE favorite (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            title TEXT NOT NULL,
            picture TEXT,
            version INTEGER NOT NULL,
            payload BLOB NOT NULL,
            section_rank INTEGER NOT NULL,
            section TEXT NOT NULL,
            folded TEXT NOT NULL,
            UNIQUE (kind, key)
        )
        """,
        "CREATE INDEX favorite_by_name ON favorite (section_rank, section, folded, kind, key)",
    ]

    let database: Database

    /// Creates the table in a new file, and checks the file's schema.
    ///
    /// - Throws: The errors of ``isNew()``, or `SQLITE_CORRUPT` if another program or damage
    ///   changed the schema: SQLite accepts some damaged ones, but then finds no rows, or writes to
    ///   wrong pages.
    func create() throws {
        if try isNew() {
            try database.transaction { () throws(Database.Failure) in
                // Read again under the lock: another process may have created it meanwhile.
                guard try database.pragma("user_version") == 0 else { return }
                for statement in Self.schema { try database.run(statement) }
                try database.run("PRAGMA user_version = \(Self.version)")
            }
        }
        var found: Set<String> = []
        // Its name before SQLite 3.33, which later versions accept.
        try database.each("SELECT sql FROM sqlite_master") { found.insert($0.text(0)) }
        guard found.isSuperset(of: Self.schema) else { throw Database.Failure(code: SQLITE_CORRUPT) }
    }

    /// Whether the file was never filled.
    ///
    /// - Throws: `.newerVersion` if a newer version of the SDK wrote it, or `SQLITE_CORRUPT` if
    ///   another program did.
    @discardableResult
    func isNew() throws -> Bool {
        let version = try database.pragma("user_version")
        // A file that was never filled has its first page at most.
        if try version == 0 && database.pragma("page_count") <= 1 { return true }
        // A newer file has a number of up to 9999; others are damaged.
        guard Self.version...9999 ~= version else { throw Database.Failure(code: SQLITE_CORRUPT) }
        guard version == Self.version else {
            throw StorageFailure.Reason.newerVersion(found: version, supported: Self.version)
        }
        return false
    }

    /// Inserts a favorite at the end, and returns its sequence number; `nil` if it exists.
    func insert(_ favorite: Favorite, _ payload: Favorite.Payload) throws(Database.Failure) -> Int64? {
        try database.run(
            """
            INSERT INTO favorite (kind, key, title, picture, version, payload, section_rank, section, folded)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING
            """,
            values(of: favorite, payload)
        )
        return database.changedRowCount > 0 ? database.lastInsertedKey : nil
    }

    /// Updates a favorite, and returns its sequence number; `nil` if it doesn't exist, or is equal.
    func update(_ favorite: Favorite, _ payload: Favorite.Payload) throws(Database.Failure) -> Int64? {
        let values = values(of: favorite, payload)
        // Without a write lock, because most are equal. A newer version of the app may keep more.
        let number = try database.first(
            """
            SELECT position FROM favorite
            WHERE kind = ?1 AND key = ?2 AND version <= ?5
                AND (title, picture, payload) IS NOT (?3, ?4, ?6)
            """,
            Array(values.prefix(6))
        ) { $0.integer(0) }
        guard let number else { return nil }
        // Another process may have deleted the row meanwhile, and even have added the favorite
        // again.
        try database.run(
            """
            UPDATE favorite SET title = ?3, picture = ?4, version = ?5, payload = ?6, section_rank = ?7, section = ?8,
            folded = ?9 WHERE kind = ?1 AND key = ?2 AND position = ?10
            """,
            values + [.integer(number)]
        )
        return database.changedRowCount > 0 ? number : nil
    }

    private func values(of favorite: Favorite, _ payload: Favorite.Payload) -> [Database.Value] {
        let key = FavoriteSortKey(favorite)
        return [
            .text(key.id.kind.rawValue), .text(key.id.key), .text(favorite.title),
            (favorite.image?.rawValue).map(Database.Value.text) ?? .null,
            .integer(Int64(payload.version)), .blob(payload.data), .integer(Int64(key.section.kind.rawValue)),
            .text(key.section.title), .text(key.foldedName),
        ]
    }

    /// Deletes a favorite, and returns its sequence number; `nil` if it doesn't exist.
    func delete(_ id: Favorite.ID) throws(Database.Failure) -> Int64? {
        let number = try database.first(
            "SELECT position FROM favorite WHERE kind = ?1 AND key = ?2",
            [.text(id.kind.rawValue), .text(id.key)]
        ) { $0.integer(0) }
        guard let number else { return nil }
        // Another process may have deleted the row meanwhile, and even have added the favorite
        // again.
        try database.run("DELETE FROM favorite WHERE position = ?1", [.integer(number)])
        return database.changedRowCount > 0 ? number : nil
    }

    func ids() throws(Database.Failure) -> Set<Favorite.ID> {
        var ids: Set<Favorite.ID> = []
        try database.each("SELECT kind, key FROM favorite") { row in
            ids.insert(Favorite.ID(kind: Favorite.Kind(rawValue: row.text(0)), key: row.text(1)))
        }
        return ids
    }

    /// Returns the favorites after the last row of the previous page.
    func page(
        of query: FavoriteQuery,
        after cursor: FavoriteCursor?,
        size: Int
    ) throws(Database.Failure) -> Page<Favorite> {
        var conditions: [String] = []
        var values: [Database.Value] = []
        func bind(_ value: Database.Value) -> String {
            values.append(value)
            return "?\(values.count)"
        }
        if let cursor { conditions.append(cursor.condition(bind)) }
        if !query.kinds.isEmpty {
            // Sorted, so that equal queries reuse one prepared statement.
            let kinds = query.kinds.map(\.rawValue).sorted()
            conditions.append("kind IN (\(kinds.map { bind(.text($0)) }.joined(separator: ", ")))")
        }
        let filter = TypedText(query.filter).folded
        if !filter.isEmpty {
            // Filters on the indexed `folded` column where possible, so rows that don't match
            // aren't read.
            let title = query.order == .added ? "title" : "folded"
            conditions.append("\(Database.containsFunction)(\(title), \(bind(.text(filter))))")
        }
        let order = query.order == .added ? "position" : Self.nameOrder
        let sql = """
            SELECT \(Self.columns) FROM favorite
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY \(order) LIMIT \(bind(.integer(Int64(size) + 1)))
            """
        var rows: [Favorite] = []
        try database.each(sql, values) { rows.append(Self.row($0)) }
        // The one more row tells whether there is another page.
        let items = rows.prefix(size)
        let next = rows.count > size ? items.last.flatMap { FavoriteCursor.page(after: $0, in: query.order) } : nil
        return Page(items: Array(items), next: next)
    }

    static let columns = "position, kind, key, title, picture, version, payload"
    /// The columns of the order by name, which the index has, too.
    static let nameOrder = "section_rank, section, folded, kind, key"

    static func row(_ row: Database.Row) -> Favorite {
        Favorite(
            id: Favorite.ID(kind: Favorite.Kind(rawValue: row.text(1)), key: row.text(2)),
            title: row.text(3),
            image: row.optionalText(4).map(WebAddress.init(rawValue:)),
            payload: Favorite.Payload(version: Int(clamping: row.integer(5)), data: row.blob(6)),
            sequenceNumber: row.integer(0)
        )
    }
}
