import BrowseCore
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

/// The grants that a closure returns.
private struct Users: AccessTokens {
    let current: @Sendable () -> AccessGrant?
    func currentGrant() async throws(BrowseError) -> AccessGrant? { current() }
}

extension AccessGrant {
    /// A grant whose token is the account's name.
    fileprivate init?(named name: String) {
        guard let token = try? Secret(name) else { return nil }
        self.init(account: name, token: token)
    }
}

/// Tests the settings that affect requests.
@Suite(.bounded)
struct `Container's HTTP clients` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "network-\(UUID().uuidString)")
    private let library = HTTPClient.Service.json(
        baseURL: URL(string: "https://library.example") ?? URL(filePath: "/"),
        userAgent: "Test"
    )

    /// Records the descriptions of events.
    private final class Observer: HTTPObserver {
        let events = Monitor<[String]>([])
        func observe(_ event: HTTPEvent) { events.withLock { $0.append(event.description) } }
    }

    private static func text(_ text: String, _ request: HTTPClient.Request) -> HTTPClient.Response {
        HTTPClient.Response(status: 200, headers: ["ETag": "\"\(text)\""], body: Data(text.utf8), url: request.url)
    }

    private static func endpoint(_ number: Int = 1) -> Endpoint<String> {
        Endpoint(.path("/a/\("\(number)")")) { String(decoding: $0.body, as: UTF8.self) }
    }

    private func container(_ transport: StubTransport, _ configure: (inout Configuration) -> Void = { _ in })
        -> Container
    {
        var configuration = Configuration().with { $0.storageFolder = folder }
        // Waits for the disk have no limit, however busy the machine is.
        configuration.clock = TestClock()
        configure(&configuration)
        let container = Container(configuration)
        container.transport.override { _ in transport }
        container.gitHubTokenStore.override { container in
            InMemoryTokenStore(container.configuration.gitHub.token.map { Credentials(token: $0) })
        }
        return container
    }

    /// Reads the endpoint's response from the cache only.
    private func cached(by client: HTTPClient) async throws -> String {
        try await LoadOptions(source: .cacheOnly).load { () throws(BrowseError) in
            try await client.send(Self.endpoint())
        }
        .value
    }

    private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

    @Test func `separate the accounts' caches, and deduplicate requests`() async throws {
        defer { cleanUp() }
        let transport = StubTransport { request throws(BrowseError) in
            // Only part of the token: a response that repeats a token isn't stored.
            return Self.text(String((request.headers["Authorization"] ?? "").dropFirst("Bearer token-".count)), request)
        }
        transport.hold()
        let (mona, hubot) = (try AccessToken("token-mona"), try AccessToken("token-hubot"))
        let observer = Observer()
        let first = container(transport) {
            $0.gitHub.token = mona
            $0.observers = [observer]
        }
        let client = first.gitHubClient()
        async let one = client.send(Self.endpoint())
        async let two = client.send(Self.endpoint())
        await observer.events.wait { $0.contains("shares an equal request in flight") }
        transport.release()
        #expect(try await [one, two] == ["mona", "mona"])
        #expect(transport.requests.count == 1)
        // One cache event per request: they were merged before the cache.
        #expect(observer.events.value.count { $0.hasPrefix("cache:") } == 2)
        #expect(try await cached(by: client) == "mona")
        let other = container(transport) { $0.gitHub.token = hubot }.gitHubClient()
        await #expect(throws: BrowseError.self) { try await cached(by: other) }
        #expect(try await other.send(Self.endpoint()) == "hubot")
    }

    @Test func `limit the requests in flight and the retries`() async throws {
        defer { cleanUp() }
        let transport = StubTransport { request throws(BrowseError) in
            return HTTPClient.Response(status: 503, url: request.url)
        }
        transport.hold()
        let observer = Observer()
        let client = container(transport) {
            $0.requestConcurrency = 2
            $0.observers = [observer]
            $0.retries = RetryPolicy(attempts: 3, firstDelay: .zero, deadline: .seconds(100_000))
        }.gitHubClient()
        let tasks = (0..<5).map { number in Task { try await client.send(Self.endpoint(number)) } }
        // Two requests are in flight, and the other three wait.
        await transport.state.wait { $0.requests.count >= 2 }
        await observer.events.wait { $0.count { $0 == "waits for a free slot" } == 3 }
        #expect(transport.requests.count == 2)
        transport.release()
        for task in tasks { await #expect(throws: BrowseError.self) { try await task.value } }
        #expect(transport.state.withLock { $0.most } == 2)
        #expect(transport.requests.count == 15)
    }

    @Test func `check the rate limit before each attempt`() async throws {
        defer { cleanUp() }
        let transport = StubTransport { request throws(BrowseError) in
            HTTPClient.Response(status: 503, headers: Self.usedUp, url: request.url)
        }
        let container = container(transport) { $0.retries = RetryPolicy(attempts: 3, firstDelay: .zero) }
        await #expect(throws: BrowseError.self) { try await container.gitHubClient().send(Self.endpoint()) }
        #expect(transport.requests.count == 1)
        // Responses about rate limits aren't cached, and don't count against them.
        let rateLimits = StubTransport { request throws(BrowseError) in
            let body = #"{"resources":{"core":{"limit":60,"remaining":7,"reset":9999999999}}}"#
            return HTTPClient.Response(status: 200, headers: ["ETag": "\"1\""], body: Data(body.utf8), url: request.url)
        }
        let other = self.container(rateLimits)
        for _ in 0..<2 { #expect(try await other.gitHubRateLimits().refresh().map(\.remaining) == [7]) }
        #expect(rateLimits.requests.allSatisfy { $0.headers["If-None-Match"] == nil && $0.bucket == nil })
        #expect(cachedFiles(in: folder).isEmpty)
    }

    private static let usedUp: HTTPHeaders = [
        "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999",
    ]

    @Test func `call a service's own middleware before the cache`() async throws {
        defer { cleanUp() }
        struct Account: HTTPMiddleware {
            let name: String
            func send(
                _ request: HTTPClient.Request,
                next: @escaping Next
            ) async throws(BrowseError) -> HTTPClient.Response {
                var request = request
                request.account = name
                request.headers["X-Account"] = name
                return try await next(request)
            }
        }
        let transport = StubTransport { request throws(BrowseError) in
            Self.text(request.headers["X-Account"] ?? "", request)
        }
        let container = container(transport)
        let (mona, hubot) = (Account(name: "mona"), Account(name: "hubot"))
        #expect(try await container.client(of: library, middleware: [mona]).send(Self.endpoint()) == "mona")
        #expect(try await container.client(of: library, middleware: [hubot]).send(Self.endpoint()) == "hubot")
        #expect(try await cached(by: container.client(of: library, middleware: [mona])) == "mona")
    }

    private static let privateService = StubTransport { request throws(BrowseError) in
        guard request.headers["If-None-Match"] == nil else { return HTTPClient.Response(status: 304, url: request.url) }
        return HTTPClient.Response(
            status: 200,
            headers: ["ETag": "\"1\""],
            body: Data((request.headers["Authorization"] ?? "nobody").utf8),
            url: request.url
        )
    }

    @Test func `cache responses for the account of their credentials, until it signs out`() async throws {
        defer { cleanUp() }
        let container = container(Self.privateService)
        let user = Monitor<String?>(nil)
        let client = container.client(of: library, tokens: Users { user.value.flatMap { AccessGrant(named: $0) } })
        let users = ["mona", "hubot", nil, "mona"]
        for name in users {
            user.withLock { $0 = name }
            for source in [LoadOptions.Source.network, .network, .cacheOnly] {
                let loaded = try await LoadOptions(source: source).load { () throws(BrowseError) in
                    try await client.send(Self.endpoint())
                }
                #expect(loaded.value == name.map { "Bearer \($0)" } ?? "nobody")
            }
        }
        await container.responseCache().removeAll(of: "mona", at: library.baseURL)
        await #expect(throws: BrowseError.self) { try await cached(by: client) }
        #expect(cachedFiles(in: folder).count == 2)
    }

    @Test func `cache responses of all hosts of an API, until the session ends`() async throws {
        defer { cleanUp() }
        let container = container(Self.privateService)
        var files = library
        files.baseURL = try #require(URL(string: "https://files.library.example"))
        let tokens = container.makeTokenRepository(
            for: library.baseURL,
            files.baseURL,
            store: InMemoryTokenStore(),
            authorization: container.gitHubAuthorizationRepository()
        )
        _ = try await tokens.begin(with: Credentials(token: try Secret("mona")))
        for service in [library, files] {
            #expect(try await container.client(of: service, tokens: tokens).send(Self.endpoint()) == "Bearer mona")
        }
        #expect(cachedFiles(in: folder).count == 2)
        try await tokens.end()
        #expect(cachedFiles(in: folder).isEmpty)
    }

    @Test func `send nothing when offline, and respect the cache limit`() async throws {
        defer { cleanUp() }
        let transport = StubTransport { request throws(BrowseError) in
            Self.text(String(repeating: "x", count: 10_000), request)
        }
        let online = container(transport) { $0.cacheByteLimit = 300_000 }
        for number in 0..<40 { _ = try await online.gitHubClient().send(Self.endpoint(number)) }
        #expect(cachedFiles(in: folder).count <= 30)
        let offline = container(transport) { $0.loadPolicy = .offline }
        #expect(try await offline.gitHubClient().send(Self.endpoint(39)).count == 10_000)
        await #expect(throws: BrowseError.self) { try await offline.gitHubClient().send(Self.endpoint(0)) }
        #expect(transport.requests.count == 40)
    }
}
