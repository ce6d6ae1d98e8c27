import BrowseDomain
import Foundation

/// The favorites file: opens and upgrades it, and replaces it if it's damaged.
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
            try table.create()
            identity = file.identity
            version = try database.pragma("data_version")
        }

        /// Whether the file is still the one that was opened.
        var isCurrent: Bool { identity != nil && identity == file.identity }

        /// Returns whether another connection has written since the previous call.
        func hasExternalChanges() throws(Database.Failure) -> Bool {
            let now = try table.database.pragma("data_version")
            defer { version = now }
            return now != version
        }
    }

    /// Opens the file, and creates or upgrades it if necessary.
    func open() throws -> Connection {
        try file.locked {
            try file.create()
            return try Connection(try upgraded(), of: file)
        }
    }

    /// Opens the file, after replacing one of an older version with one of this version.
    ///
    /// Other processes can't write to the old file meanwhile. Afterward they detect the replacement and write to the new file.
    private func upgraded() throws -> Database {
        let old = try Database(file.url)
        let version = try FavoriteTable.version(of: old)
        guard version <= FavoriteTable.version else {
            throw StorageFailure(
                reason: .newerVersion(found: version, supported: FavoriteTable.version),
                file: file.name
            )
        }
        guard 1..<FavoriteTable.version ~= version else { return old }
        try old.run("BEGIN IMMEDIATE")
        var rows: [FavoriteTable.PositionedRow] = []
        try old.each("SELECT \(FavoriteImport.columns(of: old)) FROM favorite") { row in
            rows.append(FavoriteTable.row(row))
            return true
        }
        let last = try old.first("SELECT seq FROM sqlite_sequence WHERE name = 'favorite'") { $0.integer(0) }
        try replace(with: rows, lastPosition: last)
        return try Database(file.url)
    }

    private func replace(with rows: [FavoriteTable.PositionedRow], lastPosition: Int64?) throws {
        let new = file.sibling("new")
        new.remove()
        try new.create()
        try fill(new, with: rows, lastPosition: lastPosition)
        try new.moveDatabase(replacing: file)
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
    /// The replacement is atomic: if the process ends first, the damaged file is still there.
    ///
    /// - Returns: `nil` if the file is intact, such as after a recovery by another process.
    func recover() throws -> StorageRecovery? {
        try file.locked {
            guard !isIntact() else { return nil }
            let copy = file.unusedDamagedSibling()
            try file.copy(to: copy)
            let rows = try salvagedRows()
            try replace(with: rows, lastPosition: nil)
            return StorageRecovery(damagedFile: copy.name, savedCount: rows.count)
        }
    }

    private func isIntact() -> Bool {
        guard let database = try? Database(file.url),
            let report = try? database.first("PRAGMA integrity_check(1)", [], { $0.text(0) })
        else { return false }
        return report == "ok"
    }

    /// - Parameter lastPosition: The highest position ever used; positions aren't reused.
    private func fill(
        _ new: StorageFile,
        with rows: [FavoriteTable.PositionedRow],
        lastPosition: Int64? = nil
    ) throws {
        let database = try Database(new.url)
        let table = FavoriteTable(database: database)
        try table.create()
        try database.transaction { () throws(Database.Failure) in
            for row in rows { try table.restore(row) }
            guard let lastPosition else { return }
            try database.run("DELETE FROM sqlite_sequence WHERE name = 'favorite'")
            try database.run("INSERT INTO sqlite_sequence VALUES ('favorite', ?1)", [.integer(lastPosition)])
        }
    }

    /// Reads the rows of a copy, which may be modified.
    private func salvagedRows() throws -> [FavoriteTable.PositionedRow] {
        let copy = file.sibling("salvage")
        defer { copy.remove() }
        try file.copy(to: copy)
        if var salvage = FavoriteSalvage(copy.url) { return salvage.salvage() }
        // The first page, which locates the tables, is unreadable. A new file's first page is the same.
        let template = file.sibling("model")
        defer { template.remove() }
        template.remove()
        try template.create()
        try fill(template, with: [])
        guard FavoriteSalvage.replaceFirstPage(of: copy.url, from: template.url) else { return [] }
        guard var salvage = FavoriteSalvage(copy.url) else { return [] }
        return salvage.salvage()
    }
}
