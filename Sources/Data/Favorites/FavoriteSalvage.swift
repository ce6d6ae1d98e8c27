import Foundation

/// Reads what can still be read of a damaged file.
///
/// SQLite stops at the first page that makes no sense, so the table is read from both ends, and what lies between is asked
/// for row by row.
struct FavoriteSalvage {
    private let database: Database?

    init(_ file: URL) {
        database = try? Database(file)
    }

    /// The rows, in the order of adding; `nil` when the table cannot be read at all.
    func rows() -> [FavoriteTable.PositionedRow]? {
        guard let database else { return nil }
        let columns = FavoriteTable.columns
        var rows: [Int64: FavoriteTable.PositionedRow] = [:]
        /// Where it came to before it failed; `nil` when it did not.
        func read(_ sql: String, _ values: [Database.Value] = []) -> (stop: Int64?, isWhole: Bool) {
            var last: Int64?
            let end: Void? = try? database.each(sql, values) { row in
                last = row.integer(0)
                if let found = FavoriteTable.row(row) { rows[found.position] = found }
                return true
            }
            return (last, end != nil)
        }
        let forward = read("SELECT \(columns) FROM favorite ORDER BY position")
        guard !forward.isWhole else { return sorted(rows) }
        let backward = read("SELECT \(columns) FROM favorite ORDER BY position DESC")
        guard forward.stop != nil || backward.stop != nil else {
            return (try? database.run("SELECT 1 FROM favorite LIMIT 0")) == nil ? nil : scattered(&rows, database)
        }
        let low = forward.stop ?? 0
        let high = backward.stop ?? low + Self.reach
        for position in (low + 1)..<max(low + 1, min(high, low + Self.reach)) {
            _ = read("SELECT \(columns) FROM favorite WHERE position = ?1", [.integer(position)])
        }
        return sorted(rows)
    }

    /// Both ends are gone; asks for each row by its number.
    private func scattered(
        _ rows: inout [Int64: FavoriteTable.PositionedRow],
        _ database: Database
    ) -> [FavoriteTable.PositionedRow] {
        for position in 1...Self.reach {
            try? database.each(
                "SELECT \(FavoriteTable.columns) FROM favorite WHERE position = ?1",
                [.integer(position)]
            ) { row in
                if let found = FavoriteTable.row(row) { rows[found.position] = found }
                return true
            }
        }
        return sorted(rows)
    }

    /// How many positions are asked for one by one; a few microseconds each.
    private static var reach: Int64 { 1_000_000 }

    private func sorted(_ rows: [Int64: FavoriteTable.PositionedRow]) -> [FavoriteTable.PositionedRow] {
        rows.values.sorted { $0.position < $1.position }
    }
}

extension FavoriteSalvage {
    /// Copies the first page of a sound file of the same tables over that of a damaged one.
    ///
    /// The first page holds the header and the list of tables with their root pages, which are the same in every file that the
    /// same migrations made. Only the number of pages differs. Source: sqlite.org/fileformat2.html, section 1.3.
    ///
    /// - Returns: Whether there was anything behind the first page.
    static func replaceFirstPage(of damaged: URL, by sound: URL) -> Bool {
        guard let model = try? Data(contentsOf: sound), model.count >= 100, var file = try? Data(contentsOf: damaged)
        else { return false }
        let size = Int(model[16]) << 8 | Int(model[17])
        guard size >= 512, model.count >= size, file.count > size else { return false }
        file.replaceSubrange(0..<size, with: model[..<size])
        let pages = UInt32(clamping: file.count / size).bigEndian
        withUnsafeBytes(of: pages) { file.replaceSubrange(28..<32, with: $0) }
        // No list of free pages is better than a wrong one.
        file.replaceSubrange(32..<40, with: Data(count: 8))
        return (try? file.write(to: damaged)) != nil
    }
}
