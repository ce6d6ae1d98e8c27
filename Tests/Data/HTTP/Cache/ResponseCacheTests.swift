import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

/// What is to be forgotten.
@Suite(.bounded) struct `The responses of an account` {
    private let folder = TemporaryFolder()

    private func keep(_ body: String, _ path: String, of account: String?, in cache: ResponseCache) async throws {
        let request = HTTPRequest.sample(path, account: account)
        let variant = try #require(VaryKey(of: request, varyingBy: [:]))
        let response = HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: Data(body.utf8), url: request.url)
        let key = try #require(CacheKey(request))
        #expect(await cache.commit(response, under: key, variant, generation: 0) != nil)
    }

    /// The contents of the cache's files.
    private func bytes() throws -> Data {
        try folder.names.map { try Data(contentsOf: folder.file($0)) }.reduce(Data(), +)
    }

    @Test func `are in none of the files after removal, unlike those of other accounts`() async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        for number in 0..<40 {
            let text = String(repeating: "\(number)", count: 700)
            try await keep("private-of-mona" + text, "/mona/\(number)", of: "user 1", in: cache)
            try await keep("private-of-hubot" + text, "/hubot/\(number)", of: "user 2", in: cache)
        }
        await cache.removeAll(of: "user 1")
        #expect(await cache.count == 40)
        #expect(try bytes().range(of: Data("mona".utf8)) == nil)
        #expect(try bytes().range(of: Data("private-of-hubot".utf8)) != nil)
        await cache.removeAll()
        #expect(try bytes().range(of: Data("hubot".utf8)) == nil)
    }

    @Test func `are erased before the account's token is deleted`() async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        let credentials = Credentials(token: try Secret("a"))
        try await keep("private-of-mona", "/a", of: credentials.account, in: cache)
        let isCached = { @Sendable [self] in (try? bytes())?.range(of: Data("private-of-mona".utf8)) != nil }
        #expect(isCached())
        let tokens = RecordingTokenStore(credentials, recording: isCached)
        let repository = StoredTokenRepository(store: tokens, responses: cache)
        _ = try await repository.current()
        try await repository.end()
        #expect(tokens.records == [false])
    }

    @Test func `are removed with the file if none remains`() async throws {
        try await keep(
            "secret",
            "/a",
            of: nil,
            in: ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        )
        #expect(folder.names.contains("responses.sqlite"))
        await ResponseCache(folder: folder.url, byteLimit: 0, clock: TestClock(), lockTimeout: .seconds(60)).removeAll(
            of: "user 1"
        )
        #expect(!folder.names.contains { $0.hasPrefix("responses.sqlite") && !$0.hasSuffix("-lock") })
    }

    @Test func `can be removed without a file`() async {
        await ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60)).removeAll()
        #expect(folder.names.isEmpty)
    }

    @Test func `are stored in a new file after the old one was removed`() async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await keep("one", "/a", of: nil, in: cache)
        for name in folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
        try await keep("two", "/b", of: nil, in: cache)
        #expect(await ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60)).count == 1)
    }

    @Test func `are evicted in order of last use, even if the clock is stopped`() async throws {
        let cache = ResponseCache(
            folder: folder.url,
            byteLimit: 400_000,
            now: { testNow },
            clock: TestClock(),
            lockTimeout: .seconds(60)
        )
        let text = String(repeating: "x", count: 36_000)
        for number in 0..<4 { try await keep(text, "/\(number)", of: nil, in: cache) }
        let first = HTTPRequest.sample("/0")
        #expect(await cache.response(for: try #require(CacheKey(first)), first) != nil)
        var number = 4
        while await cache.count == number, number < 20 {
            try await keep(text, "/\(number)", of: nil, in: cache)
            number += 1
        }
        #expect(await cache.response(for: try #require(CacheKey(first)), first) != nil)
        let second = HTTPRequest.sample("/1")
        #expect(await cache.response(for: try #require(CacheKey(second)), second) == nil)
    }

    @Test func `don't exceed the limit with two writers`() async throws {
        let caches = (0..<2).map { _ in
            ResponseCache(folder: folder.url, byteLimit: 400_000, clock: TestClock(), lockTimeout: .seconds(60))
        }
        let text = String(repeating: "x", count: 9_000)
        for number in 0..<120 {
            try await keep(text, "/\(number)", of: nil, in: caches[number / 20 % 2])
            #expect(await caches[0].byteCount <= 400_000)
        }
    }

    @Test(arguments: [false, true])
    func `are revalidated as last seen, and not after they are found removed`(isWriter: Bool) async throws {
        let writer = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await keep("one", "/a", of: nil, in: writer)
        let request = HTTPRequest.sample("/a")
        let key = try #require(CacheKey(request))
        let cache = isWriter ? writer : ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        #expect(await cache.beginRevalidation(for: key, request).validator != nil)
        // Another process, which doesn't notify this one.
        let other = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        other.remove(key)
        #expect(await other.count == 0)
        let known = try #require(await cache.beginRevalidation(for: key, request).validator)
        #expect(known.etag == "\"1\"")
        #expect(await cache.finishRevalidation(known, by: ["ETag": "\"1\""]) == nil)
        #expect(await cache.beginRevalidation(for: key, request).validator == nil)
    }

    @Test func `of another process are revalidated after the next write`() async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await keep("one", "/a", of: nil, in: cache)
        let other = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await keep("two", "/b", of: nil, in: other)
        let request = HTTPRequest.sample("/b")
        let key = try #require(CacheKey(request))
        // It wasn't in the file when this process last wrote to it.
        #expect(await cache.beginRevalidation(for: key, request).validator == nil)
        try await keep("three", "/c", of: nil, in: cache)
        #expect(await cache.beginRevalidation(for: key, request).validator != nil)
        try await keep("four", "/d", of: nil, in: other)
        let last = HTTPRequest.sample("/d")
        #expect(await cache.beginRevalidation(for: try #require(CacheKey(last)), last).validator != nil)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `are not revalidated after removal`(way: Int) async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await keep("one", "/a", of: "user 1", in: cache)
        let request = HTTPRequest.sample("/a", account: "user 1")
        let key = try #require(CacheKey(request))
        #expect(await cache.beginRevalidation(for: key, request).validator != nil)
        #expect(await cache.beginRevalidation(for: key, request, ignoresCache: true).validator == nil)
        switch way {
        case 0: cache.remove(key)
        case 1: await cache.removeAll()
        case 2: await cache.removeAll(of: "user 1")
        default:
            // Something else is there, and is deleted.
            for name in folder.names { try FileManager.default.removeItem(at: folder.file(name)) }
            try Data("no database".utf8).write(to: folder.file("responses.sqlite"))
            #expect(await cache.count == 0)
        }
        #expect(await cache.beginRevalidation(for: key, request).validator == nil)
    }

    @Test func `are discarded if damaged`() async throws {
        let cache = ResponseCache(folder: folder.url, clock: TestClock(), lockTimeout: .seconds(60))
        try await keep("one", "/a", of: nil, in: cache)
        try Database(folder.file("responses.sqlite")).run("UPDATE responses SET head = ?1", [.blob(Data("200".utf8))])
        let request = HTTPRequest.sample("/a")
        #expect(await cache.response(for: try #require(CacheKey(request)), request) == nil)
        #expect(await cache.count == 0)
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
