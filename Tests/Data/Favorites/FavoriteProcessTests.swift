import BrowseData
import BrowseDomain
import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
/// Other processes that write the same favorites.
@Suite struct `Favorites of several processes` {
    private let folder = TemporaryFolder()

    private func writer(first: Int, count: Int, tasks: Int) throws -> ChildProcess {
        try ChildProcess("favorites", folder.url.path(percentEncoded: false), "\(first)", "\(count)", "\(tasks)")
    }

    @Test func `survive a process that is killed at any instant, 200 times`() async throws {
        var random = SeededGenerator(seed: 3)
        var returned: Set<Int64> = []
        for round in 0..<200 {
            let writer = try writer(first: round * 1000 + 1, count: 30, tasks: 1)
            let lines = await writer.killed(afterLines: Int.random(in: 0..<12, using: &random))
            returned.formUnion(lines.compactMap { Int64($0) })
            // Opened each time, since a file that is left by a killed process is what may be broken.
            let favorites = SQLiteFavoriteRepository(folder: folder.url)
            let kept = Set(try await favorites.ids().map(\.number))
            #expect(kept.isSuperset(of: returned), "round \(round)")
            #expect(!folder.names.contains { $0.contains("damaged") })
        }
        let numbers = try await SQLiteFavoriteRepository(folder: folder.url).all().compactMap(\.id.number)
        #expect(numbers == numbers.sorted())
        // Of each round one may have been stored whose call did not return any more.
        #expect((returned.count...(returned.count + 200)).contains(numbers.count))
        #expect(!returned.isEmpty)
    }

    @Test func `are all there after two processes and eight tasks wrote at once`() async throws {
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
