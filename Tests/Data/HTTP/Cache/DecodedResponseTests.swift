import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BrowseData
import TestLimits

@Suite(.bounded)
struct `Decoded values of cached responses` {
    private let folder = TemporaryFolder()
    private let server = Server()
    private let cache: ResponseCache
    private let client: HTTPClient
    private let decodings = Monitor(0)

    init() {
        cache = Self.cache(in: folder.url)
        client = HTTPClient(
            service: .sample(),
            transport: server,
            middleware: [Account(), RequestDeduplication(), ConditionalCache(cache)]
        )
    }

    private static func cache(in folder: URL) -> ResponseCache {
        ResponseCache(folder: folder, clock: TestClock(), lockTimeout: .seconds(60))
    }

    /// A server of one resource.
    private final class Server: HTTPTransport {
        struct State {
            var text = "one"
            var link = "first"
            var isOffline = false
            var requests: [HTTPRequest] = []
        }

        let state = Mutex(State())

        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            let state = state.withLock { state in
                state.requests.append(request)
                return state
            }
            guard !state.isOffline else { throw .unreachable(.offline, request.info) }
            let headers: HTTPHeaders = ["ETag": "\"\(state.text)\"", "Link": state.link]
            guard request.headers["If-None-Match"] != headers["ETag"] else {
                return HTTPResponse(status: 304, headers: headers, url: request.url)
            }
            return HTTPResponse(status: 200, headers: headers, body: Data(state.text.utf8), url: request.url)
        }
    }

    private struct Account: HTTPMiddleware {
        func send(
            _ request: HTTPRequest,
            next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
        ) async throws(BrowseError) -> HTTPResponse {
            var request = request
            request.account = "mona"
            return try await next(request)
        }
    }

    /// A decoded value that counts its instances.
    private final class Value: Sendable {
        let response: HTTPResponse
        private let alive: Monitor<Int>
        private let end: @Sendable () -> Void

        init(_ response: HTTPResponse, _ alive: Monitor<Int>, end: @escaping @Sendable () -> Void = {}) {
            self.response = response
            self.alive = alive
            self.end = end
            alive.withLock { $0 += 1 }
        }

        var text: String { `Decoded values of cached responses`.text(of: response) }

        deinit {
            alive.withLock { $0 -= 1 }
            end()
        }
    }

    private static func text(of response: HTTPResponse) -> String {
        "\(String(decoding: response.body, as: UTF8.self)) \(response.headers["Link"] ?? "")"
    }

    private var named: Endpoint<String> {
        Endpoint(.path("/a"), decodingID: "text") { [decodings] response in
            decodings.withLock { $0 += 1 }
            return Self.text(of: response)
        }
    }

    private static let unnamed = Endpoint(.path("/a")) { text(of: $0) }

    private func send<Response>(
        _ endpoint: Endpoint<Response>,
        from source: LoadOptions.Source = .network
    ) async throws(BrowseError) -> Response {
        var options = LoadOptions()
        options.source = source
        return try await options.load { () throws(BrowseError) in try await client.send(endpoint) }.value
    }

    @Test func `are used again each time the server confirms the response`() async throws {
        for _ in 0..<5 { #expect(try await send(named) == "one first") }
        #expect(decodings.value == 1)
    }

    @Test func `are shared by a cached read and its confirmation`() async throws {
        _ = try await send(named)
        #expect(try await send(named, from: .cacheOnly) == "one first")
        #expect(try await send(named) == "one first")
        #expect(decodings.value == 1)
    }

    @Test func `are replaced with a new response`() async throws {
        for text in ["one", "two", "one"] {
            server.state.withLock { $0.text = text }
            for _ in 0..<3 { #expect(try await send(named) == "\(text) first") }
        }
        #expect(decodings.value == 3)
    }

    @Test func `are replaced when a confirmation changes a header field`() async throws {
        for link in ["first", "second", "first"] {
            server.state.withLock { $0.link = link }
            for _ in 0..<3 { #expect(try await send(named) == "one \(link)") }
        }
        #expect(decodings.value == 3)
    }

    @Test func `are replaced when another process stores another body with the same tag`() async throws {
        for _ in 0..<2 { #expect(try await send(named) == "one first") }
        let request = try #require(server.state.withLock { $0.requests.last })
        await Self.cache(in: folder.url).commit(
            HTTPResponse(
                status: 200,
                headers: ["ETag": "\"one\"", "Link": "first"],
                body: Data("other".utf8),
                url: request.url
            ),
            under: try #require(CacheKey(request)),
            try #require(VaryKey(of: request, varyingBy: [:])),
            generation: 0
        )
        #expect(try await send(named) == "other first")
    }

    @Test func `that couldn't be decoded are forgotten with the response`() async throws {
        _ = try await send(Self.unnamed)
        let isNew = Mutex(false)
        let failing = Endpoint<String>(.path("/a"), decodingID: "failing") { response in
            // As after an update of the app: the stored response can't be decoded, but a new one can.
            guard isNew.withLock({ $0 }) else {
                isNew.withLock { $0 = true }
                throw BrowseError.cancelled
            }
            return Self.text(of: response)
        }
        for _ in 0..<2 { #expect(try await send(failing) == "one first") }
        // After the failure, the response was requested once without a condition.
        let isConditional = server.state.withLock { $0.requests.map { $0.headers["If-None-Match"] != nil } }
        #expect(isConditional == [false, true, false, true])
    }

    @Test(arguments: ["text", nil] as [DecodingID?])
    func `stay in memory only if the decoding has a name, and until the memory is released`(id: DecodingID?)
        async throws
    {
        let alive = Monitor(0)
        let endpoint = Endpoint(.path("/a"), decodingID: id ?? DecodingID()) { Value($0, alive) }
        for _ in 0..<3 { #expect(try await send(endpoint).text == "one first") }
        await alive.wait { $0 == (id == nil ? 0 : 1) }
        cache.releaseMemory()
        await alive.wait { $0 == 0 }
    }

    @Test(arguments: ["mona", nil])
    func `are released with the responses of the account, or with all`(account: String?) async throws {
        let alive = Monitor(0)
        let endpoint = Endpoint(.path("/a"), decodingID: "text") { Value($0, alive) }
        for _ in 0..<2 { #expect(try await send(endpoint).text == "one first") }
        if let account { await cache.removeAll(of: account) } else { await cache.removeAll() }
        await alive.wait { $0 == 0 }
        await #expect(throws: BrowseError.self) { try await send(endpoint, from: .cacheOnly).text }
    }

    @Test func `can use the cache when they are released`() async throws {
        let alive = Monitor(0)
        let endpoint = Endpoint(.path("/a"), decodingID: "text") { [cache] response in
            Value(response, alive) { cache.releaseMemory() }
        }
        let releases: [@Sendable () async throws -> Void] = [
            { [cache] in cache.releaseMemory() }, { [cache] in await cache.removeAll(of: "mona") },
            { [cache] in await cache.removeAll() },
            { [self] in
                server.state.withLock { $0.text += "!" }
                for _ in 0..<2 { _ = try await send(named) }
            },
        ]
        for release in releases {
            for _ in 0..<2 { _ = try await send(endpoint) }
            try await release()
            await alive.wait { $0 == 0 }
        }
    }

    @Test func `don't apply to a response that a middleware changed`() async throws {
        let changes = Mutex<@Sendable (inout HTTPResponse) -> Void> { _ in }
        let client = HTTPClient(
            service: .sample(),
            transport: server,
            middleware: [
                ResponseChange { response in changes.withLock { $0 }(&response) }, RequestDeduplication(),
                ConditionalCache(cache),
            ]
        )
        for _ in 0..<2 { #expect(try await client.send(named) == "one first") }
        changes.withLock { $0 = { $0.body = Data("changed".utf8) } }
        #expect(try await client.send(named) == "changed first")
        changes.withLock { $0 = { $0.headers["Link"] = "changed" } }
        #expect(try await client.send(named) == "one changed")
        changes.withLock { $0 = { $0.status = 503 } }
        await #expect(throws: BrowseError.self) { try await client.send(named) }
        changes.withLock { $0 = { _ in } }
        #expect(try await client.send(named) == "one first")
    }

    private struct ResponseChange: HTTPMiddleware {
        let change: @Sendable (inout HTTPResponse) -> Void

        func send(
            _ request: HTTPRequest,
            next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
        ) async throws(BrowseError) -> HTTPResponse {
            var response = try await next(request)
            change(&response)
            return response
        }
    }

    @Test(arguments: 0..<50)
    func `of reads that overlap a removal don't stay in memory`(round: Int) async throws {
        let alive = Monitor(0)
        let endpoint = Endpoint(.path("/a"), decodingID: "text") { Value($0, alive) }
        _ = try await send(endpoint)
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    if number == round % 8 { await cache.removeAll(of: "mona") }
                    _ = await Result.of { () throws(BrowseError) in try await send(endpoint, from: .cacheOnly).text }
                }
            }
        }
        await alive.wait { $0 == 0 }
    }

    @Test(arguments: 0..<50)
    func `of responses that were requested before a removal don't stay in memory`(round: Int) async throws {
        let alive = Monitor(0)
        let held = ControlledResponses<HTTPRequest, HTTPResponse>()
        let client = HTTPClient(
            service: .sample(),
            transport: HeldTransport(held: held),
            middleware: [Account(), RequestDeduplication(), ConditionalCache(cache)]
        )
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    let path: EndpointPath = "/\("\(number)")"
                    return try await client.send(Endpoint(.path(path), decodingID: "text") { Value($0, alive) }).text
                }
            }
            await held.waitForRequests(8)
            group.addTask { [cache] in
                await cache.removeAll(of: "mona")
                return ""
            }
            for index in 0..<8 {
                let url = held.requests[index].url
                held.answer(index, with: .success(HTTPResponse(status: 200, body: Data("\(round)".utf8), url: url)))
            }
            try await group.waitForAll()
        }
        await alive.wait { $0 == 0 }
    }

    private struct HeldTransport: HTTPTransport {
        let held: ControlledResponses<HTTPRequest, HTTPResponse>

        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            try await held.response(to: request)
        }
    }

    @Test func `don't belong to another body with the same checksum`() async throws {
        // In the checksum, the difference of the first block is undone by that of the second one.
        let bodies = [[], [7, 35, 39]].map { changed in
            var body = Data(count: 64)
            for index in changed { body[index] = 0x80 }
            return body
        }
        #expect(CachedResponse.checksum(of: [bodies[0]]) == CachedResponse.checksum(of: [bodies[1]]))
        let responses = DecodedResponses(limit: 1 << 20)
        let key = try #require(CacheKey(.sample()))
        for body in bodies + bodies {
            let response = CachedResponse(
                HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: body, url: HTTPRequest.sample().url),
                date: testNow
            )
            let value = await responses.decoding(of: response, under: key).value(for: "a") { () throws(BrowseError) in
                body
            }
            #expect(try value?.get() == body)
        }
    }

    /// Keys and responses with bodies of 5 bytes.
    private func samples(_ count: Int) throws -> [(key: CacheKey, response: CachedResponse)] {
        let response = HTTPResponse(status: 200, body: Data(count: 5), url: HTTPRequest.sample().url)
        return try (0..<count).map { number in
            (try #require(CacheKey(.sample("/\(number)"))), CachedResponse(response, date: testNow))
        }
    }

    @Test func `can use the memory when they are evicted`() async throws {
        let responses = DecodedResponses(limit: 2 * (5 + DecodedResponses.overhead))
        let alive = Monitor(0)
        for (key, response) in try samples(3) {
            _ = await responses.decoding(of: response, under: key).value(for: "a") { () throws(BrowseError) in
                Value(response.response(.fresh), alive) { responses.removeAll() }
            }
        }
        responses.removeAll()
        await alive.wait { $0 == 0 }
    }

    @Test func `are limited by the size of the bodies`() async throws {
        let responses = DecodedResponses(limit: 3 * (5 + DecodedResponses.overhead))
        let samples = try samples(3)
        let isDecoded = { @Sendable (index: Int) async -> Bool in
            let (key, response) = samples[index]
            let decoded = Mutex(false)
            _ = await responses.decoding(of: response, under: key).value(for: "a") { () throws(BrowseError) in
                decoded.withLock { $0 = true }
            }
            return decoded.withLock { $0 }
        }
        for index in [0, 1, 0, 2] { _ = await isDecoded(index) }
        // The least recently used one was evicted, which evicts another now.
        #expect(await isDecoded(0) == false)
        #expect(await isDecoded(2) == false)
        #expect(await isDecoded(1))
    }

    @Test func `of new responses don't evict those that are used again`() async throws {
        let responses = DecodedResponses(limit: 20 * (5 + DecodedResponses.overhead))
        let samples = try samples(10)
        let isKnown = { @Sendable (index: Int) async -> Bool in
            let (key, response) = samples[index]
            let decoded = Mutex(false)
            _ = await responses.decoding(of: response, under: key).value(for: "a") { () throws(BrowseError) in
                decoded.withLock { $0 = true }
            }
            return !decoded.withLock { $0 }
        }
        let insert = { @Sendable (index: Int) async in
            let values = CoalescedDecoding()
            _ = await values.value(for: "a") { () throws(BrowseError) in }
            responses.insert(values, of: samples[index].response, under: samples[index].key)
        }
        await insert(0)
        #expect(await isKnown(0))
        for index in 1..<10 { await insert(index) }
        // A tenth of the space is for new ones, which is used again after a confirmation.
        #expect(await isKnown(0))
        #expect(await isKnown(9))
        #expect(await isKnown(8))
        #expect(await isKnown(7) == false)
        for index in 1..<7 { await insert(index) }
        for index in [0, 7, 8, 9, 5, 6] { #expect(await isKnown(index)) }
    }

    @Test(arguments: 0..<20)
    func `never differ from those of a new decoding`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let other = Self.cache(in: folder.url)
        for _ in 0..<60 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: server.state.withLock { $0.text = ["one", "two"][Int.random(in: 0..<2, using: &random)] }
            case 1: server.state.withLock { $0.link = ["first", "second"][Int.random(in: 0..<2, using: &random)] }
            case 2: server.state.withLock { $0.isOffline.toggle() }
            case 3: await cache.removeAll(of: "mona")
            case 4: await other.removeAll()
            case 5: cache.releaseMemory()
            case 6...7:
                let tasks = (0..<3).map { _ in Task { try await send(named) } }
                tasks[Int.random(in: 0..<3, using: &random)].cancel()
                async let removal: Void = random.next().isMultiple(of: 2) ? cache.removeAll(of: "mona") : ()
                for task in tasks { _ = await task.result }
                await removal
            default:
                let source: LoadOptions.Source = [.network, .networkElseCache][Int.random(in: 0..<2, using: &random)]
                _ = await Result.of { () throws(BrowseError) in try await send(named, from: source) }
            }
            let result = await Result.of { () throws(BrowseError) in try await send(named, from: .cacheOnly) }
            let expected = await Result.of { () throws(BrowseError) in try await send(Self.unnamed, from: .cacheOnly) }
            #expect(result == expected)
            let state = server.state.withLock { $0 }
            guard !state.isOffline else { continue }
            #expect(try await send(named) == "\(state.text) \(state.link)")
        }
    }
}
