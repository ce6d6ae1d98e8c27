import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `The favorites file` {
    private let folder = TemporaryFolder()
    private var file: URL { folder.file("favorites.sqlite") }

    private func repository() -> SQLiteFavoriteRepository { SQLiteFavoriteRepository(folder: folder.url) }

    private func rights(of url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path(percentEncoded: false))
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    private func failure(_ reason: StorageFailure.Reason, of error: BrowseError?) -> Bool {
        guard case .storageFailed(let failure) = error else { return false }
        return failure.reason == reason && failure.file == "favorites.sqlite"
    }

    @Test func `is accessible to its owner only, like its folder and auxiliary files`() async throws {
        let favorites = repository()
        _ = try await favorites.add(.user(1))
        #expect(try rights(of: folder.url) == 0o700)
        #expect(folder.names.contains("favorites.sqlite-wal"))
        for name in folder.names { #expect(try rights(of: folder.file(name)) == 0o600, "\(name)") }
    }

    /// The pragma affects only Apple platforms, but all have it.
    @Test func `flushes the drive's cache`() throws {
        var file = FavoriteFile(folder: folder.url, on: QueueExecutor("tests"))
        let database = try file.open().database
        #expect(try database.pragma("fullfsync") == 1)
        #expect(try database.pragma("synchronous") == 2)
    }

    @Test func `reports changes between two repositories that share it`() async throws {
        let (here, there) = (repository(), repository())
        var changes = here.changes.makeAsyncIterator()
        #expect(try await here.ids().isEmpty)
        _ = try await there.add(.user(1))
        _ = try await here.add(.user(2))
        #expect(await changes.next() == .added(.user(2)))
        #expect(await changes.next() == .replaced(Set([1, 2].map { .init(kind: .user, key: "\($0)") })))
        #expect(try await there.all() == [.user(1), .user(2)])
    }

    @Test func `numbers the additions of all repositories that share it`() async throws {
        let (here, there) = (repository(), repository())
        _ = try await here.add(.user(1))
        _ = try await there.add(.user(2))
        _ = try await there.remove(Favorite.user(2).id)
        _ = try await here.add(.user(2))
        _ = try await there.add(.user(3))
        #expect(try await here.all().map(\.sequenceNumber) == [1, 3, 4])
    }

    /// The statements of version 4, which later versions must open.
    @Test func `of version 4 is opened`() async throws {
        let user = Favorite.user(1, "mona")
        let payload = try #require(user.payload)
        let old = StorageFile(folder: folder.url, name: "favorites.sqlite")
        try old.locked { try old.create() }
        let database = try Database(file)
        for statement in [
            """
            CREATE TABLE favorite (
                position INTEGER PRIMARY KEY AUTOINCREMENT,
                kind TEXT NOT NULL,
                key TEXT NOT NULL,
                title TEXT NOT NULL,
                picture TEXT,
                version INTEGER NOT NULL,
                payload BLOB NOT NULL,
                section_rank INTEGER NOT NULL,
                section TEXT NOT NULL,
                folded TEXT NOT NULL,
                UNIQUE (kind, key)
            )
            """,
            "CREATE INDEX favorite_by_name ON favorite (section_rank, section, folded, kind, key)",
            "PRAGMA user_version = 4",
        ] { try database.run(statement) }
        try database.run(
            "INSERT INTO favorite VALUES (7, 'user', '1', 'mona', NULL, ?1, ?2, 0, 'M', 'mona')",
            [.integer(Int64(payload.version)), .blob(payload.data)]
        )
        #expect(try await repository().all() == [user])
        #expect(try await repository().add(.user(2, "nina")))
        #expect(try await repository().all(FavoriteQuery(order: .name)).map(\.title) == ["mona", "nina"])
        #expect(!folder.names.contains { $0.contains("damaged") })
        #expect(try database.pragma("user_version") == 4)
    }

    @Test func `of a newer version isn't changed and throws newerVersion`() async throws {
        let queue = QueueExecutor("test", patience: .seconds(60))
        _ = try await SQLiteFavoriteRepository(folder: folder.url, on: queue).add(.user(1))
        // The repository is released on its queue, and then hands over the closing of the file.
        for _ in 0..<2 { _ = await queue.run {} }
        // In another mode, since setting this one would change the file.
        let other = try Database(file)
        try other.run("PRAGMA journal_mode = DELETE")
        try other.run("PRAGMA user_version = 99")
        let bytes = try Data(contentsOf: file)
        let before = folder.names
        let error = await thrown { () async throws(BrowseError) in try await repository().add(.user(2)) }
        #expect(failure(.newerVersion(found: 99, supported: 4), of: error))
        #expect(try Data(contentsOf: file) == bytes)
        #expect(
            folder.names.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
                == before.filter { !$0.hasSuffix("-shm") && !$0.hasSuffix("-wal") }
        )
        try Database(file).run("PRAGMA user_version = 4")
        #expect(try await repository().all() == [.user(1)])
    }

    @Test func `throws if its folder can't be created, or a folder has its name`() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data().write(to: folder.file("file"))
        let below = SQLiteFavoriteRepository(folder: folder.file("file").appending(path: "below"))
        var error = await thrown { () async throws(BrowseError) in try await below.add(.user(1)) }
        #expect(failure(.notWritable, of: error))

        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let favorites = repository()
        error = await thrown { () async throws(BrowseError) in try await favorites.add(.user(1)) }
        #expect(failure(.notWritable, of: error))
        try FileManager.default.removeItem(at: file)
        #expect(try await favorites.add(.user(1)))
    }

    @Test func `is recreated after it was deleted, and reports that`() async throws {
        let favorites = repository()
        _ = try await favorites.add(.user(1))
        var changes = favorites.changes.makeAsyncIterator()
        for name in folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
        #expect(try await favorites.add(.user(2)))
        #expect(try await favorites.all() == [.user(2)])
        #expect(try await repository().all() == [.user(2)])
        #expect(await changes.next() == .replaced([]))
        #expect(await changes.next() == .added(.user(2)))
    }

    @Test func `doesn't block the concurrency pool while another process has it locked`() async throws {
        _ = try await repository().add(.user(0))
        let executor = FIFOExecutor()
        // A single-threaded executor for this test only.
        try await withTaskExecutorPreference(executor) { [file, folder] in
            let other = try Database(file)
            try other.run("BEGIN IMMEDIATE")
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in Int64(1)...16 {
                    group.addTask { try await SQLiteFavoriteRepository(folder: folder.url).add(.user(number)) }
                }
                await executor.waitUntilIdle()
                // Blocked calls would delay this until they time out.
                try other.run("ROLLBACK")
                for try await isAdded in group { #expect(isAdded) }
            }
        }
        #expect(try await repository().ids().count == 17)
    }

    @Test func `rejects an entity that can't be encoded, and doesn't change`() async throws {
        let favorites = repository()
        _ = try await favorites.add(.user(1))
        let error = await thrown { () async throws(BrowseError) in try await favorites.add(Favorite(Broken())) }
        #expect(failure(.notEncodable, of: error))
        #expect(try await favorites.all() == [.user(1)])
    }

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isAvailable)) func `on a full disk keeps what it has`() async throws {
        let disk = try #require(SmallDisk(bytes: 400_000))
        let favorites = SQLiteFavoriteRepository(folder: disk.folder.url)
        let name = String(repeating: "x", count: 10_000)
        var added: [Favorite] = []
        var error: BrowseError?
        while error == nil, added.count < 100 {
            let next = Favorite.user(Int64(added.count), name)
            error = await thrown { () async throws(BrowseError) in try await favorites.add(next) }
            if error == nil { added.append(next) }
        }
        #expect(failure(.full, of: error) && !added.isEmpty)
        #expect(try await favorites.all() == added)
    }
    #endif

    private struct Broken: Favoritable {
        static let favoriteKind = Favorite.Kind(rawValue: "example.broken")
        var favoriteKey: String { "1" }
        var favoriteTitle: String { "Broken" }

        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "no"))
        }
    }
}

@Suite(.bounded)
struct `A damaged favorites file` {
    private let folder = TemporaryFolder()
    private var storage: StorageFile { StorageFile(folder: folder.url, name: "favorites.sqlite") }

    private func fill(_ count: Int) throws -> [Favorite] { try storage.fill(count) }

    private func bytes() throws -> Data { try Data(contentsOf: storage.url) }

    /// Expectations for every recovery, even if no row is readable.
    private func expectRescue(of damaged: Data, from rows: [Favorite]) async throws -> Int {
        try damaged.write(to: storage.url)
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        let found = try await favorites.all()
        // Later listeners get the report, too.
        var changes = favorites.changes.makeAsyncIterator()
        try #require(folder.names.contains("favorites-damaged-1.sqlite"))
        guard case .recovered(let recovery) = await changes.next() else {
            Issue.record("no recovery was reported")
            return 0
        }
        #expect(recovery.savedCount == found.count)
        #expect(recovery.damagedFile == "favorites-damaged-1.sqlite")
        // Opening the file may change its header; the rest of the copy is unchanged.
        #expect(try Data(contentsOf: folder.file(recovery.damagedFile)).dropFirst(4096) == damaged.dropFirst(4096))
        // In the order they were added, and without invented rows.
        let known = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
        #expect(found.allSatisfy { known[$0.id] == $0 })
        #expect(found.compactMap(\.id.number) == found.compactMap(\.id.number).sorted())
        // The new file works, and no temporary files remain.
        #expect(try await favorites.add(.user(999_999)))
        let next = SQLiteFavoriteRepository(folder: folder.url)
        #expect(try await next.all() == found + [.user(999_999)])
        let names = Set(folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") })
        #expect(names == ["favorites.sqlite", "favorites.sqlite-lock", "favorites-damaged-1.sqlite"])
        return found.count
    }

    @Test func `that is truncated keeps the rows before the cut`() async throws {
        let (rows, part) = (try fill(3000), 0.5)
        let whole = try bytes()
        let saved = try await expectRescue(of: whole.prefix(Int(Double(whole.count) * part)), from: rows)
        // Index pages lie among the rows, so a fraction of the file contains about that fraction of the rows.
        #expect(saved > Int(Double(rows.count) * part * 0.5), "\(saved)")
    }

    @Test func `with corrupt pages keeps all rows of other pages`() async throws {
        let rows = try fill(3000)
        var damaged = try bytes()
        var lost = 0
        for part in [0.3, 0.6] {
            var place = Int(Double(damaged.count) * part) / 4096 * 4096
            // The next leaf page of a table, whose fourth and fifth bytes are the number of its rows.
            while damaged[place] != 0x0D { place += 4096 }
            lost += Int(damaged[place + 3]) << 8 | Int(damaged[place + 4])
            damaged.replaceSubrange(place..<(place + 4096), with: Data(repeating: 0xFF, count: 4096))
        }
        #expect(try await expectRescue(of: damaged, from: rows) == rows.count - lost)
        #expect(lost > 0)
    }

    @Test func `that isn't a database is moved aside and replaced`() async throws {
        let rows = try fill(10)
        let text = Data(String(repeating: "This is a letter to my aunt. ", count: 1000).utf8)
        #expect(try await expectRescue(of: text, from: rows) == 0)
    }

    @Test(arguments: 0..<UInt64(rounds(30)))
    func `with random bytes never crashes, hangs, or invents rows`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let rows = try fill(400)
        var damaged = try bytes()
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let place = Int.random(in: 0..<damaged.count, using: &random)
            let length = min(Int.random(in: 1...600, using: &random), damaged.count - place)
            for offset in 0..<length { damaged[place + offset] = UInt8.random(in: 0...255, using: &random) }
        }
        try damaged.write(to: storage.url)
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        do throws(BrowseError) {
            for order in [FavoriteQuery.Order.added, .name] {
                let found = try await favorites.page(of: FavoriteQuery(order: order), at: nil)
                #expect(found.items.count + found.skipped.count <= 100)
            }
            _ = try await favorites.add(.user(999_999))
            _ = try await favorites.remove(.init(kind: .user, key: "1"))
            _ = rows
        } catch .storageFailed(let failure) {
            // Random bytes can look like this.
            guard case .newerVersion = failure.reason else {
                Issue.record("\(failure)")
                return
            }
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func `is recovered once for concurrent users`() async throws {
        let rows = try fill(3000)
        let whole = try bytes()
        try whole.prefix(whole.count / 2).write(to: storage.url)
        let found = try await withThrowingTaskGroup(of: [Favorite].self) { group in
            for _ in 0..<4 {
                group.addTask { [folder] in try await SQLiteFavoriteRepository(folder: folder.url).all() }
            }
            var results: [[Favorite]] = []
            for try await result in group { results.append(result) }
            return results
        }
        #expect(Set(found).count == 1)
        #expect(found.first?.isEmpty == false)
        #expect(folder.names.filter { $0.contains("damaged") } == ["favorites-damaged-1.sqlite"])
        _ = rows
    }

    @Test func `is reported to existing listeners`() async throws {
        _ = try fill(3000)
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        // Opens the file and reads little of it.
        _ = try await favorites.remove(.init(kind: .repo, key: "1"))
        var changes = favorites.changes.makeAsyncIterator()
        // Damages the open file, like a failing disk.
        let handle = try FileHandle(forWritingTo: storage.url)
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: try bytes().count - 4096))
        let found = try await favorites.all()
        guard case .recovered(let recovery) = await changes.next(), case .replaced(let ids) = await changes.next()
        else {
            Issue.record("no recovery was reported")
            return
        }
        #expect(ids == Set(found.map(\.id)))
        #expect(recovery.savedCount == found.count)
    }
}

extension StorageFile {
    /// Creates a closed favorites file with a number of users.
    func fill(_ count: Int) throws -> [Favorite] {
        let rows = (1...count).map { Favorite.user(Int64($0), "user-\($0)-\(String(repeating: "x", count: 40))") }
        try locked {
            try create()
            let database = try Database(url)
            let table = FavoriteTable(database: database)
            try table.create()
            try database.transaction { () throws(Database.Failure) in
                for row in rows { if let payload = row.payload { _ = try table.insert(row, payload) } }
            }
        }
        return rows
    }
}
