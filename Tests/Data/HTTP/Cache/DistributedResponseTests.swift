import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BrowseData
import TestLimits

/// Caches of several processes on one store.
@Suite(.bounded)
struct `Shared responses` {
    private let clock = TestClock()
    private let store = FaultyStore()

    private func cache() -> ResponseCache {
        ResponseCache(store: store, byteLimit: 80_000, now: { testNow }, clock: clock)
    }

    /// Commits a response as the client does after decoding it.
    private func keep(
        _ body: String,
        _ path: String = "/a",
        of account: String? = nil,
        headers: HTTPHeaders = ["ETag": "\"1\""],
        in cache: ResponseCache
    ) async throws {
        let request = HTTPRequest.sample(path, account: account)
        let key = try #require(CacheKey(request))
        let variant = try #require(VaryKey(of: request, varyingBy: headers))
        let response = HTTPResponse(status: 200, headers: headers, body: Data(body.utf8), url: request.url)
        await cache.commit(response, under: key, variant, generation: cache.generation(of: account))
    }

    private func cached(_ path: String = "/a", of account: String? = nil, in cache: ResponseCache) async throws
        -> String?
    {
        let request = HTTPRequest.sample(path, account: account)
        let key = try #require(CacheKey(request))
        let allowance = CacheAllowance()
        return await cache.response(for: key, request, within: allowance).map {
            String(decoding: $0.body, as: UTF8.self)
        }
    }

    @Test func `are revalidated by another process`() async throws {
        try await keep("one", in: cache())
        let server = FakeTransport(statuses: 304)
        let response = try await server.send(.sample(), through: ConditionalCache(cache()))
        #expect(response.body == Data("one".utf8))
        #expect(response.provenance == .revalidated)
        #expect(server.requests.first?.headers["If-None-Match"] == "\"1\"")
    }

    @Test func `that another process replaced are requested again`() async throws {
        let here = cache()
        try await keep("one", in: here)
        try await keep("two", headers: ["ETag": "\"2\""], in: cache())
        let server = FakeTransport { request, _ throws(BrowseError) in
            let status = request.headers["If-None-Match"] == nil ? 200 : 304
            return HTTPResponse(
                status: status,
                headers: ["ETag": "\"1\""],
                body: Data("new".utf8),
                url: request.url
            )
        }
        // The validator in memory is out of date.
        let response = try await server.send(.sample(), through: ConditionalCache(here))
        #expect(response.body == Data("new".utf8))
        #expect(server.requests.count == 2)
    }

    @Test func `keep the headers of a confirmation`() async throws {
        let here = cache()
        try await keep("one", headers: ["ETag": "\"1\"", "Link": "old"], in: here)
        let server = FakeTransport(statuses: 304, headers: ["Link": "new"])
        _ = try await server.send(.sample(), through: ConditionalCache(here))
        await store.headReplacements.wait { $0 == 1 }
        let key = try #require(CacheKey(.sample()))
        let allowance = CacheAllowance()
        let stored = await cache().response(for: key, .sample(), within: allowance)
        #expect(stored?.headers["Link"] == "new")
        #expect(stored?.body == Data("one".utf8))
    }

    @Test func `aren't waited for longer than 50 ms, and then not asked for a second`() async throws {
        let cache = cache()
        store.isStalled = true
        let server = FakeTransport(statuses: 200)
        let task = Task { try await server.send(.sample(), through: ConditionalCache(cache)) }
        await store.stalled.waitForRequests(1)
        await clock.waitForSleepersAndTimeLimits(1)
        #expect(server.requests.isEmpty)
        await clock.advance(by: .milliseconds(50))
        #expect(try await task.value.status == 200)
        _ = try await server.send(.sample(), through: ConditionalCache(cache))
        #expect(store.stalled.requests.count == 1)
        store.isStalled = false
        await clock.advance(by: .seconds(1))
        try await keep("one", in: cache)
        #expect(try await cached(in: cache) == "one")
    }

    @Test func `of an account are erased before the next use if the store wasn't available`() async throws {
        let here = cache()
        try await keep("mona's", of: "user 1", in: here)
        try await keep("hubot's", of: "user 2", in: here)
        store.isAvailable = false
        await here.removeAll(of: "user 1")
        store.isAvailable = true
        await clock.advance(by: .seconds(1))
        #expect(try await cached(of: "user 2", in: here) == "hubot's")
        #expect(try await cached(of: "user 1", in: cache()) == nil)
    }

    @Test func `of an account are erased at the next start if the store wasn't available until the exit`() async throws
    {
        let folder = TemporaryFolder()
        let store = store
        func start() -> ResponseCache {
            ResponseCache(store: store, folder: folder.url, now: { testNow }, clock: clock)
        }
        let ending = start()
        try await keep("mona's", of: "user 1", in: ending)
        try await keep("hubot's", of: "user 2", in: ending)
        store.isAvailable = false
        await ending.removeAll(of: "user 1")
        // A start while the store isn't available doesn't lose it.
        #expect(try await cached(of: "user 2", in: start()) == nil)
        store.isAvailable = true
        // The first use, with a cache that doesn't know the account.
        #expect(try await cached(of: "user 2", in: start()) == "hubot's")
        #expect(try await cached(of: "user 1", in: cache()) == nil)
        // The file is updated in the background; a later erasure waits for it.
        await start().removeAll(of: "user 3")
        #expect(!StorageFile(folder: folder.url, name: "pending-erasures.json").exists)
    }

    @Test func `are waited for 50 ms, however many erasures are pending`() async throws {
        let here = cache()
        store.isAvailable = false
        for user in 1...3 { await here.removeAll(of: "user \(user)") }
        store.isAvailable = true
        await clock.advance(by: .seconds(1))
        store.isErasingStalled = true
        let task = Task { try await cached(in: here) }
        for number in 1...2 {
            await store.stalledErasures.waitForRequests(number)
            await clock.waitForSleepersAndTimeLimits(1)
            await clock.advance(by: .milliseconds(25))
            store.stalledErasures.answer(number - 1, with: .success(true))
        }
        #expect(try await task.value == nil)
        #expect(store.stalledErasures.requests.count == 2)
    }

    @Test func `have an erasure that began again during another one done twice`() {
        let erasures = PendingErasures(folder: nil)
        let erasure = CacheErasure.account("user 1")
        erasures.insert(erasure)
        let first = erasures.all[erasure] ?? 0
        erasures.insert(erasure)
        erasures.remove(erasure, first)
        let second = erasures.all[erasure]
        #expect(second != nil)
        erasures.remove(erasure, second ?? 0)
        #expect(erasures.all.isEmpty)
    }

    @Test func `are all erased at the start if the pending erasures can't be read`() async throws {
        let folder = TemporaryFolder()
        try await keep("mona's", of: "user 1", in: cache())
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try StorageFile(folder: folder.url, name: "pending-erasures.json").writePrivately(Data("{".utf8))
        let cache = ResponseCache(store: store, folder: folder.url, now: { testNow }, clock: clock)
        #expect(try await cached(of: "user 1", in: cache) == nil)
    }

    @Test func `have their erasure stored before the token is deleted`() async throws {
        let folder = TemporaryFolder()
        let file = StorageFile(folder: folder.url, name: "pending-erasures.json")
        let cache = ResponseCache(store: store, folder: folder.url, now: { testNow }, clock: clock)
        let tokens = RecordingTokenStore(Credentials(token: try Secret("a"))) { file.exists }
        let repository = StoredTokenRepository(store: tokens, responses: cache)
        _ = try await repository.current()
        store.isAvailable = false
        try await repository.end()
        #expect(tokens.records == [true])
    }

    @Test func `requested before a sign-out aren't stored`() async throws {
        let here = cache()
        let request = HTTPRequest.sample(account: "user 1")
        let key = try #require(CacheKey(request))
        let variant = try #require(VaryKey(of: request, varyingBy: [:]))
        let generation = here.generation(of: "user 1")
        await here.removeAll(of: "user 1")
        let response = HTTPResponse(status: 200, body: Data("late".utf8), url: request.url)
        #expect(await here.commit(response, under: key, variant, generation: generation) == nil)
        #expect(try await cached(of: "user 1", in: cache()) == nil)
    }

    @Test func `that are damaged or too large aren't used`() async throws {
        let here = cache()
        try await keep("one", in: here)
        store.damage()
        #expect(try await cached(in: here) == nil)
        await store.removals.wait { $0 == 1 }
        try await keep(String(repeating: "a", count: 10_001), "/large", in: here)
        #expect(try await cached("/large", in: here) == nil)
    }

    @Test(arguments: 0..<20) func `equal a model after random changes by two processes`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let caches = [cache(), cache()]
        let accounts: [String?] = [nil, "user 1", "user 2"]
        var model: [String: String] = [:]
        for step in 0..<100 {
            guard let cache = caches.randomElement(using: &random),
                let account = accounts.randomElement(using: &random)
            else { return }
            let path = "/\(Int.random(in: 0..<4, using: &random))"
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                try await keep("\(step)", path, of: account, in: cache)
                model["\(account ?? "") \(path)"] = "\(step)"
            case 4 where account != nil:
                await cache.removeAll(of: account ?? "")
                model = model.filter { !$0.key.hasPrefix("\(account ?? "") ") }
            case 5 where step.isMultiple(of: 5):
                await cache.removeAll()
                model = [:]
            default:
                #expect(try await cached(path, of: account, in: cache) == model["\(account ?? "") \(path)"], "\(step)")
            }
        }
    }
}

/// A store in memory that can stall, fail, and damage its records.
private final class FaultyStore: ResponseStore {
    private let store = InMemoryResponseStore()
    private let state = Mutex((isAvailable: true, isStalled: false, isErasingStalled: false, isDamaged: false))
    let stalledErasures = ControlledResponses<String?, Bool>()
    let stalled = ControlledResponses<ResponseKey, Bool>()
    let headReplacements = Monitor(0)
    let removals = Monitor(0)

    var isAvailable: Bool {
        get { state.withLock { $0.isAvailable } }
        set { state.withLock { $0.isAvailable = newValue } }
    }

    var isStalled: Bool {
        get { state.withLock { $0.isStalled } }
        set { state.withLock { $0.isStalled = newValue } }
    }

    var isErasingStalled: Bool {
        get { state.withLock { $0.isErasingStalled } }
        set { state.withLock { $0.isErasingStalled = newValue } }
    }

    /// Changes a byte of each record that is read from now on.
    func damage() { state.withLock { $0.isDamaged = true } }

    private func check(_ key: ResponseKey?) async throws(StorageFailure) {
        if let key, isStalled {
            // Responds after the caller has stopped waiting.
            _ = try? await stalled.response(to: key)
        }
        guard isAvailable else { throw StorageFailure(reason: .unavailable, file: "test") }
    }

    func head(of key: ResponseKey) async throws(StorageFailure) -> Data? {
        try await check(key)
        return try await store.head(of: key)
    }

    func response(for key: ResponseKey) async throws(StorageFailure) -> ResponseRecord? {
        try await check(key)
        var record = try await store.response(for: key)
        if state.withLock({ $0.isDamaged }) { record?.body[0] ^= 1 }
        return record
    }

    func store(_ response: ResponseRecord, for key: ResponseKey) async throws(StorageFailure) {
        try await check(key)
        try await store.store(response, for: key)
    }

    func replaceHead(_ old: Data, with new: Data, of key: ResponseKey) async throws(StorageFailure) {
        try await check(key)
        try await store.replaceHead(old, with: new, of: key)
        headReplacements.withLock { $0 += 1 }
    }

    func remove(_ key: ResponseKey) async throws(StorageFailure) {
        try await check(key)
        try await store.remove(key)
        removals.withLock { $0 += 1 }
    }

    func removeAll(of account: String?) async throws(StorageFailure) {
        if isErasingStalled { _ = try? await stalledErasures.response(to: account) }
        try await check(nil)
        try await store.removeAll(of: account)
    }
}

/// A token store that records a condition at each change.
private final class RecordingTokenStore: TokenStore {
    private let store: InMemoryTokenStore
    private let condition: @Sendable () -> Bool
    private let recorded = Mutex<[Bool]>([])

    init(_ credentials: Credentials, recording condition: @escaping @Sendable () -> Bool) {
        store = InMemoryTokenStore(credentials)
        self.condition = condition
    }

    var records: [Bool] { recorded.withLock(\.self) }

    func load() async throws(BrowseError) -> Credentials? { try await store.load() }

    func update(
        _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        recorded.withLock { $0.append(condition()) }
        try await store.update(change)
    }
}
