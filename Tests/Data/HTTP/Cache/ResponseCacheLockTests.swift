import BrowseDomain
import BrowseMocks
import Dispatch
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

#if os(Linux) || os(macOS)
/// A cache whose file another process uses, or whose disk doesn't answer.
@Suite(.bounded)
struct `A blocked response cache` {
    private let folder = TemporaryFolder()
    private let clock = TestClock()

    private func cache(now: @escaping @Sendable () -> Date = { testNow }) -> ResponseCache {
        ResponseCache(folder: folder.url, now: now, clock: clock, lockTimeout: .milliseconds(500))
    }

    /// Responds with the account and the path.
    private static let wire = FakeTransport { request, _ throws(BrowseError) in
        let text = "\(request.account ?? "nobody") reads \(request.url.path())"
        return HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: Data(text.utf8), url: request.url)
    }

    private func send(_ request: HTTPRequest, to cache: ResponseCache) async throws(BrowseError) -> HTTPResponse {
        let response = try await Self.wire.send(request, through: ConditionalCache(cache))
        await response.cacheCommit?.commit()
        return response
    }

    /// The contents of the folder's files.
    private func bytes() throws -> Data {
        try folder.names.map { try Data(contentsOf: folder.file($0)) }.reduce(Data(), +)
    }

    private func hold(_ lock: String) async throws -> ChildProcess {
        let child = try ChildProcess("hold", lock, folder.url.path(percentEncoded: false))
        #expect(await child.hasWritten("held"))
        return child
    }

    /// The clock is stopped, so only the lock's own time-out releases the requests.
    @Test(arguments: ["read", "write", "exclusive", "lock-file"])
    func `delays no request while another process holds a lock`(lock: String) async throws {
        _ = try await send(.sample("/before"), to: cache())
        let child = try await hold(lock)
        let cache = cache()
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for number in 0..<8 { group.addTask { try await send(.sample("/\(number)"), to: cache) } }
            for try await response in group { #expect(response.provenance == .fresh) }
        }
        let offline = await thrown { () throws(BrowseError) in
            try await send(.sample("/before", source: .cacheOnly), to: cache)
        }
        // Readers and writers don't block other readers.
        #expect((offline == nil) == ["read", "write"].contains(lock))
        await child.end()
        // A second later, it is used again.
        await clock.advance(by: .seconds(1))
        _ = try await send(.sample("/after"), to: cache)
        #expect(
            try await send(.sample("/after", source: .cacheOnly), to: cache).body == Data("nobody reads /after".utf8)
        )
    }

    @Test func `is used again after a second, not by each request`() async throws {
        _ = try await send(.sample("/before"), to: cache())
        let child = try await hold("lock-file")
        let cache = cache()
        _ = try await send(.sample("/a"), to: cache)
        await child.end()
        // Nothing holds the lock now.
        await clock.advance(by: .milliseconds(999))
        _ = try await send(.sample("/a"), to: cache)
        #expect(await cache.count == 0)
        await clock.advance(by: .milliseconds(1))
        #expect(await cache.count == 1)
    }

    /// A disk that doesn't respond: the cache's work blocks when it reads the time.
    private final class Disk: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let isStuck = Mutex(false)
        private let signal = AsyncStream<Void>.makeStream()

        func now() -> Date {
            if isStuck.withLock({ $0 }) {
                signal.continuation.yield()
                gate.wait()
                gate.signal()
            }
            return testNow
        }

        /// Blocks the cache's next work.
        func stick(_ cache: ResponseCache) async {
            // A job can continue after its caller has the answer, and would be the one that gets stuck.
            _ = await cache.count
            isStuck.withLock { $0 = true }
        }

        func waitUntilStuck() async {
            for await _ in signal.stream { return }
        }

        func answer() {
            isStuck.withLock { $0 = false }
            gate.signal()
        }
    }

    @Test func `delays one request by 50 milliseconds, and none while it doesn't respond`() async throws {
        let disk = Disk()
        let cache = cache(now: disk.now)
        _ = try await send(.sample("/before"), to: cache)
        await disk.stick(cache)
        let first = Task { try await send(.sample("/first"), to: cache).status }
        await disk.waitUntilStuck()
        let ended = Mutex(false)
        let end = Task {
            _ = try await first.value
            ended.withLock { $0 = true }
        }
        await clock.advance(by: .milliseconds(49))
        #expect(!ended.withLock { $0 })
        await clock.advance(by: .milliseconds(1))
        try await end.value
        // The clock is stopped from here on.
        for number in 0..<20 { #expect(try await send(.sample("/\(number)"), to: cache).status == 200) }
        let offline = await thrown { () throws(BrowseError) in
            try await send(.sample("/before", source: .cacheOnly), to: cache)
        }
        #expect(offline == .unreachable(.notCached, HTTPRequest.sample("/before").info))
        disk.answer()
        // Counted after the blocked work, which completed; the others left no work behind.
        #expect(await cache.count == 2)
        #expect(try await send(.sample("/before", source: .cacheOnly), to: cache).status == 200)
    }

    @Test func `delays no request without a cached response, even after its log was overwritten`() async throws {
        let disk = Disk()
        let cache = ResponseCache(
            folder: folder.url,
            byteLimit: 2 << 20,
            now: disk.now,
            clock: clock,
            lockTimeout: .seconds(60)
        )
        for number in 0..<20 {
            let request = HTTPRequest.sample("/\(number)")
            let response = HTTPResponse(status: 200, body: Data(count: 30_000), url: request.url)
            let variant = try #require(VaryKey(of: request, varyingBy: [:]))
            let key = try #require(CacheKey(request))
            #expect(await cache.commit(response, under: key, variant, generation: 0) != nil)
        }
        await disk.stick(cache)
        let first = Task { try await send(.sample("/first"), to: cache).status }
        await disk.waitUntilStuck()
        // The clock is stopped, so a wait for the disk wouldn't end.
        let other = HTTPRequest.sample("/other")
        #expect(await cache.beginRevalidation(for: try #require(CacheKey(other)), other).validator == nil)
        disk.answer()
        #expect(try await first.value == 200)
    }

    @Test func `doesn't delay a canceled request`() async throws {
        let disk = Disk()
        let cache = cache(now: disk.now)
        _ = try await send(.sample("/before"), to: cache)
        await disk.stick(cache)
        let first = Task { try await send(.sample("/first"), to: cache).status }
        await disk.waitUntilStuck()
        let second = Task {
            await thrown { () throws(BrowseError) in
                try await send(.sample("/before", source: .cacheOnly), to: cache)
            }
        }
        second.cancel()
        #expect(await second.value == .cancelled)
        first.cancel()
        #expect(try await first.value == 200)
        disk.answer()
        #expect(await cache.count == 2)
    }

    @Test(arguments: ["read", "write", "exclusive", "lock-file"], [false, true])
    func `contains nothing of a signed-out account, whatever another process does`(
        lock: String,
        isOpen: Bool
    ) async throws {
        var cache = cache()
        for number in 0..<20 { _ = try await send(.sample("/\(number)", account: "mona"), to: cache) }
        // An open file prevents this lock.
        let isOpen = isOpen && lock != "exclusive"
        if !isOpen { cache = self.cache() }
        let child = try await hold(lock)
        await cache.removeAll(of: "mona")
        #expect(try bytes().range(of: Data("mona reads".utf8)) == nil)
        for reader in [cache, self.cache()] {
            let error = await thrown { () throws(BrowseError) in
                try await send(.sample("/1", source: .cacheOnly, account: "mona"), to: reader)
            }
            #expect(error == .unreachable(.notCached, HTTPRequest.sample("/1").info))
        }
        await child.end()
        await clock.advance(by: .seconds(1))
        _ = try await send(.sample("/after"), to: cache)
        #expect(try await send(.sample("/after", source: .cacheOnly), to: cache).status == 200)
        #expect(try bytes().range(of: Data("mona reads".utf8)) == nil)
    }

    @Test func `contains no removed responses of a signed-out account while another process reads`()
        async throws
    {
        let cache = cache()
        let requests = (0..<5).map { HTTPRequest.sample("/\($0)", account: "mona") }
        for request in requests { _ = try await send(request, to: cache) }
        let child = try await hold("read")
        for request in requests { cache.remove(try #require(CacheKey(request))) }
        #expect(await cache.count == 0)
        #expect(try bytes().range(of: Data("mona reads".utf8)) != nil)
        await cache.removeAll(of: "mona")
        #expect(try bytes().range(of: Data("mona reads".utf8)) == nil)
        await child.end()
    }

    @Test func `erases the log of a process that was killed while erasing`() async throws {
        let before = cache()
        for number in 0..<20 { _ = try await send(.sample("/\(number)", account: "mona"), to: before) }
        try Database(folder.file("responses.sqlite")).run("DELETE FROM responses WHERE account = 'mona'")
        #expect(try bytes().range(of: Data("mona reads".utf8)) != nil)
        // The files as that process leaves them, including its log.
        let left = TemporaryFolder()
        try FileManager.default.createDirectory(at: left.url, withIntermediateDirectories: true)
        for name in folder.names where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(at: folder.file(name), to: left.file(name))
        }
        let reader = try ChildProcess("hold", "read", left.url.path(percentEncoded: false))
        #expect(await reader.hasWritten("held"))
        let after = ResponseCache(folder: left.url, clock: clock, lockTimeout: .milliseconds(500))
        #expect(await after.count == 0)
        await reader.end()
        // The next use after the reader has left.
        #expect(await after.count == 0)
        #expect(await after.count == 0)
        let bytes = try left.names.map { try Data(contentsOf: left.file($0)) }.reduce(Data(), +)
        #expect(bytes.range(of: Data("mona reads".utf8)) == nil)
    }

    @Test(arguments: 0..<4)
    func `doesn't exceed its size, whatever is stored, removed, and read by others`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let limit = 2 << 20
        // Erasing waits this long for the reader, then replaces the file.
        let caches = (0..<2).map { _ in
            ResponseCache(folder: folder.url, byteLimit: limit, clock: TestClock(), lockTimeout: .seconds(5))
        }
        var reader: ChildProcess?
        var stored = 0
        for step in 0..<300 {
            let cache = try #require(caches.randomElement(using: &random))
            let account = Bool.random(using: &random) ? "mona" : "hubot"
            let request = HTTPRequest.sample("/\(Int.random(in: 0..<60, using: &random))", account: account)
            let key = try #require(CacheKey(request))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<70:
                // Occasionally of the maximum size.
                let most = Int.random(in: 0..<6, using: &random) == 0 ? limit / 8 - 200 : 20_000
                let body = Data(count: Int.random(in: 0...most, using: &random))
                let response = HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: body, url: request.url)
                let variant = try #require(VaryKey(of: request, varyingBy: [:]))
                let generation = cache.generation(of: account)
                if await cache.commit(response, under: key, variant, generation: generation) != nil { stored += 1 }
            case 70..<90: _ = await cache.response(for: key, request)
            case 90..<94: cache.remove(key)
            case 94..<95: await cache.removeAll(of: account)
            default:
                await reader?.end()
                reader = nil
                if Bool.random(using: &random), folder.names.contains("responses.sqlite") {
                    reader = try await hold("read")
                }
            }
            _ = await cache.count
            #expect(try folder.byteCount(but: "-shm") <= limit + limit / 10, "seed \(seed), step \(step)")
        }
        await reader?.end()
        #expect(stored > 50)
    }
}
#endif
