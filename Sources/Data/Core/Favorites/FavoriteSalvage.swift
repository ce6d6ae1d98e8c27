import BrowseDomain
import Foundation

/// Collects the intact rows of a damaged favorites file.
///
/// SQLite stops at the first corrupt page, so the table is read from both ends, and then the rows between one by one. If its
/// root or other inner pages are damaged, each leaf page is read on its own.
struct FavoriteSalvage {
    private var found: [Int64: FavoriteTable.PositionedRow] = [:]

    /// The rows in the order they were added.
    var rows: [FavoriteTable.PositionedRow] { found.values.sorted { $0.position < $1.position } }

    /// Reads the rows of the table.
    ///
    /// - Returns: Whether no row is missing.
    mutating func read(_ file: URL) -> Bool {
        guard let table = Table(file) else { return false }
        let start = read(table, "ORDER BY position")
        if !start.isComplete {
            let end = read(table, "ORDER BY position DESC")
            for position in table.positions(from: start.last, to: end.last) {
                _ = read(table, "AND position = ?1", [.integer(position)])
            }
        }
        return start.isComplete && start.count >= table.indexedCount
    }

    /// Reads the rows of all leaf pages of tables, without the pages that connect them.
    ///
    /// - Parameters:
    ///   - file: A closed file, which is modified.
    ///   - template: An intact file with the same tables.
    mutating func readLeaves(of file: StorageFile, template: URL) {
        file.removeLog()
        guard Self.replaceFirstPage(of: file.url, from: template), let bytes = try? Data(contentsOf: file.url),
            let size = Self.pageSize(of: bytes), let root = Table(file.url)?.rootPage,
            let handle = try? FileHandle(forWritingTo: file.url)
        else { return }
        defer { try? handle.close() }
        for start in stride(from: size, through: bytes.count - size, by: size) where bytes[start] == Self.leafType {
            // As its root page, the leaf is the whole table.
            guard (try? handle.seek(toOffset: UInt64(root - 1) * UInt64(size))) != nil,
                (try? handle.write(contentsOf: bytes[start..<(start + size)])) != nil,
                let table = Table(file.url)
            else { continue }
            if !read(table, "ORDER BY position").isComplete { _ = read(table, "ORDER BY position DESC") }
        }
    }

    /// The first byte of a leaf page of a table (sqlite.org/fileformat2.html, section 1.6).
    private static let leafType: UInt8 = 0x0D

    /// Reads rows up to the end or the first unreadable one, except those that were read before.
    private mutating func read(
        _ table: Table,
        _ part: String,
        _ values: [Database.Value] = []
    ) -> (last: Int64?, count: Int, isComplete: Bool) {
        var last: Int64?
        var count = 0
        let sql = "SELECT \(FavoriteTable.columns) FROM favorite NOT INDEXED WHERE \(Self.isRow) \(part)"
        let end: Void? = try? table.database.each(sql, values) { row in
            last = row.integer(0)
            count += 1
            let row = FavoriteTable.row(row)
            if found[row.position] == nil { found[row.position] = row }
            return true
        }
        return (last, count, end != nil)
    }

    /// Leaf pages of other tables, and of unreleased versions, have other columns.
    private static let isRow = """
        typeof(kind) = 'text' AND typeof(version) = 'integer' AND typeof(section_rank) = 'integer'
        AND typeof(section) = 'text' AND typeof(folded) = 'text'
        """
}

extension FavoriteSalvage {
    /// The table of a damaged file.
    private struct Table {
        let database: Database

        /// Opens a file; `nil` if its table can't be found.
        init?(_ file: URL) {
            guard let database = try? Database(file), (try? database.run("SELECT 1 FROM favorite LIMIT 0")) != nil
            else { return nil }
            self.database = database
        }

        /// The number of rows in the index; 0 if it isn't readable.
        var indexedCount: Int {
            let count = try? database.first("SELECT count(*) FROM favorite INDEXED BY favorite_by_name") { $0.count(0) }
            return count ?? 0
        }

        var rootPage: Int? {
            let page = try? database.first("SELECT rootpage FROM sqlite_schema WHERE name = 'favorite'") { $0.count(0) }
            return page.flatMap { $0 > 1 ? $0 : nil }
        }

        /// Returns at most 200,000 positions to read one by one, at a few microseconds each.
        ///
        /// - Parameters:
        ///   - first: The last position read from the start.
        ///   - last: The last position read from the end; `nil` uses the highest assigned position, if known.
        func positions(from first: Int64?, to last: Int64?) -> Range<Int64> {
            let limit: Int64 = 200_000
            let start = (first ?? 0).clamped(to: 0...(.max - limit - 2)) + 1
            let assigned = try? database.first("SELECT seq FROM sqlite_sequence WHERE name = 'favorite'") {
                $0.integer(0)
            }
            // A value below the rows already read is corrupt.
            let end = last ?? assigned.flatMap { $0 < start ? nil : min($0, start + limit) + 1 } ?? start + limit
            return start..<max(start, min(end, start + limit))
        }
    }

    private static func pageSize(of bytes: Data) -> Int? {
        guard bytes.count >= 100 else { return nil }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        return size >= 512 && bytes.count >= size ? size : nil
    }

    /// Replaces the first page of a damaged file with that of an intact file with the same tables.
    ///
    /// The first page has the header and the numbers of the tables' root pages, which are the same in all files except for the
    /// page count (sqlite.org/fileformat2.html, section 1.3).
    ///
    /// - Returns: Whether the file could be written and has more than one page.
    static func replaceFirstPage(of damaged: URL, from template: URL) -> Bool {
        guard let template = try? Data(contentsOf: template), let size = pageSize(of: template),
            var file = try? Data(contentsOf: damaged), file.count > size
        else { return false }
        file.replaceSubrange(0..<size, with: template[..<size])
        let pages = UInt32(clamping: file.count / size).bigEndian
        withUnsafeBytes(of: pages) { file.replaceSubrange(28..<32, with: $0) }
        // An empty freelist is better than a wrong one.
        file.replaceSubrange(32..<40, with: Data(count: 8))
        return (try? file.write(to: damaged)) != nil
    }
}
