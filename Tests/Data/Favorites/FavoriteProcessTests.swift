import BrowseData
import BrowseDomain
import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
/// Favorites that several processes write.
@Suite(.timeLimit(.minutes(5)))
struct `Favorites shared by processes` {
    private let folder = TemporaryFolder()

    private func writer(first: Int, count: Int, tasks: Int) throws -> ChildProcess {
        try ChildProcess("favorites", folder.url.path(percentEncoded: false), "\(first)", "\(count)", "\(tasks)")
    }

    @Test func `survive 200 kills at random times`() async throws {
        var random = SeededGenerator(seed: 3)
        var returned: Set<Int64> = []
        for round in 0..<200 {
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
        #expect((returned.count...(returned.count + 200)).contains(numbers.count))
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
        var expected = Set((Int64(0)..<8).flatMap { task in (Int64(0)..<25).map { 10_000 + task * 100 + $0 } })
        for (index, writer) in writers.enumerated() {
            let lines = await writer.finished()
            #expect(lines.compactMap { Int64($0) }.count == 60, "\(lines)")
            expected.formUnion((Int64(index) * 1000)..<(Int64(index) * 1000 + 60))
        }
        #expect(Set(try await own.ids().map(\.number)) == expected)
    }
}
#endif
