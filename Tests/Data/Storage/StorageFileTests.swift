import BrowseDomain
import BrowseMocks
import Dispatch
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `A file being written` {
    /// Cleans up a folder repeatedly on a thread, as an image folder does when it's opened.
    private final class Cleaner: Sendable {
        private let folder: TemporaryFolder
        private let isNeeded = Atomic(true)
        private let hasStopped = DispatchSemaphore(value: 0)

        init(_ folder: TemporaryFolder) {
            self.folder = folder
        }

        func start() {
            Thread { [self] in
                while isNeeded.load(ordering: .relaxed) {
                    for name in folder.names where name.hasSuffix(".new") {
                        StorageFile(folder: folder.url, name: name).deleteIfAbandoned()
                    }
                }
                hasStopped.signal()
            }
            .start()
        }

        func stop() {
            isNeeded.store(false, ordering: .relaxed)
            hasStopped.wait()
        }
    }

    @Test func `isn't considered abandoned`() throws {
        let folder = TemporaryFolder()
        let file = StorageFile(folder: folder.url, name: "picture")
        try file.locked {}
        let cleaner = Cleaner(folder)
        cleaner.start()
        defer { cleaner.stop() }
        for number in 0..<1000 {
            let new = file.neighbor("\(number).new")
            let data = Data("\(number)".utf8)
            try file.writeUnsynced(data, via: new)
            #expect(try file.readPrivately(limit: 100) == data)
        }
        #expect(!folder.names.contains { $0.hasSuffix(".new") })
    }
}

#if canImport(Darwin)
@Suite(.bounded) struct `Caches on Apple platforms` {
    private let folder = TemporaryFolder()

    private func isExcluded(_ url: URL) throws -> Bool {
        try url.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup ?? false
    }

    @Test func `are excluded from backups, even in a folder that is backed up`() async throws {
        let favorites = SQLiteFavoriteRepository(folder: folder.url)
        _ = try await favorites.add(.user(1))
        let cache = ResponseCache(folder: folder.url, byteLimit: 1 << 20, clock: TestClock())
        await cache.removeAll()
        let images = RemoteImageRepository(
            transport: ImageTransport(),
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
