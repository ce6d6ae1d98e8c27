import BrowseDomain
import BrowseMocks
import Foundation
import TestSupport
import Testing

@testable import BrowseData

/// Responses in a file that several processes share.
@Suite(.timeLimit(.minutes(5)))
struct `Shared responses in a file` {
    private let folder = TemporaryFolder()

    private func store(byteLimit: Int = 1 << 20) -> SQLiteResponseStore {
        SQLiteResponseStore(folder: folder.url, byteLimit: byteLimit, clock: TestClock(), lockTimeout: .seconds(60))
    }

    private func key(_ number: Int, of account: String? = nil) -> ResponseKey {
        ResponseKey(text: "\(number)\n\(account ?? "")", account: account)
    }

    private func record(_ text: String, byteCount: Int = 100) -> ResponseRecord {
        ResponseRecord(head: Data("head \(text)".utf8), body: Data(repeating: UInt8(text.utf8.count), count: byteCount))
    }

    @Test(arguments: 0..<10) func `equal a model after random changes by two processes`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let stores = [store(), store()]
        let accounts: [String?] = [nil, "user 1", "user 2"]
        var model: [ResponseKey: ResponseRecord] = [:]
        for step in 0..<150 {
            guard let store = stores.randomElement(using: &random),
                let account = accounts.randomElement(using: &random)
            else { return }
            let key = key(Int.random(in: 0..<4, using: &random), of: account)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4:
                let record = record("\(step)", byteCount: Int.random(in: 0..<20_000, using: &random))
                try await store.store(record, for: key)
                model[key] = record
            case 4:
                let old = model.values.randomElement(using: &random)?.head ?? Data("none".utf8)
                try await store.replaceHead(old, with: Data("new \(step)".utf8), of: key)
                if model[key]?.head == old { model[key]?.head = Data("new \(step)".utf8) }
            case 5:
                try await store.remove(key)
                model[key] = nil
            case 6 where account != nil || step.isMultiple(of: 5):
                try await store.removeAll(of: account)
                model = account == nil ? [:] : model.filter { $0.key.account != account }
            default:
                #expect(try await store.response(for: key) == model[key], "\(step)")
                #expect(try await store.head(of: key) == model[key]?.head, "\(step)")
            }
        }
    }

    @Test func `are used by a cache, and revalidated by that of another process`() async throws {
        let caches = (0..<2).map { _ in ResponseCache(store: store(), now: { testNow }, clock: TestClock()) }
        let (request, headers) = (HTTPRequest.sample(), ["ETag": "\"1\""] as HTTPHeaders)
        let key = try #require(CacheKey(request))
        let variant = try #require(VaryKey(of: request, varyingBy: headers))
        let sent = HTTPResponse(status: 200, headers: headers, body: Data("one".utf8), url: request.url)
        await caches[0].commit(sent, under: key, variant, generation: caches[0].generation(of: nil))
        let second = FakeTransport(statuses: 304)
        let response = try await second.send(.sample(), through: ConditionalCache(caches[1]))
        #expect(response.body == sent.body)
        #expect(response.provenance == .revalidated)
        #expect(second.requests.first?.headers["If-None-Match"] == "\"1\"")
    }

    @Test func `stay within the limit; the least recently used ones are evicted`() async throws {
        let store = store()
        for number in 0..<60 {
            try await store.store(record("\(number)", byteCount: 50_000), for: key(number))
            // In use.
            #expect(try await store.response(for: key(0)) != nil)
        }
        #expect(try await store.head(of: key(1)) == nil)
        #expect(try await store.head(of: key(59)) != nil)
        #expect(try folder.byteCount(but: "-lock") < 2 << 20)
        // Larger than 1/8 of the limit.
        try await store.store(record("large", byteCount: 200_000), for: key(59))
        #expect(try await store.head(of: key(59)) == nil)
    }

    @Test func `are replaced with an empty file if theirs is damaged`() async throws {
        try await store().store(record("a"), for: key(1))
        let file = folder.url.appending(path: "shared-responses.sqlite")
        for name in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path(percentEncoded: false) + name)
        }
        try Data(repeating: 7, count: 20_000).write(to: file)
        let later = store()
        #expect(try await later.head(of: key(1)) == nil)
        try await later.store(record("b"), for: key(1))
        #expect(try await later.response(for: key(1)) == record("b"))
    }

    @Test func `fail with an error in a folder that can't be used`() async throws {
        // A file in place of the folder.
        try Data().write(to: folder.url)
        let store = SQLiteResponseStore(folder: folder.url)
        let expected = StorageFailure(reason: .unavailable, file: "shared-responses.sqlite")
        await #expect(throws: expected) { try await store.store(record("a"), for: key(1)) }
        await #expect(throws: expected) { try await store.head(of: key(1)) }
    }
}

/// Rate limits in a file that several processes share.
@Suite(.timeLimit(.minutes(5)))
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
