import BrowseDomain
import CBrowseSQLite

/// The division of the byte limit between the database file and its write-ahead log.
///
/// The largest log contains the pages allowed before a write (1/16 of the limit), a response (1/8), the pages evicted in
/// advance (1/30), and the excess of the last evicted response (1/8). With the file (17/25), that is 103% of the limit plus
/// a few pages. The log keeps its size when it is emptied, because it is overwritten rather than truncated.
struct CacheSpace: Sendable {
    /// The page size in bytes, four times SQLite's default: responses are larger than typical rows.
    static let pageSize = 16384
    /// The number of pages of an almost empty file.
    private static let leastPages = 24

    /// The limit for all files together in bytes.
    let byteLimit: Int

    /// The maximum size of a response in bytes.
    var responseLimit: Int { byteLimit / 8 }
    /// The size in bytes above which the log is emptied.
    var logLimit: Int { max(byteLimit / 16, 4 * Self.pageSize) }
    /// The maximum number of pages in use.
    var pageLimit: Int { max(byteLimit / 25 * 17 / Self.pageSize, Self.leastPages) }

    /// Thrown if a file exceeds the limit, for example after the limit was lowered.
    struct Exceeded: Error {}

    /// Checks the number of pages, used or free.
    ///
    /// - Throws: ``Exceeded``.
    func check(_ database: Database) throws {
        if try database.pragma("page_count") > pageLimit + pageLimit / 20 + 8 { throw Exceeded() }
    }

    /// Makes room for a response by deleting the least recently used ones; called in a transaction.
    ///
    /// - Parameters:
    ///   - size: The size of the response in bytes.
    ///   - willEvict: Receives the key of each response before it is deleted.
    /// - Returns: Whether there is room now.
    func makeRoom(for size: Int, in database: Database, willEvict: (String) -> Void) throws(Database.Failure) -> Bool {
        // Four partial pages: the row, the key's index, the head, and the body.
        let needed = size / Self.pageSize + 4
        var goal = pageLimit - needed
        var excess = try usedPages(database) - goal
        guard excess > 0 else { return true }
        // Evicts 1/20 more, so that not every commit evicts.
        goal -= pageLimit / 20
        while true {
            excess = try usedPages(database) - goal
            guard excess > 0 else { return true }
            var leaving: [String] = []
            // 64 bits, also on watches.
            var rest = Int64(excess) * Int64(Self.pageSize)
            var isDamaged = false
            // Rows with an impossible size are damaged, and leave first.
            let rows = "SELECT key, size FROM responses ORDER BY size BETWEEN 1 AND ?1, used"
            try database.each(rows, [.integer(Int64(responseLimit))]) { row in
                let (key, size) = (row.text(0), storedSize(row.integer(1)))
                // Only their deletion shows the size of damaged rows.
                if size != nil, isDamaged { return false }
                willEvict(key)
                leaving.append(key)
                rest -= size ?? 0
                isDamaged = size == nil
                return rest > 0
            }
            guard !leaving.isEmpty else { return try usedPages(database) <= pageLimit - needed }
            try database.delete(leaving.map { .text($0) }, "DELETE FROM responses WHERE key = ?1")
        }
    }

    /// Checks the stored size of a row; `nil` if no row can have it, because the file is damaged.
    func storedSize(_ size: Int64) -> Int64? { 1...Int64(max(1, responseLimit)) ~= size ? size : nil }

    private func usedPages(_ database: Database) throws(Database.Failure) -> Int {
        // A damaged header can have any number of free pages.
        try database.pragma("page_count") - max(0, database.pragma("freelist_count"))
    }
}

extension Database {
    /// Deletes rows that were just read.
    ///
    /// - Throws: `SQLITE_CORRUPT` if none is found: in a damaged file, an index may lack rows of its table, and a loop that
    ///   deletes until none is left would never end.
    func delete(_ values: [Value], _ statement: String) throws(Failure) {
        var count = 0
        for value in values {
            try run(statement, [value])
            count += changedRowCount
        }
        if count == 0, !values.isEmpty { throw Failure(code: SQLITE_CORRUPT) }
    }
}
