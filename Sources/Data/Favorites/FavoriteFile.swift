import BrowseDomain
import Foundation

/// The file that favorites are in: opens it, and replaces it when it is damaged.
///
/// Whatever changes more than rows is done under a lock between processes, so that two of them neither make the file at the
/// same time nor rescue it twice.
struct FavoriteFile {
    private let file: StorageFile

    init(folder: URL) {
        file = StorageFile(folder: folder, name: "favorites.sqlite")
    }

    /// A connection to the file that was there when it was opened.
    final class Connection {
        let table: FavoriteTable
        private let file: StorageFile
        private let identity: StorageFile.Identity?
        private var version = 0

        fileprivate init(_ file: StorageFile) throws {
            self.file = file
            let database = try Database(file.url)
            table = FavoriteTable(database: database)
            try database.run("PRAGMA journal_mode = WAL")
            // A change is on the disk when its call returns, not when the system gets round to it.
            try database.run("PRAGMA synchronous = FULL")
            // On Apple platforms SQLite otherwise leaves it in the drive's cache. Elsewhere this changes nothing.
            try database.run("PRAGMA fullfsync = ON")
            try database.run("PRAGMA foreign_keys = ON")
            try table.create()
            identity = file.identity
            version = try database.pragma("data_version")
        }

        /// Whether the file is still the one that was opened; another process may have replaced it.
        var isCurrent: Bool { identity != nil && identity == file.identity }

        /// Whether another connection has written since this was asked last.
        func othersHaveWritten() throws(Database.Failure) -> Bool {
            let now = try table.database.pragma("data_version")
            defer { version = now }
            return now != version
        }
    }

    /// Opens the file, and makes it when it is not there.
    func open() throws -> Connection {
        try file.locked {
            try file.create()
            try upgrade()
            return try Connection(file)
        }
    }

    /// Replaces a file of an older version by one of this version.
    ///
    /// Other processes that have the old file open can't write to it meanwhile. Afterwards they find that it was replaced, and
    /// write to the new file.
    private func upgrade() throws {
        let old = try Database(file.url)
        let version = try FavoriteTable.version(of: old)
        guard version <= FavoriteTable.version else {
            throw StorageFailure(
                reason: .newerVersion(found: version, supported: FavoriteTable.version),
                file: file.name
            )
        }
        guard 1..<FavoriteTable.version ~= version else { return }
        try old.run("BEGIN IMMEDIATE")
        var rows: [FavoriteTable.PositionedRow] = []
        try old.each("SELECT \(FavoriteImport.columns(of: old)) FROM favorite") { row in
            rows.append(FavoriteTable.row(row))
            return true
        }
        let last = try old.first("SELECT seq FROM sqlite_sequence WHERE name = 'favorite'") { $0.integer(0) }
        try replace(with: rows, lastPosition: last)
    }

    private func replace(with rows: [FavoriteTable.PositionedRow], lastPosition: Int64?) throws {
        let fresh = file.sibling("new")
        fresh.remove()
        try fresh.create()
        try fill(fresh, with: rows, lastPosition: lastPosition)
        try fresh.replace(file)
    }

    /// The error for a favorite that can't be encoded.
    var notEncodable: BrowseError { .storageFailed(StorageFailure(reason: .notEncodable, file: file.name)) }

    /// The file is taken away as fast as it is made.
    var vanished: BrowseError { .storageFailed(StorageFailure(reason: .other, file: file.name)) }

    /// What went wrong, for those who called.
    func error(_ error: any Error) -> BrowseError {
        switch error {
        case let error as BrowseError: error
        case let failure as StorageFailure: .storageFailed(failure)
        case let failure as Database.Failure: .storageFailed(file.failure(failure))
        default: .storageFailed(StorageFailure(reason: .other, file: file.name))
        }
    }

    /// Puts a sound file with everything that can still be read in place of a damaged one, which is kept beside it.
    ///
    /// At every instant there is a file: should the process end half-way, the damaged one is found again.
    ///
    /// - Returns: What was done; `nil` when the file is sound, as after another process was faster.
    func rescue() throws -> StorageRecovery? {
        try file.locked {
            guard !isSound() else { return nil }
            let kept = file.freeDamagedSibling()
            try file.copy(to: kept)
            let rows = try salvagedRows()
            try replace(with: rows, lastPosition: nil)
            return StorageRecovery(damagedFile: kept.name, savedCount: rows.count)
        }
    }

    private func isSound() -> Bool {
        guard let database = try? Database(file.url),
            let report = try? database.first("PRAGMA integrity_check(1)", [], { $0.text(0) })
        else { return false }
        return report == "ok"
    }

    /// - Parameter lastPosition: The highest position that was ever used, which isn't used again.
    private func fill(
        _ fresh: StorageFile,
        with rows: [FavoriteTable.PositionedRow],
        lastPosition: Int64? = nil
    ) throws {
        let database = try Database(fresh.url)
        let table = FavoriteTable(database: database)
        try table.create()
        try database.transaction { () throws(Database.Failure) in
            for row in rows { try table.restore(row) }
            guard let lastPosition else { return }
            try database.run("DELETE FROM sqlite_sequence WHERE name = 'favorite'")
            try database.run("INSERT INTO sqlite_sequence VALUES ('favorite', ?1)", [.integer(lastPosition)])
        }
    }

    /// Reads a copy, in which anything may be tried.
    private func salvagedRows() throws -> [FavoriteTable.PositionedRow] {
        let copy = file.sibling("salvage")
        defer { copy.remove() }
        try file.copy(to: copy)
        if var salvage = FavoriteSalvage(copy.url) { return salvage.salvage() }
        // The first page, which says where everything is, cannot be read. That of a new file says the same.
        let model = file.sibling("model")
        defer { model.remove() }
        model.remove()
        try model.create()
        try fill(model, with: [])
        guard FavoriteSalvage.replaceFirstPage(of: copy.url, by: model.url) else { return [] }
        guard var salvage = FavoriteSalvage(copy.url) else { return [] }
        return salvage.salvage()
    }
}
