import BrowseDomain
import Foundation

/// The favorites file: opens it, and replaces it if it's damaged.
///
/// These operations hold a file lock, so that two processes don't create or recover the file at the same time.
struct FavoriteFile {
    private let file: StorageFile

    init(folder: URL) {
        file = StorageFile(folder: folder, name: "favorites.sqlite")
    }

    /// A connection, which detects that another process has replaced the file.
    final class Connection {
        let table: FavoriteTable
        private let file: StorageFile
        private let identity: StorageFile.Identity?
        private var version = 0

        fileprivate init(_ database: Database, of file: StorageFile) throws {
            self.file = file
            table = FavoriteTable(database: database)
            try database.run("PRAGMA journal_mode = WAL")
            // Commits are durable when they return.
            try database.run("PRAGMA synchronous = FULL")
            // On Apple platforms, syncing doesn't flush the drive's cache otherwise. Elsewhere this has no effect.
            try database.run("PRAGMA fullfsync = ON")
            try database.run("PRAGMA foreign_keys = ON")
            // Overwrites removed favorites with zeros, so that recovery doesn't find them in unused pages.
            try database.run("PRAGMA secure_delete = ON")
            try table.create()
            identity = file.identity
            version = try database.pragma("data_version")
        }

        /// Whether the file is still the one that was opened.
        var isCurrent: Bool { identity != nil && identity == file.identity && !file.isReplaced }

        /// Writes while no other process can replace the file.
        ///
        /// - Returns: `false` if the file isn't the one that was opened, so that the write is lost or wasn't made.
        func write(_ body: (FavoriteTable) throws(Database.Failure) -> Void) throws -> Bool {
            try file.locked(.shared) {
                guard isCurrent else { return false }
                try body(table)
                return isCurrent
            }
        }

        /// Returns whether another connection has written since the previous call.
        func hasExternalChanges() throws(Database.Failure) -> Bool {
            let now = try table.database.pragma("data_version")
            defer { version = now }
            return now != version
        }
    }

    /// Opens the file, and creates it if necessary.
    func open() throws -> Connection {
        let connection = try file.locked {
            try finishReplacement()
            try file.create()
            let database = try Database(file.url)
            try refuseNewer(try FavoriteTable.version(of: database))
            return try Connection(database, of: file)
        }
        connection.table.database.closingLock = file
        return connection
    }

    /// Completes a replacement by a process that ended, and deletes the files that it left.
    private func finishReplacement() throws(StorageFailure) {
        guard file.isReplaced else { return }
        for suffix in ["copy", "salvage", "model", "new"] { file.sibling(suffix).remove() }
        try file.finishReplacement()
    }

    /// - Throws: `.newerVersion` if a newer version of the SDK wrote the file.
    private func refuseNewer(_ version: Int) throws(StorageFailure) {
        guard version > FavoriteTable.version, version <= FavoriteTable.highestVersion else { return }
        throw StorageFailure(
            reason: .newerVersion(found: version, supported: FavoriteTable.version),
            file: file.name
        )
    }

    /// The error for a favorite that can't be encoded.
    var notEncodable: BrowseError { .storageFailed(StorageFailure(reason: .notEncodable, file: file.name)) }

    /// The error for a file that is replaced or deleted during every attempt to write to it.
    var unstable: BrowseError { .storageFailed(StorageFailure(reason: .other, file: file.name)) }

    /// Converts an error to the public error type.
    func error(_ error: any Error) -> BrowseError {
        switch error {
        case let error as BrowseError: error
        case let failure as StorageFailure: .storageFailed(failure)
        case let failure as Database.Failure: .storageFailed(file.failure(failure))
        default: .storageFailed(StorageFailure(reason: .other, file: file.name))
        }
    }

    /// Replaces a damaged file with a new one that has all readable rows, and keeps a copy of the old one.
    ///
    /// No other process writes meanwhile. If this process ends first, the damaged file is still there.
    ///
    /// - Returns: `nil` if the file is intact, such as after a recovery by another process.
    func recover() throws -> StorageRecovery? {
        try file.locked {
            try finishReplacement()
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

    private func isIntact() throws(StorageFailure) -> Bool {
        guard let database = try? Database(file.url), let version = try? FavoriteTable.version(of: database) else {
            return false
        }
        try refuseNewer(version)
        guard version == FavoriteTable.version, (try? FavoriteTable(database: database).create()) != nil,
            let report = try? database.first("PRAGMA integrity_check(1)", [], { $0.text(0) })
        else { return false }
        return report == "ok"
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
            for row in rows { try table.restore(row, atPosition: isPossible) }
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
