import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestSupport
import Testing

@testable import BrowseData
import TestLimits

/// Files whose rows are intact, although SQLite can't find them, or finds them only in part.
@Suite(.bounded)
struct `Favorites in a damaged file` {
    private let folder = TemporaryFolder()
    private var storage: StorageFile { StorageFile(folder: folder.url, name: "favorites.sqlite") }
    private var database: Database { get throws { try Database(storage.url) } }

    private func change(_ change: (inout Data) -> Void) throws {
        var bytes = try Data(contentsOf: storage.url)
        change(&bytes)
        try bytes.write(to: storage.url)
    }

    /// Expects all rows, and that the file is intact for changes and for the next repository.
    private func expectAll(
        _ rows: [Favorite],
        isIntact: Bool = true,
        _ comment: Comment? = nil
    ) async throws {
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        #expect(try await favorites.all() == rows, comment)
        #expect(try await favorites.add(.user(999_999)), comment)
        #expect(try await favorites.remove(.init(kind: .user, number: 999_999)), comment)
        #expect(try await SQLiteFavoriteRepository(folder: folder.url).all() == rows, comment)
        if isIntact { #expect(try database.first("PRAGMA integrity_check") { $0.text(0) } == "ok", comment) }
        #expect(try database.pragma("user_version") == FavoriteTable.migrations.latestVersion, comment)
    }

    @Test(arguments: 0..<20) func `are complete after random bytes in the header`(seed: UInt64) async throws {
        let rows = try storage.fill(300)
        var random = SeededGenerator(seed: seed)
        try change { bytes in
            for offset in 40..<80 { bytes[offset] = UInt8.random(in: 0...255, using: &random) }
        }
        try await expectAll(rows)
    }

    /// The fields from the schema cookie to the application ID, and those that are reserved.
    @Test(arguments: Array(stride(from: 40, to: 92, by: 4)))
    func `are complete after a change of one field of the header`(offset: Int) async throws {
        for value: UInt32 in [0, 1, 2, 3, 5, 0x0100_0000, 0x7FFF_FFFF, 0x8000_0000, .max] {
            // A newer version of the SDK.
            if offset == 60, 4...9999 ~= value { continue }
            let rows = try storage.fill(50)
            try change { bytes in
                withUnsafeBytes(of: value.bigEndian) { bytes.replaceSubrange(offset..<(offset + 4), with: $0) }
            }
            // SQLite ignores an impossible mode of vacuuming, except in its check.
            try await expectAll(rows, isIntact: offset != 64, "\(value)")
            for name in folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
        }
    }

    @Test(arguments: [1, 2, 3])
    func `of a version that was never released is moved aside`(version: Int) async throws {
        try storage.locked { try storage.create() }
        for statement in [
            """
            CREATE TABLE favorite (
                position INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, number INTEGER NOT NULL,
                name TEXT NOT NULL, picture TEXT, page TEXT, detail BLOB, section_rank INTEGER NOT NULL,
                section TEXT NOT NULL, folded TEXT NOT NULL, UNIQUE (kind, number)
            )
            """,
            "CREATE INDEX favorite_by_name ON favorite (section_rank, section, folded, kind, number)",
            "INSERT INTO favorite VALUES (1, 'user', 7, 'mona', NULL, 'https://example.com/7', X'7B7D', 0, 'M', 'mona')",
            "INSERT INTO favorite VALUES (2, 'user', 8, 'nina', NULL, NULL, NULL, 0, 'N', 'nina')",
            "PRAGMA user_version = \(version)",
        ] { try database.run(statement) }
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        #expect(try await favorites.all() == [])
        var changes = favorites.changes.makeAsyncIterator()
        let recovery = StorageRecovery(damagedFile: "favorites-damaged-1.sqlite", savedCount: 0)
        #expect(await changes.next() == .recovered(recovery))
        let saved = try Database(folder.file(recovery.damagedFile))
        #expect(try saved.first("SELECT count(*) FROM favorite") { $0.count(0) } == 2)
        #expect(try await favorites.add(.user(999_999)))
    }

    @Test(arguments: [
        ["DELETE FROM sqlite_schema WHERE name = 'favorite'"], ["DELETE FROM sqlite_schema"],
        ["UPDATE sqlite_schema SET rootpage = 0 WHERE name = 'favorite'"],
        ["UPDATE sqlite_schema SET rootpage = rootpage + 1"],
        ["UPDATE sqlite_schema SET sql = replace(sql, 'title', 'titel')"],
        ["DELETE FROM sqlite_schema WHERE name = 'sqlite_sequence'"],
    ]) func `are complete if the schema is damaged`(statements: [String]) async throws {
        let rows = try storage.fill(300)
        let database = try database
        try database.run("PRAGMA writable_schema = ON")
        for statement in statements { try database.run(statement) }
        try await expectAll(rows)
    }

    @Test func `are complete if the table was dropped`() async throws {
        let rows = try storage.fill(300)
        let database = try database
        try database.run("PRAGMA secure_delete = OFF")
        try database.run("DROP TABLE favorite")
        // The first pages of the list of unused pages are overwritten.
        let found = try await SQLiteFavoriteRepository(folder: folder.url).all()
        #expect(found.count > 250, "\(found.count)")
        #expect(Set(found).isSubset(of: rows))
    }

    @Test(arguments: [0, 0x05, 0x0D, 0xAA, 0xFF] as [UInt8])
    func `are complete if the table's root page is overwritten`(byte: UInt8) async throws {
        let rows = try storage.fill(300)
        let root = try #require(
            try database.first("SELECT rootpage FROM sqlite_schema WHERE name = 'favorite'") { $0.count(0) }
        )
        try change { bytes in
            bytes.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(repeating: byte, count: 4096))
        }
        try await expectAll(rows)
    }

    @Test func `that are only in the log are complete`() async throws {
        _ = try storage.fill(300)
        let other = TemporaryFolder()
        try FileManager.default.createDirectory(at: other.url, withIntermediateDirectories: true)
        let database = try database
        try database.run("PRAGMA journal_mode = WAL")
        try database.disableAutomaticCheckpoints()
        let table = FavoriteTable(database: database)
        for number in Int64(301)...400 {
            let favorite = Favorite.user(number)
            _ = try table.insert(favorite, try #require(favorite.payload))
        }
        try database.run("PRAGMA user_version = -1")
        for part in ["", "-wal"] {
            let name = "favorites.sqlite" + part
            try FileManager.default.copyItem(at: folder.file(name), to: other.file(name))
        }
        let favorites = SQLiteFavoriteRepository(folder: other.url)
        #expect(try await favorites.all().compactMap(\.id.number) == Array(1...400))
    }

    @Test func `get lower positions if SQLite couldn't add another one`() async throws {
        let rows = try storage.fill(3)
        try database.run("UPDATE favorite SET position = \(Int64.max) WHERE position = 2")
        try await expectAll([rows[0], rows[2], rows[1]])
    }

    @Test func `that were removed don't return`() async throws {
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        for number in Int64(1)...300 { _ = try await favorites.add(.user(number)) }
        for number in Int64(1)...150 { _ = try await favorites.remove(.init(kind: .user, number: number)) }
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        try change { bytes in bytes.replaceSubrange(4096..<8192, with: Data(count: 4096)) }
        let found = try await SQLiteFavoriteRepository(folder: folder.url).all()
        #expect(found.compactMap(\.id.number) == Array(151...300))
    }
}
