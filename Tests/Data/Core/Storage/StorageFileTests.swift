import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

#if canImport(Darwin)
@Suite(.bounded) struct `Caches on Apple platforms` {
    private let folder = TemporaryFolder()

    private func isExcluded(_ url: URL) throws -> Bool {
        try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup ?? false
    }

    @Test func `are excluded from backups, even in a folder that is backed up`() async throws {
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        _ = try await favorites.add(.user(1))
        let cache = ResponseCache(folder: folder.url, byteLimit: 1 << 20, clock: ImmediateClock())
        _ = await cache.entry(for: try #require(ResponseCache.Key(.sample())), creates: true)
        let images = RemoteImageRepository(
            transport: ImageTransport(),
            folder: folder.file("images"),
            userAgent: "Tests",
            options: .init { $0.clock = ImmediateClock() }
        )
        _ = try await images.image(for: .example("a"))
        for name in folder.names where !name.hasSuffix("-lock") {
            #expect(try isExcluded(folder.file(name)) == !name.hasPrefix("favorites"), "\(name)")
        }
    }
}
#endif
