import BrowseDomain
import Foundation

/// The favorites file: opens it, and replaces it if it's damaged.
struct FavoriteFile {
    private var database: DatabaseFile
    private var file: StorageFile { database.file }

    init(folder: URL) {
        let file = StorageFile(folder: folder, name: "favorites.sqlite")
        database = DatabaseFile(file, FavoriteTable.migrations, isCache: false)
    }

    /// Returns the table, and opens the file if necessary.
    ///
    /// - Parameter didOpen: Takes the table of each new connection.
    mutating func open(_ didOpen: (FavoriteTable) throws -> Void = { _ in }) throws -> FavoriteTable {
        let connection = try database.open { connection in
            let table = FavoriteTable(database: connection)
            try table.create()
            try didOpen(table)
        }
        return FavoriteTable(database: connection)
    }

    mutating func close() { database.close() }

    /// Whether the file is still the one that was opened.
    var isCurrent: Bool { database.isCurrent }

    /// Writes while no other process can replace the file.
    ///
    /// - Returns: `false` if the file isn't the one that was opened, so that the write is lost or wasn't made.
    func write(_ body: () throws -> Void) throws -> Bool {
        try file.locked(isShared: true) {
            guard isCurrent else { return false }
            try body()
            return isCurrent
        }
    }

    /// Converts an error, or the reason for one, to the public error type.
    func error(_ error: any Error) -> BrowseError { .storageFailed(database.failure(error)) }

    /// Replaces a damaged file with a new one that has all readable rows, and keeps a copy of the old one.
    ///
    /// No other process writes meanwhile. If this process ends first, the damaged file is still there.
    ///
    /// - Returns: `nil` if the file is intact, such as after a recovery by another process.
    mutating func recover() throws -> StorageRecovery? {
        close()
        return try file.locked {
            try file.finishReplacement()
            guard try !isIntact() else { return nil }
            let copy = file.sibling("copy")
            defer { copy.remove() }
            try file.copy(to: copy)
            let rows = try salvagedRows(of: copy)
            let new = try filled(with: rows)
            // Not earlier, so that interrupted recoveries leave no copies.
            let saved = file.unusedDamagedSibling()
            try copy.moveDatabase(to: saved)
            try file.replace(with: new)
            return StorageRecovery(damagedFile: saved.name, savedCount: rows.count)
        }
    }

    private func isIntact() throws -> Bool {
        do {
            let connection = try Database(file.url)
            try FavoriteTable(database: connection).create()
            return try connection.first("PRAGMA integrity_check(1)", [], { $0.text(0) }) == "ok"
        } catch let version as Migrations.NewerVersion {
            throw version
        } catch {
            return false
        }
    }

    /// Creates a closed file with rows.
    ///
    /// - Parameters:
    ///   - rows: The rows in order; positions that are too high are assigned again.
    ///   - suffix: The end of the file's name.
    private func filled(with rows: [FavoriteTable.PositionedRow], suffix: String = "new") throws -> StorageFile {
        let new = file.sibling(suffix)
        new.remove()
        try new.create()
        let database = try Database(new.url)
        try database.run("PRAGMA fullfsync = ON")
        let table = FavoriteTable(database: database)
        try table.create()
        let isPossible = rows.allSatisfy { 1...FavoriteTable.highestPosition ~= $0.position }
        try database.transaction { () throws(Database.Failure) in
            for row in rows {
                guard let payload = row.favorite.payload else { continue }
                _ = try table.insert(row.favorite, payload, at: isPossible ? row.position : nil)
            }
        }
        return new
    }

    /// Reads the rows of a damaged file, which isn't modified.
    private func salvagedRows(of damaged: StorageFile) throws -> [FavoriteTable.PositionedRow] {
        var salvage = FavoriteSalvage()
        let work = file.sibling("salvage")
        defer { work.remove() }
        try damaged.copy(to: work)
        if salvage.read(work.url) { return salvage.rows }
        // The first page, which locates the tables, may be damaged. A new file's first page is the same.
        let template = try filled(with: [], suffix: "model")
        defer { template.remove() }
        try damaged.copy(to: work)
        guard FavoriteSalvage.replaceFirstPage(of: work.url, from: template.url) else { return salvage.rows }
        if !salvage.read(work.url) { salvage.readLeaves(of: work, template: template.url) }
        return salvage.rows
    }
}
