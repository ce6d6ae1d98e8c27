import BrowseDomain
import Foundation

/// The favorites file: opens it, and replaces it if it's damaged.
///
/// Several processes use the file, and one of them can replace or delete it. A lock is held while
/// it's opened, so that two processes don't create it at the same time.
struct FavoriteFile {
    let file: StorageFile
    private let queue: QueueExecutor
    private var opened: (table: FavoriteTable, identity: StorageFile.Identity?)?

    /// The pragmas of each connection.
    ///
    /// On Apple platforms, syncing flushes the drive's cache only with `fullfsync`; elsewhere this
    /// has no effect. Deleted rows are overwritten with zeros, so that recovery doesn't find them
    /// in unused pages.
    private static var settings: [String] { ["synchronous = FULL", "fullfsync = ON", "secure_delete = ON"] }

    /// - Parameter queue: The queue on which all methods run.
    init(folder: URL, on queue: QueueExecutor) {
        self.queue = queue
        file = StorageFile(folder: folder, name: "favorites.sqlite")
    }

    /// Returns the table, and opens the file if necessary, which is created if it doesn't exist.
    ///
    /// - Parameter didOpen: Takes the table of each new connection; if it throws, the file isn't
    ///   open.
    mutating func open(_ didOpen: (FavoriteTable) throws -> Void = { _ in }) throws -> FavoriteTable {
        if let opened, isCurrent { return opened.table }
        close()
        let (table, identity) = try file.locked {
            try file.finishReplacement()
            try file.create()
            // Read before the file is opened: a file that replaces it meanwhile has another one.
            let identity = file.identity
            let connection = try Database(file.url)
            for setting in Self.settings { try connection.run("PRAGMA \(setting)") }
            let table = FavoriteTable(database: connection)
            // Before the file of a newer version is changed.
            try table.isNew()
            try connection.run("PRAGMA journal_mode = WAL")
            try table.create()
            _ = try connection.hasExternalChanges()
            try didOpen(table)
            return (table, identity)
        }
        table.database.closingLock = file
        table.database.closingQueue = queue
        opened = (table, identity)
        return table
    }

    mutating func close() {
        // At once, because a file is then opened or replaced.
        opened?.table.database.closingQueue = nil
        opened = nil
    }

    var isOpen: Bool { opened != nil }

    /// Whether the file is still the one that was opened.
    var isCurrent: Bool {
        guard let identity = opened?.identity else { return false }
        return identity == file.identity && !file.isReplaced
    }

    /// Writes while no other process can replace the file. `false` means that it isn't the one that
    /// was opened, so that the write is lost or wasn't made.
    func write(_ body: () throws -> Void) throws -> Bool {
        try file.locked(isShared: true) {
            guard isCurrent else { return false }
            try body()
            return isCurrent
        }
    }

    /// Moves a damaged file aside, and creates a new one with the favorites that are still
    /// readable.
    ///
    /// No other process writes meanwhile. If this process ends first, the damaged file is still
    /// there.
    ///
    /// - Returns: `nil` if the file is intact, such as after a recovery by another process.
    mutating func recover() throws -> StorageRecovery? {
        close()
        return try file.locked {
            try file.finishReplacement()
            guard try !isIntact() else { return nil }
            let favorites = try readableFavorites()
            let new = file.sibling("new")
            try fill(new, with: favorites)
            let damaged = try file.replace(with: new)
            return StorageRecovery(damagedFile: damaged.name, savedCount: favorites.count)
        }
    }

    private func isIntact() throws -> Bool {
        do {
            let connection = try Database(file.url)
            try FavoriteTable(database: connection).create()
            return try connection.first("PRAGMA integrity_check(1)", [], { $0.text(0) }) == "ok"
        } catch let failure as Database.Failure where failure.isDamage {
            return false
        }
    }

    /// Returns the favorites of a damaged file that SQLite can read, in the order they were added.
    ///
    /// SQLite stops at the first corrupt page, so the table is read forward and backward. Between
    /// corrupt pages, rows are read by their positions, which are also in an index.
    private func readableFavorites() throws -> [Favorite] {
        let database = try Database(file.url)
        // Otherwise, SQLite would refuse a truncated file.
        try database.run("PRAGMA writable_schema = ON")
        var found: [Int64: Favorite] = [:]
        func readRows(_ part: String, _ values: [Database.Value] = []) throws(Database.Failure) {
            let sql = "SELECT \(FavoriteTable.columns), folded FROM favorite NOT INDEXED \(part)"
            try database.eachReadable(sql, values) { row in
                let position = row.integer(0)
                // Where a truncated file ends, SQLite reads zeros, so the last column ends with one
                // or is missing.
                guard found[position] == nil, let last = row.optionalText(7), last.utf8.last != 0 else { return }
                found[position] = FavoriteTable.row(row)
            }
        }
        try readRows("ORDER BY position")
        try readRows("ORDER BY position DESC")
        var missing: [Int64] = []
        try database.eachReadable("SELECT position FROM favorite INDEXED BY favorite_by_name") { row in
            if found[row.integer(0)] == nil { missing.append(row.integer(0)) }
        }
        for position in missing { try readRows("WHERE position = ?1", [.integer(position)]) }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Creates a closed file with favorites.
    private func fill(_ new: StorageFile, with favorites: [Favorite]) throws {
        new.remove()
        try new.create()
        let database = try Database(new.url)
        try database.run("PRAGMA fullfsync = ON")
        let table = FavoriteTable(database: database)
        try table.create()
        try database.transaction { () throws(Database.Failure) in
            for favorite in favorites {
                guard let payload = favorite.payload else { continue }
                _ = try table.insert(favorite, payload)
            }
        }
    }
}

extension Database {
    /// Runs a statement until its first row that is damaged.
    fileprivate func eachReadable(_ sql: String, _ values: [Value] = [], _ body: (Row) -> Void) throws(Failure) {
        do throws(Failure) {
            try each(sql, values, body)
        } catch {
            guard error.isDamage else { throw error }
        }
    }
}

/// Replacing a database and its log, in steps that an end of the process can interrupt.
///
/// The old log must not be replayed into the new file. So the new file is first renamed to the
/// *replacement*, which counts from then on. The remaining steps can be repeated.
extension StorageFile {
    private var replacement: StorageFile { neighbor(name + "-replacement") }

    /// Whether another file is about to replace this one.
    var isReplaced: Bool { access(replacement.path, F_OK) == 0 }

    /// Replaces this database, and moves it and its log aside; the caller must hold the lock.
    ///
    /// - Parameter new: A complete file, which no connection uses.
    /// - Returns: The file that was replaced.
    /// - Throws: The failure of a step. If ``isReplaced`` is `true` then, the new file counts.
    func replace(with new: StorageFile) throws(StorageFailure) -> StorageFile {
        let damaged = unusedDamagedSibling
        try new.move(replacing: replacement)
        try finishReplacement()
        return damaged
    }

    /// Completes a replacement that was interrupted; the caller must hold the lock.
    func finishReplacement() throws(StorageFailure) {
        guard isReplaced else { return }
        try moveDatabase(to: unusedDamagedSibling)
        // After a power failure, the new file must not be next to the old log.
        synchronizeFolder()
        try replacement.move(replacing: self)
    }

    /// The first unused `-damaged-` sibling.
    private var unusedDamagedSibling: StorageFile {
        var number = 1
        while access(sibling("damaged-\(number)").path, F_OK) == 0 { number += 1 }
        return sibling("damaged-\(number)")
    }
}
