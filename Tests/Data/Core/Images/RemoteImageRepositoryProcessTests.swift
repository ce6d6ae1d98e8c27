import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

#if os(Linux) || os(macOS)
/// Several processes that share an image folder.
@Suite(.bounded)
struct `Images shared by processes` {
    private let folder = TemporaryFolder()

    private func writer(
        first: Int,
        count: Int,
        bytes: Int,
        limit: Int = 100 << 20,
        file: Int = 0
    ) throws -> ChildProcess {
        try ChildProcess(
            "images",
            folder.url.path(percentEncoded: false),
            "\(first)",
            "\(count)",
            "\(bytes)",
            "\(limit)",
            "\(file)"
        )
    }

    /// Creates a repository on the folder without network access.
    private func offlineRepository() -> RemoteImageRepository {
        let offline = BrowseError.unreachable(.offline, .init(endpoint: "GET image"))
        return RemoteImageRepository(
            transport: ImageTransport(failure: offline),
            folder: folder.url,
            userAgent: "Tests",
            options: .init { $0.clock = ImmediateClock() }
        )
    }

    private func isKept(_ number: Int, in images: RemoteImageRepository) async -> Bool {
        guard let image = try? await images.load(.example("\(number)")).get() else { return false }
        return image.data.dropFirst(16).starts(with: "\(number)".utf8)
    }

    private var bytes: Int {
        get throws { try cachedFiles(in: folder.url).reduce(0) { try $0 + Data(contentsOf: $1).count } }
    }

    @Test func `are complete or missing after kills at random times`() async throws {
        var random = SeededGenerator(seed: 9)
        var returned: [Int] = []
        for round in 0..<rounds(100) {
            // Large, so that writes take a while.
            let writer = try writer(first: round * 100, count: 10, bytes: 300_000, limit: 1 << 40)
            let lines = await writer.killed(afterLines: Int.random(in: 0..<6, using: &random))
            returned += lines.compactMap { Int($0) }
        }
        let images = offlineRepository()
        for number in returned { #expect(await isKept(number, in: images), "\(number)") }
        #expect(returned.count > rounds(100))
    }

    @Test func `are complete after three processes wrote concurrently`() async throws {
        let writers = try (0..<3).map { try writer(first: $0 * 1000, count: 150, bytes: 2000) }
        for writer in writers { #expect(await writer.finished().count == 150) }
        let images = offlineRepository()
        for number in (0..<3).flatMap({ $0 * 1000..<$0 * 1000 + 150 }) {
            #expect(await isKept(number, in: images), "\(number)")
        }
    }

    @Test func `stay within the limit, including the latest one`() async throws {
        let limit = 200_000
        let writers = try (0..<2).map { try writer(first: $0 * 1000, count: 300, bytes: 2000, limit: limit) }
        for writer in writers { #expect(await writer.finished().count == 300) }
        #expect(try bytes <= limit + limit / 8 + 3000)
        #expect(try bytes > limit / 2)
        let images = offlineRepository()
        let last = [await isKept(299, in: images), await isKept(1299, in: images)]
        #expect(last.contains(true))
        #expect(await !isKept(0, in: images))
    }

    @Test func `load on a full disk, and leave no temporary files`() async throws {
        let large = try writer(first: 0, count: 20, bytes: 10_000, file: 5000)
        #expect(await large.finished().count == 20)
        #expect(cachedFiles(in: folder.url).isEmpty)
        let small = try writer(first: 0, count: 20, bytes: 1000, file: 5000)
        #expect(await small.finished().count == 20)
        let group = try #require(folder.names.first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(group).path()).count == 20)
    }
}
#endif
