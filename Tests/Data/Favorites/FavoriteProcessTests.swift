import BrowseData
import BrowseDomain
import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
/// Other processes that write the same favourites.
@Suite struct `Favourites of several processes` {
    private let folder = TemporaryFolder()

    @Test func `survive a process that is killed at any instant, 200 times`() async throws {
        var random = SeededGenerator(seed: 3)
        var returned: Set<Int64> = []
        for round in 0..<200 {
            let writer = try FavoriteWriter(in: folder, first: Int64(round * 1000 + 1), count: 30, tasks: 1)
            returned.formUnion(await writer.killed(afterLines: Int.random(in: 0..<12, using: &random)))
            // Opened each time, since a file that is left by a killed process is what may be broken.
            let favorites = SQLiteFavoriteRepository(folder: folder.url)
            let kept = Set(try await favorites.ids().map(\.number))
            #expect(kept.isSuperset(of: returned), "round \(round)")
            #expect(try await favorites.follow().recovery == nil)
        }
        let numbers = try await SQLiteFavoriteRepository(folder: folder.url).all().map(\.id.number)
        #expect(numbers == numbers.sorted())
        // Of each round one may have been stored whose call did not return any more.
        #expect((returned.count...(returned.count + 200)).contains(numbers.count))
        #expect(!returned.isEmpty)
    }

    @Test func `are all there after two processes and eight tasks wrote at once`() async throws {
        let writers = try (0..<2).map { try FavoriteWriter(in: folder, first: $0 * 1000, count: 200, tasks: 8) }
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
            let numbers = await writer.finished()
            #expect(numbers.count == 200)
            expected.formUnion((Int64(index) * 1000)..<(Int64(index) * 1000 + 200))
        }
        #expect(Set(try await own.ids().map(\.number)) == expected)
    }
}

/// A child process that adds favourites and tells of each when its call returned.
private final class FavoriteWriter: Sendable {
    /// `@unchecked Sendable`: used by one task after the other, which the calls of this class see to.
    private struct Child: @unchecked Sendable {
        let process = Process()
        let output = Pipe()
    }

    private let child = Child()

    init(in folder: TemporaryFolder, first: Int64, count: Int, tasks: Int) throws {
        child.process.executableURL = Self.executable
        child.process.arguments = [folder.url.path(percentEncoded: false), "\(first)", "\(count)", "\(tasks)"]
        child.process.standardOutput = child.output
        try child.process.run()
    }

    /// Kills it as soon as it has told of so many, and returns all that it told of.
    func killed(afterLines count: Int) async -> [Int64] {
        await numbers { process, lines in
            if lines >= count { kill(process.processIdentifier, SIGKILL) }
        }
    }

    /// Waits until it is done.
    func finished() async -> [Int64] {
        await numbers { _, _ in }
    }

    private func numbers(_ watch: @escaping @Sendable (Process, Int) -> Void) async -> [Int64] {
        await withCheckedContinuation { continuation in
            // Reading waits for the other process, which no thread of Swift's should do.
            DispatchQueue.global().async { [child] in
                var text = Data()
                watch(child.process, 0)
                while let part = try? child.output.fileHandleForReading.read(upToCount: 1 << 16), !part.isEmpty {
                    text += part
                    watch(child.process, text.count { $0 == UInt8(ascii: "\n") })
                }
                child.process.waitUntilExit()
                // What was cut off by the end of the process was not told.
                let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                continuation.resume(returning: lines.compactMap { Int64(String(decoding: $0, as: UTF8.self)) })
            }
        }
    }

    /// It lies beside the bundle of the tests.
    private static var executable: URL {
        #if os(macOS)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
        return bundle.bundleURL.deletingLastPathComponent().appending(path: "FavoriteWriter")
        #else
        return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "FavoriteWriter")
        #endif
    }
}
#endif
