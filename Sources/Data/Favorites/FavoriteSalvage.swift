import Foundation

/// Reads what can still be read of a damaged file.
///
/// SQLite stops at the first page that makes no sense, so the table is read from both ends, and what lies between is asked
/// for row by row.
struct FavoriteSalvage {
    private let database: Database
    private let columns: String
    private var rows: [Int64: FavoriteTable.PositionedRow] = [:]

    /// Opens a file; `nil` when its tables cannot be found.
    init?(_ file: URL) {
        guard let database = try? Database(file), (try? database.run("SELECT 1 FROM favorite LIMIT 0")) != nil else {
            return nil
        }
        self.database = database
        columns = FavoriteImport.columns(of: database)
    }

    /// The rows, in the order of adding.
    mutating func salvage() -> [FavoriteTable.PositionedRow] {
        let start = read("ORDER BY position")
        if !start.isWhole {
            let end = read("ORDER BY position DESC")
            let gap = positions(from: start.last, to: end.last)
            for position in gap { _ = read("WHERE position = ?1", [.integer(position)]) }
        }
        return rows.values.sorted { $0.position < $1.position }
    }

    /// The positions to ask for one by one, a few microseconds each: those between what was read from either end.
    ///
    /// - Parameters:
    ///   - first: The last position that was read from the start.
    ///   - last: The last one that was read from the end; without it the highest that was ever given, if that is known.
    private func positions(from first: Int64?, to last: Int64?) -> Range<Int64> {
        let reach: Int64 = 200_000
        let start = min(max(0, first ?? 0), .max - reach - 1) + 1
        let given = try? database.first("SELECT seq FROM sqlite_sequence WHERE name = 'favorite'") { $0.integer(0) }
        // A number below what was read is damaged itself.
        let end = last ?? given.flatMap { $0 < start ? nil : min($0, start + reach) + 1 } ?? start + reach
        return start..<max(start, min(end, start + reach))
    }

    /// Reads rows until there are no more, or one cannot be read.
    private mutating func read(_ part: String, _ values: [Database.Value] = []) -> (last: Int64?, isWhole: Bool) {
        var found: [FavoriteTable.PositionedRow] = []
        var last: Int64?
        let end: Void? = try? database.each("SELECT \(columns) FROM favorite \(part)", values) { row in
            last = row.integer(0)
            found.append(FavoriteTable.row(row))
            return true
        }
        for row in found { rows[row.position] = row }
        return (last, end != nil)
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
