import BrowseDomain
import CBrowseSQLite

/// How the cache's bytes are divided: the file, and the log that grows beside it until it is emptied.
///
/// At its largest, the log holds what it may hold before a write (1/16 of the limit), and the write: a response (1/8), the
/// pages evicted ahead (1/30), and as much of the last evicted response as wasn't needed (1/8). With the file (17/25), that
/// is 103 % of the limit, and some pages. The log keeps its size, since it is overwritten, not truncated, when it is emptied.
struct CacheSpace: Sendable {
    /// The size of a page of the file: responses are larger than rows usually are, so twice SQLite's own size.
    static let pageSize = 8192
    /// The pages of a file with next to nothing in it.
    private static let leastPages = 24

    /// The limit of all files together in bytes.
    let byteLimit: Int

    /// The most bytes of one response.
    var responseLimit: Int { byteLimit / 8 }
    /// The bytes from which on the log is emptied.
    var logLimit: Int { max(byteLimit / 16, 4 * Self.pageSize) }
    /// The most pages of the file that are in use.
    var pageLimit: Int { max(byteLimit / 25 * 17 / Self.pageSize, Self.leastPages) }

    /// Thrown when a file is larger than it may become, as when the limit was lowered.
    struct Exceeded: Error {}

    /// - Throws: ``Exceeded`` when a file has more pages than it may have, used or not.
    func check(_ database: Database) throws {
        if try database.pragma("page_count") > pageLimit + pageLimit / 20 + 8 { throw Exceeded() }
    }

    /// Makes room for a response by deleting those not used for longest; called in a transaction.
    ///
    /// - Parameter mayEvict: Whether the response of a key may go.
    /// - Returns: Whether there is room now.
    func makeRoom(
        for size: Int,
        in database: Database,
        mayEvict: (String) -> Bool
    ) throws(Database.Failure) -> Bool {
        // Parts of pages: of the key's index, of the head and of the body.
        let needed = size / Self.pageSize + 4
        var goal = pageLimit - needed
        var excess = try usedPages(database) - goal
        guard excess > 0 else { return true }
        // A twentieth more, so that not every response that comes makes another one go.
        goal -= pageLimit / 20
        while true {
            excess = try usedPages(database) - goal
            guard excess > 0 else { return true }
            var leaving: [String] = []
            var bytes = 0
            try database.each("SELECT key, size FROM responses ORDER BY used") { row in
                let key = row.text(0)
                if mayEvict(key) {
                    leaving.append(key)
                    bytes += Int(clamping: row.integer(1))
                }
                return bytes < excess * Self.pageSize
            }
            // What is left is being revalidated.
            guard !leaving.isEmpty else { return try usedPages(database) <= pageLimit - needed }
            try database.delete(leaving.map { .text($0) }, "DELETE FROM responses WHERE key = ?1")
        }
    }

    private func usedPages(_ database: Database) throws(Database.Failure) -> Int {
        try database.pragma("page_count") - database.pragma("freelist_count")
    }
}

extension Database {
    /// Deletes the rows of values that were just read.
    ///
    /// - Throws: `SQLITE_CORRUPT` when none is found again: in a damaged file, an index may lack rows that its table has, and
    ///   a loop that deletes until nothing is left would never end.
    func delete(_ values: [Value], _ statement: String) throws(Failure) {
        var count = 0
        for value in values {
            try run(statement, [value])
            count += changedRowCount
        }
        if count == 0, !values.isEmpty { throw Failure(code: SQLITE_CORRUPT) }
    }
}
