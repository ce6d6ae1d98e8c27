import BrowseDomain
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BrowseData

struct `A file that is written` {
    /// Takes files for abandoned, again and again, on a thread of its own.
    private final class Cleaner: Sendable {
        /// What is written just now; `nil` when it is to stop.
        let file: Mutex<StorageFile?>
        private let hasStopped = DispatchSemaphore(value: 0)

        init(_ file: StorageFile) {
            self.file = Mutex(file)
        }

        func start() {
            Thread { [self] in
                while let file = file.withLock({ $0 }) { file.deleteIfAbandoned() }
                hasStopped.signal()
            }
            .start()
        }

        func stop() {
            file.withLock { $0 = nil }
            hasStopped.wait()
        }
    }

    @Test func `is not taken for abandoned, from its first moment on`() throws {
        let folder = TemporaryFolder()
        let file = StorageFile(folder: folder.url, name: "picture")
        try file.locked {}
        let cleaner = Cleaner(file.neighbor("0.new"))
        cleaner.start()
        defer { cleaner.stop() }
        for number in 0..<3000 {
            let new = file.neighbor("\(number).new")
            cleaner.file.withLock { $0 = new }
            let data = Data("\(number)".utf8)
            try file.writeQuickly(data, by: new)
            #expect(try file.readPrivately(limit: 100) == data)
        }
        #expect(!folder.names.contains { $0.hasSuffix(".new") })
    }
}

#if canImport(Darwin)
@Suite struct `Caches on Apple platforms` {
    private let folder = TemporaryFolder()

    private func isExcluded(_ url: URL) throws -> Bool {
        try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup ?? false
    }

    @Test func `are in no backup, also in a folder that is backed up`() async throws {
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        _ = try await favorites.add(.user(1))
        let cache = ResponseCache(folder: folder.url, byteLimit: 1 << 20)
        await cache.removeAll()
        let images = RemoteImageRepository(
            transport: PictureTransport(),
            folder: folder.file("images"),
            userAgent: "Tests"
        )
        _ = try await images.image(for: .example("a"))
        for name in folder.names where !name.hasSuffix("-lock") {
            #expect(try isExcluded(folder.file(name)) == !name.hasPrefix("favorites"), "\(name)")
        }
    }
}
#endif
