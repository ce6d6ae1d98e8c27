import BrowseDomain
import Foundation

/// The file that favourites are in: opens it, and replaces it when it is damaged.
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
            try FavoriteTable.migrations.run(on: database)
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
            return try Connection(file)
        }
    }

    /// The file is taken away as fast as it is made.
    var vanished: BrowseError { .storageFailed(StorageFailure(reason: .other, file: file.name)) }

    /// What went wrong, for those who called.
    func error(_ error: any Error) -> BrowseError {
        switch error {
        case let error as BrowseError: error
        case let failure as StorageFailure: .storageFailed(failure)
        case let failure as Database.Failure: .storageFailed(file.failure(failure))
        case let newer as Migrations.Newer:
            .storageFailed(
                StorageFailure(
                    reason: .newerVersion(found: newer.found, supported: newer.supported),
                    file: file.name
                )
            )
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
            let fresh = file.sibling("new")
            fresh.remove()
            try fresh.create()
            try fill(fresh, with: rows)
            try fresh.replace(file)
            return StorageRecovery(damagedFile: kept.name, savedCount: rows.count)
        }
    }

    private func isSound() -> Bool {
        guard let database = try? Database(file.url),
            let report = try? database.first("PRAGMA integrity_check(1)", [], { $0.text(0) })
        else { return false }
        return report == "ok"
    }

    private func fill(_ fresh: StorageFile, with rows: [FavoriteTable.PositionedRow]) throws {
        let database = try Database(fresh.url)
        try FavoriteTable.migrations.run(on: database)
        let table = FavoriteTable(database: database)
        try database.transaction { () throws(Database.Failure) in
            for row in rows { try table.restore(row) }
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
