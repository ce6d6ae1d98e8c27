import BrowseDomain
import BrowseGitHubData
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded) struct `Cached responses` {
    private let folder = TemporaryFolder()

    private func cache() -> ResponseCache { ResponseCache(folder: folder.url, clock: ImmediateClock()) }

    /// Stores a response to a request, through the middleware.
    private func store(_ body: String, _ request: HTTPClient.Request, in cache: ResponseCache) async throws {
        let wire = FakeTransport { request, _ throws(BrowseError) in
            HTTPClient.Response(status: 200, headers: ["ETag": "\"1\""], body: Data(body.utf8), url: request.url)
        }
        let response = try await wire.send(request, through: ConditionalCache(cache))
        await response.cacheCommit?.commit()
    }

    /// The body that is cached for a request.
    private func cached(_ request: HTTPClient.Request, in cache: ResponseCache) async -> String? {
        var request = request
        request.options.source = .cacheOnly
        let response = try? await FakeTransport(statuses: 500).send(request, through: ConditionalCache(cache))
        return response.map { String(decoding: $0.body, as: UTF8.self) }
    }

    /// The contents of all files.
    private func bytes() throws -> Data {
        let paths = FileManager.default.enumerator(atPath: folder.url.path())?.map { "\($0)" } ?? []
        return paths.reduce(into: Data()) {
            $0 += FileManager.default.contents(atPath: folder.url.path() + $1) ?? Data()
        }
    }

    private func contains(_ text: String) throws -> Bool { try bytes().range(of: Data(text.utf8)) != nil }

    @Test(arguments: [false, true])
    func `are on no disk after sign-out, unlike those of other accounts`(isDamaged: Bool) async throws {
        let cache = cache()
        for number in 0..<10 {
            let text = String(repeating: "\(number)", count: 700)
            try await store("private-of-mona" + text, .sample("/mona/\(number)", account: "user 1"), in: cache)
            try await store("private-of-hubot" + text, .sample("/hubot/\(number)", account: "user 2"), in: cache)
        }
        if isDamaged {
            for file in cachedFiles(in: folder.url) {
                let handle = try FileHandle(forWritingTo: file)
                try handle.seek(toOffset: 1000)
                try handle.write(contentsOf: Data(count: 100))
                try handle.close()
            }
        }
        await cache.removeAll(of: "user 1", at: HTTPClient.Request.sample().url)
        #expect(cachedFiles(in: folder.url).count == 10)
        #expect(try !contains("mona"))
        #expect(try contains("private-of-hubot"))
        await cache.removeAll()
        #expect(try !contains("hubot"))
    }

    @Test func `are erased before the account's token is deleted, and again afterward`() async throws {
        let cache = cache()
        let credentials = Credentials(token: try Secret("a"))
        let account = await StoredTokenRepository(store: InMemoryTokenStore(credentials)).account()
        let request = HTTPClient.Request.sample(account: account)
        try await store("private-of-mona", request, in: cache)
        let store = TestTokenStore(credentials)
        let wasCached = Monitor<[Bool]>([])
        store.beforeUpdate = { [self] in
            let isCached = try? contains("private-of-mona")
            wasCached.withLock { $0.append(isCached ?? true) }
            // Another process sends a request until the token is deleted.
            try? await self.store("private-of-mona", request, in: self.cache())
        }
        let repository = StoredTokenRepository(
            store: store,
            eraseResponses: { await cache.removeAll(of: $0, at: request.url) }
        )
        _ = try await repository.current()
        try await repository.end()
        #expect(wasCached.value == [false])
        #expect(try !contains("private-of-mona"))
    }

    @Test(arguments: [false, true])
    func `that arrive after the account signed out aren't stored, in any process`(isEverything: Bool) async throws {
        let (here, elsewhere) = (cache(), cache())
        let request = HTTPClient.Request.sample(account: "user 1")
        let wire = FakeTransport { [self] request, _ throws(BrowseError) in
            if isEverything {
                await elsewhere.removeAll()
            } else {
                await elsewhere.removeAll(of: "user 1", at: request.url)
            }
            // The account signs in again, and another request is answered first.
            try? await store("new", request, in: elsewhere)
            return HTTPClient.Response(status: 200, body: Data("old".utf8), url: request.url)
        }
        let late = try await wire.send(request, through: ConditionalCache(here))
        await late.cacheCommit?.commit()
        #expect(await cached(request, in: here) == "new")
        #expect(try !contains("old"))
    }

    @Test func `of accounts with canonically equal names are separate`() async throws {
        let (composed, decomposed) = (
            HTTPClient.Request.sample(account: "jos\u{E9}"), HTTPClient.Request.sample(account: "jose\u{301}")
        )
        #expect(composed.account == decomposed.account)
        let cache = cache()
        try await store("private", composed, in: cache)
        #expect(await cached(decomposed, in: cache) == nil)
        await cache.removeAll(of: "jose\u{301}", at: composed.url)
        #expect(await cached(composed, in: cache) == "private")
    }

    @Test func `of another service remain when an account of the same name signs out`() async throws {
        let cache = cache()
        let request = HTTPClient.Request.sample(account: "user 1")
        var other = request
        other.url = try #require(URL(string: "https://letters.example/a"))
        try await store("one", request, in: cache)
        try await store("other", other, in: cache)
        await cache.removeAll(of: "user 1", at: request.url)
        #expect(await cached(request, in: cache) == nil)
        #expect(await cached(other, in: cache) == "other")
    }

    @Test(arguments: ["\"\u{1}\"", "\"a\u{7F}\"", "\"a\r\nX: b\"", String(repeating: "a", count: 100_000)])
    func `whose ETag can't be sent are requested again without it`(etag: String) async throws {
        let wire = FakeTransport { request, index throws(BrowseError) in
            _ = try request.validatedOrigin()
            return HTTPClient.Response(
                status: 200,
                headers: ["ETag": etag],
                body: Data("\(index)".utf8),
                url: request.url
            )
        }
        for (index, source) in [LoadOptions.Source.network, .network, .networkElseCache].enumerated() {
            let response = try await wire.send(.sample(source: source), through: ConditionalCache(cache()))
            await response.cacheCommit?.commit()
            #expect(response.body == Data("\(index)".utf8))
        }
        #expect(wire.requests.allSatisfy { $0.headers["If-None-Match"] == nil })
        #expect(await cached(.sample(), in: cache()) == "2")
    }

    @Test func `of an account aren't created by reading, or without space`() async throws {
        #expect(await cached(.sample(), in: cache()) == nil)
        await cache().removeAll()
        let off = ResponseCache(folder: folder.url, byteLimit: 0, clock: ImmediateClock())
        try await store("one", .sample(), in: off)
        #expect(folder.names.isEmpty)
    }

    #if os(Linux) || os(macOS)
    /// The request of the process `responses`, with the service's `Accept` in its key.
    private func written(_ number: Int) throws -> HTTPClient.Request {
        let url = try #require(URL(string: "https://api.github.com/items/\(number)"))
        return HTTPClient.Request(
            url: url,
            headers: ["Accept": "application/vnd.github+json"],
            endpoint: "GET /items/{}"
        )
    }

    @Test func `are complete after the process was killed at any instant`() async throws {
        var random = SeededGenerator(seed: 5)
        var found = 0
        for round in 0..<rounds(25) {
            let child = try ChildProcess("responses", folder.url.path(percentEncoded: false), "\(round)")
            let lines = await child.killed(afterLines: Int.random(in: 0..<60, using: &random))
            let cache = cache()
            var count = 0
            for number in 0..<40 {
                guard let body = await cached(try written(number), in: cache) else { continue }
                let item = try JSONDecoder().decode(FaultItem.self, from: Data(body.utf8))
                #expect(item.isConsistent && item.path == "/items/\(number)")
                count += 1
            }
            if lines.count > 5 { #expect(count > 0, "round \(round)") }
            found += count
            let files = cachedFiles(in: folder.url)
            #expect(try files.reduce(0) { try $0 + Data(contentsOf: $1).count } <= (1 << 20) * 9 / 8, "round \(round)")
        }
        #expect(found > 2 * rounds(25))
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `are whole and newer than the last erasure while another process writes, until it's killed`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let child = try ChildProcess("responses", folder.url.path(percentEncoded: false), "\(seed)")
        #expect(await child.hasWritten("ready"))
        let cache = ResponseCache(folder: folder.url, byteLimit: 1 << 20, clock: ImmediateClock())
        var (seen, erased): (Set<FaultItem>, Set<FaultItem>) = ([], [])
        let (end, kill) = (rounds(1200), Int.random(in: 0..<rounds(1200), using: &random))
        for step in 1...end {
            if step == kill { child.killNow() }
            let number = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<60:
                guard let body = await cached(try written(number), in: cache) else { continue }
                let item = try JSONDecoder().decode(FaultItem.self, from: Data(body.utf8))
                #expect(item.isConsistent && item.path == "/items/\(number)", "step \(step)")
                #expect(!erased.contains(item), "step \(step)")
                seen.insert(item)
            case 60..<85:
                // The other process has positive versions.
                let item = FaultItem(path: "/items/\(number)", version: -step, language: "", account: "")
                let body = String(decoding: try JSONEncoder().encode(item), as: UTF8.self)
                try await store(body, try written(number), in: cache)
                seen.insert(item)
            case 85..<95:
                let file = cachedFiles(in: folder.url).randomElement(using: &random)
                guard let file, let handle = try? FileHandle(forUpdating: file) else { continue }
                let offset = UInt64.random(in: 0..<500, using: &random)
                try handle.seek(toOffset: offset)
                let byte = try handle.read(upToCount: 1)?.first ?? 0
                try handle.seek(toOffset: offset)
                try handle.write(contentsOf: [byte ^ 0x10])
            default:
                await cache.removeAll()
                (seen, erased) = ([], erased.union(seen))
            }
        }
        await child.end()
        #expect(seen.union(erased).contains { $0.version < 0 } && !erased.isEmpty)
        let bytes = try cachedFiles(in: folder.url).reduce(0) { try $0 + Data(contentsOf: $1).count }
        #expect(bytes <= (1 << 20) * 5 / 4)
    }
    #endif

    #if os(Linux)
    @Test(.enabled(if: SmallDisk.isAvailable)) func `aren't stored on a full disk, and can be erased from it`()
        async throws
    {
        let disk = try #require(SmallDisk(bytes: 400_000))
        let cache = ResponseCache(folder: disk.folder.url, clock: ImmediateClock())
        var requests: [HTTPClient.Request] = []
        for number in 0..<40 {
            requests.append(.sample("/\(number)", account: "user 1"))
            try await store(String(repeating: "\(number)", count: 10_000), requests[number], in: cache)
        }
        let count = cachedFiles(in: disk.folder.url).count
        #expect((1..<40).contains(count))
        #expect(await cached(requests[0], in: cache) == String(repeating: "0", count: 10_000))
        #expect(await cached(requests[39], in: cache) == nil)
        // A partial file would take space that nothing frees.
        #expect(FileManager.default.enumerator(atPath: disk.folder.url.path())?.map { $0 }.count == count + 2)
        await cache.removeAll(of: "user 1", at: requests[0].url)
        #expect(cachedFiles(in: disk.folder.url).isEmpty)
        try await store("again", requests[39], in: cache)
        #expect(await cached(requests[39], in: cache) == "again")
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func `can be read on a read-only disk`() async throws {
        let disk = try #require(SmallDisk(bytes: 4_000_000))
        let cache = ResponseCache(folder: disk.folder.url, clock: ImmediateClock())
        let mona = HTTPClient.Request.sample(account: "user 1")
        try await store("cached", mona, in: cache)
        #expect(disk.forbidWriting())
        let later = ResponseCache(folder: disk.folder.url, clock: ImmediateClock())
        #expect(await cached(mona, in: later) == "cached")
        await later.removeAll()
        #expect(await cached(mona, in: later) == "cached")
    }
    #endif
}
