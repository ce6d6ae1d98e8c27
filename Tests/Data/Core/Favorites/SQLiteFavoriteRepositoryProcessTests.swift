import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

#if os(Linux) || os(macOS)
/// Favorites that several processes write.
@Suite(.bounded)
struct `Favorites shared by processes` {
    private let folder = TemporaryFolder()

    private func writer(first: Int, count: Int, tasks: Int) throws -> ChildProcess {
        try ChildProcess("favorites", folder.url.path(percentEncoded: false), "\(first)", "\(count)", "\(tasks)")
    }

    @Test func `survive kills at random times`() async throws {
        var random = SeededGenerator(seed: 3)
        var returned: Set<Int64> = []
        for round in 0..<rounds(100) {
            let writer = try writer(first: round * 1000 + 1, count: 30, tasks: 1)
            let lines = await writer.killed(afterLines: Int.random(in: 0..<12, using: &random))
            returned.formUnion(lines.compactMap { Int64($0) })
            // A new repository, because the killed process may have left a damaged file.
            let favorites = SQLiteFavoriteRepository(folder: folder.url)
            let stored = Set(try await favorites.ids().map(\.number))
            #expect(stored.isSuperset(of: returned), "round \(round)")
            #expect(!folder.names.contains { $0.contains("damaged") })
        }
        let numbers = try await SQLiteFavoriteRepository(folder: folder.url).all().compactMap(\.id.number)
        #expect(numbers == numbers.sorted())
        // Each round may have stored one whose call didn't return.
        #expect((returned.count...(returned.count + rounds(100))).contains(numbers.count))
        #expect(!returned.isEmpty)
    }

    @Test func `are complete after two processes with eight tasks wrote concurrently`() async throws {
        let writers = try (0..<2).map { try writer(first: $0 * 1000, count: 60, tasks: 6) }
        let own = SQLiteFavoriteRepository(folder: folder.url)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in Int64(0)..<8 {
                group.addTask {
                    for number in 0..<25 { _ = try await own.add(.user(10_000 + task * 100 + Int64(number))) }
                }
            }
            try await group.waitForAll()
        }
        var expected: Set<Int64> = []
        for task in Int64(0)..<8 { expected.formUnion((10_000 + task * 100)..<(10_025 + task * 100)) }
        for (index, writer) in writers.enumerated() {
            let lines = await writer.finished()
            #expect(lines.compactMap { Int64($0) }.count == 60, "\(lines)")
            expected.formUnion((Int64(index) * 1000)..<(Int64(index) * 1000 + 60))
        }
        #expect(Set(try await own.ids().map(\.number)) == expected)
    }

    /// The files of a process that was killed, with its last commits in the log only.
    private func leave(in folder: TemporaryFolder) throws {
        let template = TemporaryFolder()
        let file = StorageFile(folder: template.url, name: "favorites.sqlite")
        try FileManager.default.createDirectory(at: template.url, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        _ = try file.fill(8)
        let database = try Database(file.url)
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA wal_autocheckpoint = 0")
        for number in Int64(100)..<192 {
            let favorite = Favorite.user(number)
            _ = try FavoriteTable(database: database).insert(favorite, try #require(favorite.payload))
        }
        try database.run("PRAGMA user_version = -1")
        for part in ["", "-wal"] {
            let name = file.name + part
            try FileManager.default.copyItem(at: template.file(name), to: folder.file(name))
        }
    }

    @Test func `survive kills while the file is replaced`() async throws {
        var random = SeededGenerator(seed: 4)
        var (kills, round) = (0, 0)
        // A fast computer ends most rounds before their first kill.
        while round < 8 || kills <= 8 {
            round += 1
            let folder = TemporaryFolder()
            try leave(in: folder)
            // Later kills are later, so that each round ends.
            for attempt in 1... {
                let time = Int.random(in: 1...min(900_000, attempt * 6000), using: &random)
                let reader = try ChildProcess("ids", folder.url.path(percentEncoded: false), "\(time)")
                let lines = await reader.finished()
                if lines == ["100"] { break }
                try #require(lines.isEmpty, "round \(round), attempt \(attempt): \(lines)")
                kills += 1
            }
            #expect(try await SQLiteFavoriteRepository(folder: folder.url).ids().count == 100)
            let names = folder.names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
            #expect(names.count <= 5, "\(names)")
        }
    }

    @Test func `are complete after others replaced the file while it was written to`() async throws {
        let storage = StorageFile(folder: folder.url, name: "favorites.sqlite")
        _ = try await SQLiteFavoriteRepository(folder: folder.url).ids()
        let progress = Monitor(0)
        let writers = try (0..<2).map { try writer(first: $0 * 1000, count: 150, tasks: 1) }
        let written = Task {
            await withTaskGroup(of: [String].self) { group in
                for (index, writer) in writers.enumerated() {
                    group.addTask {
                        await writer.finished { count in
                            if index == 0 { progress.withLock { $0 = count } }
                        }
                    }
                }
                let lines = await group.reduce(into: []) { $0 += $1 }
                progress.withLock { $0 = .max }
                return lines
            }
        }
        // Read before the work, during which the writers can end: nothing follows their last value.
        while case let last = progress.value, last < 140 {
            // Writers with an open file don't notice.
            try storage.locked(isShared: true) { try Database(storage.url).run("PRAGMA user_version = -1") }
            _ = try await SQLiteFavoriteRepository(folder: folder.url).ids()
            await progress.wait { $0 > last }
        }
        let lines = await written.value
        #expect(lines.compactMap { Int64($0) }.count == 300, "\(lines)")
        let stored = Set(try await SQLiteFavoriteRepository(folder: folder.url).ids().map(\.number))
        #expect(stored.isSuperset(of: lines.map { Int64($0) }), "\(stored.count)")
    }
}
#endif
