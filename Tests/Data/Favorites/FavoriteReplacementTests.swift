import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// Every step at which replacing the file can end, and writes meanwhile.
@Suite(.bounded)
struct `A replacement of the favorites file` {
    private let folder = TemporaryFolder()
    private var storage: StorageFile { StorageFile(folder: folder.url, name: "favorites.sqlite") }

    private func numbers() async throws -> [Int64] {
        try await SQLiteFavoriteRepository(folder: folder.url).all().compactMap(\.id.number)
    }

    /// Opens the file for commits that stay in the log.
    private func openWithoutCheckpoints() throws -> (file: FavoriteFile, table: FavoriteTable) {
        var file = FavoriteFile(folder: folder.url)
        let table = try file.open { try $0.database.run("PRAGMA wal_autocheckpoint = 0") }
        return (file, table)
    }

    private func insert(_ number: Int64, into table: FavoriteTable) throws {
        let favorite = Favorite.user(number)
        #expect(try table.insert(favorite, try #require(favorite.payload)) != nil)
    }

    /// A closed file with one favorite.
    private func replacement(_ number: Int64) throws -> StorageFile {
        let new = storage.neighbor("other.sqlite")
        try new.create()
        let table = FavoriteTable(database: try Database(new.url))
        try table.create()
        try insert(number, into: table)
        return new
    }

    @Test func `keeps the log if it fails`() async throws {
        let (file, table) = try openWithoutCheckpoints()
        try insert(1, into: table)
        #expect(throws: StorageFailure.self) { try storage.replace(with: storage.neighbor("missing")) }
        #expect(file.isCurrent)
        #expect(folder.names.contains("favorites.sqlite-wal"))
        #expect(try await numbers() == [1])
    }

    @Test(arguments: [[], ["-wal"], ["-wal", "-shm"]])
    func `is completed when the file is next opened`(deleted: [String]) async throws {
        let (file, table) = try openWithoutCheckpoints()
        try insert(1, into: table)
        // As a process leaves it that ended before it deleted the log, or after that.
        try FileManager.default.moveItem(
            at: try replacement(2).url,
            to: folder.file("favorites.sqlite-replacement")
        )
        for part in deleted { try FileManager.default.removeItem(at: folder.file("favorites.sqlite" + part)) }
        #expect(!file.isCurrent)
        #expect(try file.write { Issue.record("a write to the old file") } == false)
        #expect(try await numbers() == [2])
        #expect(!folder.names.contains("favorites.sqlite-replacement"))
        #expect(try Database(storage.url).first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test func `waits for a write, and a later write goes to the new file`() async throws {
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        _ = try await favorites.add(.user(1))
        let new = try replacement(1)
        let executor = FIFOExecutor()
        try await withTaskExecutorPreference(executor) { [storage] in
            let lock = try #require(try storage.tryLock())
            async let isAdded = favorites.add(.user(2))
            await executor.waitUntilIdle()
            try storage.replace(with: new)
            StorageFile.unlock(lock)
            #expect(try await isAdded)
        }
        #expect(try await numbers() == [1, 2])
    }

    @Test func `isn't undone by a connection that closes`() async throws {
        var old: (file: FavoriteFile, table: FavoriteTable)? = try openWithoutCheckpoints()
        try insert(1, into: try #require(old).table)
        try storage.locked { _ = try storage.replace(with: replacement(2)) }
        let new = try openWithoutCheckpoints()
        try insert(3, into: new.table)
        old = nil
        #expect(folder.names.contains("favorites.sqlite-wal"))
        #expect(try await numbers() == [2, 3])
        _ = (new, old)
    }
}
