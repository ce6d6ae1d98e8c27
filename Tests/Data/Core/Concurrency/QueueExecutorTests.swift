import BrowseDomain
import BrowseMocks
import Dispatch
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// Blocks a queue until it's released, as a system call on a disk that hangs.
final class Hang: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    init(_ queue: QueueExecutor) { queue.handOver { [semaphore] in semaphore.wait() } }

    deinit { end() }

    func end() { semaphore.signal() }
}

@Suite(.bounded) struct `A disk that hangs` {
    private let folder = TemporaryFolder()
    private let clock = TestClock()
    // Valid, because it's constant.
    // swift-format-ignore: NeverForceUnwrap
    private let url = URL(string: "https://api.example")!

    enum Storage: CaseIterable {
        case responses, images, session, keychain, favorites
    }

    /// A store on a queue, and an operation that describes its result.
    private typealias Subject = (queue: QueueExecutor, use: @Sendable (Int) async -> String)

    private func slowQueue() -> QueueExecutor { QueueExecutor("test", patience: .seconds(10), clock: clock) }

    private func subject(_ storage: Storage) throws -> Subject {
        switch storage {
        case .responses:
            let cache = cache()
            let client = client(cache)
            return (cache.blobs.queue, { number in await text { try await client.send(Self.list(number)) } })
        case .images:
            let images = images()
            let queue = try #require(images.files).queue
            return (queue, { number in await text { try await images.image(for: .example("\(number)")).format } })
        case .session:
            let (queue, name) = (slowQueue(), SessionName("Test", at: url))
            let store = FileTokenStore(folder: folder.url, name: name, clock: clock, queue: queue)
            let credentials = Credentials(token: try Secret("secret"))
            return (queue, { _ in await text { try await store.save(credentials) } })
        case .keychain:
            let (queue, name) = (slowQueue(), SessionName("Test", at: url))
            let store = KeychainTokenStore(
                name: name,
                accessGroup: nil,
                fileStore: FileTokenStore(folder: folder.url, name: name, clock: clock, queue: queue),
                keychain: KeychainModel()
            )
            return (queue, { _ in await text { try await store.load() == nil } })
        case .favorites:
            let queue = slowQueue()
            let favorites = SQLiteFavoriteRepository(folder: folder.url, on: queue)
            return (queue, { number in await text { try await favorites.add(.user(Int64(number))) } })
        }
    }

    private func cache() -> ResponseCache { ResponseCache(folder: folder.url, clock: clock) }

    private func client(_ cache: ResponseCache) -> HTTPClient {
        .standard(
            .json(baseURL: url, userAgent: "Tests"),
            transport: FakeTransport(headers: ["ETag": "\"1\""], json: "[1]"),
            cache: cache
        )
    }

    private func images() -> RemoteImageRepository {
        RemoteImageRepository(
            transport: ImageTransport(),
            folder: folder.file("images"),
            userAgent: "Tests",
            options: .init { [clock] in $0.clock = clock }
        )
    }

    private static func list(_ number: Int) -> Endpoint<Int> {
        .json(.path("/list/\(number)")) { (rows: [Int], _) in rows.count }
    }

    /// Runs work, and lets each of its waits expire.
    private func outwaiting<Value>(_ work: () async -> Value) async -> Value {
        // Timers outlast the waits that started them, so it isn't known how often to advance.
        let driver = Task.detached { [clock] in
            while !Task.isCancelled {
                await clock.waitForSleepersAndTimeLimits(1)
                await clock.advance(by: .seconds(10))
            }
        }
        let value = await work()
        driver.cancel()
        // So that no later wait expires.
        await driver.value
        return value
    }

    @Test(arguments: Storage.allCases)
    func `blocks no thread of the pool, and its callers once`(storage: Storage) async throws {
        let (queue, use) = try subject(storage)
        let expected: (during: String, after: String) =
            switch storage {
            case .responses: ("1", "1")
            case .images: ("png", "png")
            case .session: ("busy", "()")
            case .keychain, .favorites: ("busy", "true")
            }
        let hang = Hang(queue)
        let executor = FIFOExecutor()
        await withTaskExecutorPreference(executor) {
            let tasks = (0..<4).map { number in Task(executorPreference: executor) { await use(number) } }
            // A blocked thread would never be idle.
            await executor.waitUntilIdle()
            let results = await outwaiting { () async -> [String] in
                var results: [String] = []
                for task in tasks { results.append(await task.value) }
                return results
            }
            #expect(results == Array(repeating: expected.during, count: 4))
            // The disk still hangs, and the time stands still.
            #expect(await use(0) == expected.during)
        }
        hang.end()
        // After everything that is queued.
        await queue.run(within: .seconds(1000)) {}
        #expect(await use(0) == expected.after)
    }

    @Test func `delays no canceled read`() async throws {
        let (cache, images, queue) = (cache(), images(), slowQueue())
        let favorites = SQLiteFavoriteRepository(folder: folder.url, on: queue)
        let store = FileTokenStore(folder: folder.url, name: SessionName("Test", at: url), clock: clock, queue: queue)
        let client = client(cache)
        let hangs = [cache.blobs.queue, try #require(images.files).queue, queue].map(Hang.init)
        let reads: [@Sendable () async -> String] = [
            { await text { try await client.send(Self.list(0)) } },
            { await text { try await images.image(for: .example("a")) } },
            { await text { try await favorites.ids() } },
            { await text { try await store.load() } },
        ]
        for read in reads {
            let task = Task { await read() }
            await clock.waitForSleepersAndTimeLimits(1)
            task.cancel()
            #expect(await task.value == "cancelled")
        }
        _ = hangs
    }

    @Test func `hides no cached rows from reads that have nothing else, and delays no preview of them`() async throws {
        let cache = cache()
        let client = client(cache)
        #expect(try await client.send(Self.list(0)) == 1)
        let hang = Hang(cache.blobs.queue)
        let shown = Mutex(0)
        let provenance = await outwaiting {
            await text {
                try await LoadPolicy.cachedFirst.load { () throws(BrowseError) in
                    try await client.send(Self.list(0))
                } cached: { _ in
                    shown.withLock { $0 += 1 }
                }
                .provenance
            }
        }
        #expect(provenance == "\(Provenance.fresh)")
        #expect(shown.withLock(\.self) == 0)
        let cached = Task {
            try await LoadOptions(source: .cacheOnly).load { () throws(BrowseError) in
                try await client.send(Self.list(0))
            }
        }
        await clock.waitForSleepersAndTimeLimits(1)
        hang.end()
        #expect(try await cached.value.value == 1)
    }

    @Test func `is erased from after a sign-out that didn't wait for it`() async throws {
        let (queue, cache) = (slowQueue(), cache())
        let store = FileTokenStore(folder: folder.url, name: SessionName("Test", at: url), clock: clock, queue: queue)
        let tokens = StoredTokenRepository(
            store: store,
            eraseResponses: { [url] in await cache.removeAll(of: $0, at: url) }
        )
        let credentials = Credentials(token: try Secret("secret"))
        _ = try await tokens.begin(with: credentials)
        var request = HTTPClient.Request(url: url, endpoint: "GET")
        request.account = credentials.account
        let entry = await cache.entry(for: try #require(ResponseCache.Key(request)), creates: true)
        _ = await entry?.store(HTTPClient.Response(status: 200, body: Data("private".utf8), url: url))
        #expect(cachedFiles(in: folder.url).count == 1)
        let hangs = [queue, cache.blobs.queue].map(Hang.init)
        #expect(await outwaiting { await text { try await tokens.end() } } == "busy")
        #expect(await tokens.account() == nil)
        for hang in hangs { hang.end() }
        for queue in [queue, cache.blobs.queue] { await queue.run(within: .seconds(1000)) {} }
        #expect(cachedFiles(in: folder.url).isEmpty)
        #expect(try await store.load() == nil)
    }

    @Test func `holds at most 16 MiB to store, in order, and skips what nobody waits for`() async {
        let queue = QueueExecutor("test", clock: clock)
        let hang = Hang(queue)
        let done = Monitor<[Int]>([])
        let first: Void? = await outwaiting { await queue.run(storing: 10 << 20) { done.withLock { $0.append(1) } } }
        #expect(first == nil)
        for (number, bytes) in [(2, 10 << 20), (3, nil), (4, 6 << 20), (5, 1), (6, 0)] {
            #expect(await queue.run(storing: bytes) { done.withLock { $0.append(number) } } == nil)
        }
        hang.end()
        await queue.run(within: .seconds(1000)) {}
        #expect(done.value == [1, 4, 6])
        await queue.run(storing: 20 << 20) { done.withLock { $0.append(7) } }
        #expect(done.value == [1, 4, 6, 7])
    }

    @Test func `delays nobody who releases a repository, whose file is closed later`() async throws {
        let queue = slowQueue()
        var favorites: SQLiteFavoriteRepository? = SQLiteFavoriteRepository(folder: folder.url, on: queue)
        _ = try await favorites?.add(.user(1))
        #expect(folder.names.contains("favorites.sqlite-wal"))
        let hang = Hang(queue)
        favorites = nil
        #expect(folder.names.contains("favorites.sqlite-wal"))
        hang.end()
        // The queue can still hold the addition, which releases the repository on it; that then hands over the closing
        // of the file.
        for _ in 0..<2 { await queue.run(within: .seconds(1000)) {} }
        #expect(!folder.names.contains("favorites.sqlite-wal"))
    }

    @Test func `changes no favorite after it has failed`() async throws {
        let (queue, use) = try subject(.favorites)
        let hang = Hang(queue)
        #expect(await outwaiting { await use(1) } == "busy")
        hang.end()
        await queue.run(within: .seconds(1000)) {}
        #expect(try await SQLiteFavoriteRepository(folder: folder.url).ids().isEmpty)
    }
}

/// A description of a result, or of its error.
private func text<Value>(_ body: () async throws -> Value) async -> String {
    do {
        return "\(try await body())"
    } catch BrowseError.storageFailed(let failure) {
        return "\(failure.reason)"
    } catch {
        return "\(error)"
    }
}
