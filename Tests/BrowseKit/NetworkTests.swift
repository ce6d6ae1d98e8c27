import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowseData
@testable import BrowseKit

/// What a configuration decides about the way of requests.
@Suite(.timeLimit(.minutes(5)))
struct `The network of a container` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "network-\(UUID().uuidString)")

    /// Answers every request in a way of its own, and counts them.
    private final class Wire: HTTPTransport {
        struct State {
            var isHolding = false
            var now = 0
            var most = 0
            var requests: [HTTPRequest] = []
        }

        let state = Monitor(State())
        private let answer: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse

        init(_ answer: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse) {
            self.answer = answer
        }

        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
                state.requests.append(request)
            }
            await state.wait { !$0.isHolding }
            defer { state.withLock { $0.now -= 1 } }
            return try await answer(request)
        }

        /// Answers nothing until ``letGo()``.
        func hold() { state.withLock { $0.isHolding = true } }
        func letGo() { state.withLock { $0.isHolding = false } }

        var requests: [HTTPRequest] { state.value.requests }
    }

    /// Records the descriptions of events.
    private final class Observer: SynchronousObserver {
        let events = Monitor<[String]>([])
        func observe(_ event: HTTPEvent) { events.withLock { $0.append(event.description) } }
    }

    private static func text(_ text: String, _ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["ETag": "\"\(text)\""], body: Data(text.utf8), url: request.url)
    }

    private static func endpoint(_ number: Int = 1) -> Endpoint<String> {
        Endpoint(.path("/a/\("\(number)")")) { String(decoding: $0.body, as: UTF8.self) }
    }

    private func container(_ wire: Wire, _ configure: (inout Configuration) -> Void = { _ in }) -> Container {
        var configuration = Configuration(storageFolder: folder)
        configure(&configuration)
        let container = Container(configuration)
        container.transport.override { _ in wire }
        container.responseCache.override { container in
            let configuration = container.configuration
            return ResponseCache(
                folder: configuration.responseFolder,
                byteLimit: configuration.cacheByteLimit,
                clock: TestClock(),
                lockTimeout: .seconds(60)
            )
        }
        container.tokenStore.override { container in
            InMemoryTokenStore(container.configuration.gitHubToken.map { GitHub.Credentials(token: $0) })
        }
        return container
    }

    private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

    @Test func `keeps one account's responses from another, and sends equal requests once`() async throws {
        defer { cleanUp() }
        let wire = Wire { request throws(BrowseError) in
            // Not all of the token: a response that repeats it isn't stored.
            return Self.text(String((request.headers["Authorization"] ?? "").dropFirst("Bearer token-".count)), request)
        }
        wire.hold()
        let (mona, hubot) = (try GitHub.AccessToken("token-mona"), try GitHub.AccessToken("token-hubot"))
        let observer = Observer()
        let first = container(wire) {
            $0.gitHubToken = mona
            $0.observers = [observer]
        }
        let client = first.gitHubClient()
        async let one = client.send(Self.endpoint())
        async let two = client.send(Self.endpoint())
        await observer.events.wait { $0.contains("shares an equal request in flight") }
        wire.letGo()
        #expect(try await [one, two] == ["mona", "mona"])
        #expect(wire.requests.count == 1)
        // Each of the two looked for what is kept once at most, so that they were one before that.
        #expect(observer.events.value.count { $0.hasPrefix("cache:") } == 2)
        var kept = LoadOptions(source: .cacheOnly)
        let again = try await kept.load { () throws(BrowseError) in try await client.send(Self.endpoint()) }
        #expect(again.value == "mona")
        let other = container(wire) { $0.gitHubToken = hubot }.gitHubClient()
        await #expect(throws: BrowseError.self) {
            try await kept.load { () throws(BrowseError) in try await other.send(Self.endpoint()) }
        }
        kept.source = .network
        #expect(try await other.send(Self.endpoint()) == "hubot")
    }

    @Test func `sends no more at once than it may, and tries again as often`() async throws {
        defer { cleanUp() }
        let wire = Wire { request throws(BrowseError) in
            return HTTPResponse(status: 503, url: request.url)
        }
        wire.hold()
        let observer = Observer()
        let client = container(wire) {
            $0.requestConcurrency = 2
            $0.observers = [observer]
            $0.retries = RetryPolicy(attempts: 3, firstDelay: .zero, deadline: .seconds(100_000))
        }.gitHubClient()
        let tasks = (0..<5).map { number in Task { try await client.send(Self.endpoint(number)) } }
        // Two are sent, and the other three wait for a slot.
        await wire.state.wait { $0.requests.count >= 2 }
        await observer.events.wait { $0.count { $0 == "waits for a free slot" } == 3 }
        #expect(wire.requests.count == 2)
        wire.letGo()
        for task in tasks { await #expect(throws: BrowseError.self) { try await task.value } }
        #expect(wire.state.withLock { $0.most } == 2)
        #expect(wire.requests.count == 15)
    }

    @Test func `asks the gate before each attempt, so that none is sent into a budget that is used up`() async throws {
        defer { cleanUp() }
        let wire = Wire { request throws(BrowseError) in
            HTTPResponse(status: 503, headers: Self.usedUp, url: request.url)
        }
        let container = container(wire) { $0.retries = RetryPolicy(attempts: 3, firstDelay: .zero) }
        await #expect(throws: BrowseError.self) { try await container.gitHubClient().send(Self.endpoint()) }
        #expect(wire.requests.count == 1)
        // What is told of budgets is not kept, and costs none.
        let asking = Wire { request throws(BrowseError) in
            let body = #"{"resources":{"core":{"limit":60,"remaining":7,"reset":9999999999}}}"#
            return HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: Data(body.utf8), url: request.url)
        }
        let other = self.container(asking)
        for _ in 0..<2 { #expect(try await other.gitHubRateLimits().refresh().map(\.remaining) == [7]) }
        #expect(asking.requests.allSatisfy { $0.headers["If-None-Match"] == nil && $0.bucket == nil })
        #expect(await other.responseCache().count == 0)
    }

    private static let usedUp: HTTPHeaders = [
        "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999",
    ]

    @Test func `sends nothing when it is offline, and keeps as much as it may`() async throws {
        defer { cleanUp() }
        let wire = Wire { request throws(BrowseError) in Self.text(String(repeating: "x", count: 10_000), request) }
        let online = container(wire) { $0.cacheByteLimit = 300_000 }
        for number in 0..<40 { _ = try await online.gitHubClient().send(Self.endpoint(number)) }
        #expect(await online.responseCache().byteCount <= 300_000)
        let offline = container(wire) { $0.loadPolicy = .offline }
        #expect(try await offline.gitHubClient().send(Self.endpoint(39)).count == 10_000)
        await #expect(throws: BrowseError.self) { try await offline.gitHubClient().send(Self.endpoint(0)) }
        #expect(wire.requests.count == 40)
    }
}
