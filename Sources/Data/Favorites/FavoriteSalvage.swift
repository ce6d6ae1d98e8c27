import Foundation

/// Reads the intact rows of a damaged favorites file.
///
/// SQLite stops at the first corrupt page, so the table is read from both ends, and then the rows between one by one.
struct FavoriteSalvage {
    private let database: Database
    private let columns: String
    private var rows: [Int64: FavoriteTable.PositionedRow] = [:]

    /// Opens a file; `nil` if its table can't be found.
    init?(_ file: URL) {
        guard let database = try? Database(file), (try? database.run("SELECT 1 FROM favorite LIMIT 0")) != nil else {
            return nil
        }
        self.database = database
        columns = FavoriteImport.columns(of: database)
    }

    /// Returns the readable rows in the order they were added.
    mutating func salvage() -> [FavoriteTable.PositionedRow] {
        let start = read("ORDER BY position")
        if !start.isComplete {
            let end = read("ORDER BY position DESC")
            let gap = positions(from: start.last, to: end.last)
            for position in gap { _ = read("WHERE position = ?1", [.integer(position)]) }
        }
        return rows.values.sorted { $0.position < $1.position }
    }

    /// Returns at most 200,000 positions to read one by one, at a few microseconds each.
    ///
    /// - Parameters:
    ///   - first: The last position read from the start.
    ///   - last: The last position read from the end; `nil` uses the highest assigned position, if known.
    private func positions(from first: Int64?, to last: Int64?) -> Range<Int64> {
        let limit: Int64 = 200_000
        let start = min(max(0, first ?? 0), .max - limit - 1) + 1
        let assigned = try? database.first("SELECT seq FROM sqlite_sequence WHERE name = 'favorite'") { $0.integer(0) }
        // A value below the rows already read is corrupt.
        let end = last ?? assigned.flatMap { $0 < start ? nil : min($0, start + limit) + 1 } ?? start + limit
        return start..<max(start, min(end, start + limit))
    }

    /// Reads rows up to the end or the first unreadable one.
    private mutating func read(_ part: String, _ values: [Database.Value] = []) -> (last: Int64?, isComplete: Bool) {
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
    /// Replaces the first page of a damaged file with that of an intact file with the same tables.
    ///
    /// The first page has the header and the numbers of the tables' root pages, which are the same in all files except for the
    /// page count (sqlite.org/fileformat2.html, section 1.3).
    ///
    /// - Returns: Whether the file could be written and has more than one page.
    static func replaceFirstPage(of damaged: URL, from template: URL) -> Bool {
        guard let template = try? Data(contentsOf: template), template.count >= 100,
            var file = try? Data(contentsOf: damaged)
        else { return false }
        let size = Int(template[16]) << 8 | Int(template[17])
        guard size >= 512, template.count >= size, file.count > size else { return false }
        file.replaceSubrange(0..<size, with: template[..<size])
        let pages = UInt32(clamping: file.count / size).bigEndian
        withUnsafeBytes(of: pages) { file.replaceSubrange(28..<32, with: $0) }
        // An empty freelist is better than a wrong one.
        file.replaceSubrange(32..<40, with: Data(count: 8))
        return (try? file.write(to: damaged)) != nil
    }
}
