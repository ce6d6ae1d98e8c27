import BrowseDomain
import BrowseMocks
import Foundation
import TestSupport
import Testing

@testable import BrowseData
import TestLimits

/// Rate limits in a file that several processes share.
@Suite(.bounded)
struct `Rate limits in a file` {
    private let folder = TemporaryFolder()

    private func store(now: @escaping @Sendable () -> Date = { testNow }) -> SQLiteRateLimitStore {
        SQLiteRateLimitStore(folder: folder.url, now: now, lockTimeout: .seconds(60))
    }

    private func load(_ key: String, from store: SQLiteRateLimitStore) async throws -> Data? {
        let loaded = Monitor<Data?>(nil)
        try await store.update(key) { data in
            loaded.withLock { $0 = data }
            return nil
        }
        return loaded.value
    }

    @Test func `are changed atomically by several stores`() async throws {
        let stores = (0..<4).map { _ in store() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<80 {
                group.addTask { try await stores[number % 4].update("a") { ($0 ?? Data()) + Data([1]) } }
            }
            try await group.waitForAll()
        }
        #expect(try await load("a", from: store())?.count == 80)
    }

    @Test func `are deleted a day after their last change`() async throws {
        try await store().update("a") { _ in Data([1]) }
        let later = store(now: { testNow.addingTimeInterval(86_402) })
        try await later.update("b") { _ in Data([2]) }
        #expect(try await load("a", from: later) == nil)
        #expect(try await load("b", from: later) == Data([2]))
    }

    @Test func `are replaced with an empty file if theirs is damaged`() async throws {
        let open = store()
        try await open.update("a") { _ in Data([1]) }
        let file = folder.url.appending(path: "limits.sqlite")
        try FileManager.default.removeItem(at: file)
        try Data(repeating: 7, count: 20_000).write(to: file)
        for store in [store(), open] {
            try await store.update("b") { _ in Data([2]) }
            #expect(try await load("b", from: store) == Data([2]))
        }
    }

    @Test func `fail with an error in a folder that can't be used`() async throws {
        // A file in place of the folder.
        try Data().write(to: folder.url)
        let store = SQLiteRateLimitStore(folder: folder.url)
        await #expect(throws: StorageFailure(reason: .notWritable, file: "limits.sqlite")) {
            try await store.update("a") { _ in Data([1]) }
        }
    }
}
