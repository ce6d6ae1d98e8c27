import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Requests that wait in the queues while the token or the session changes.
@Suite(.bounded)
struct `A request that leaves the queues` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let refreshes = ControlledResponses<Secret, Credentials>()
    private let responses = ControlledResponses<String, Int>()
    private let store = InMemoryTokenStore()
    private let waits = EventCounter("slot")
    private let tokens: StoredTokenRepository
    private let clock = TestClock()

    init() {
        let authorization = InMemoryAuthorizationRepository { [refreshes] call throws(BrowseError) in
            guard case .refresh(let token) = call else { return nil }
            return .credentials(try await refreshes.response(to: token))
        }
        tokens = StoredTokenRepository(store: store, authorization: authorization, clock: clock, now: { testNow })
    }

    /// Creates a transport that refuses the token `old`; the request of the path `/first` waits for the test.
    private func server() -> FakeTransport {
        FakeTransport { [responses] request, _ throws(BrowseError) in
            if request.url.path() == "/first" {
                return HTTPClient.Response(status: try await responses.response(to: request.endpoint), url: request.url)
            }
            return HTTPClient.Response(
                status: request.headers["Authorization"] == "Bearer old" ? 401 : 200,
                url: request.url
            )
        }
    }

    private func client(_ server: FakeTransport, slots: Int = 1) throws -> HTTPClient {
        try HTTPClient.authorized(by: tokens, slots: slots, over: server, clock: clock, observers: [waits])
    }

    private func send(_ path: String, method: HTTPMethod = .get, by client: HTTPClient) -> Task<Int, any Error> {
        Task { try await client.send(Endpoint(method: method, .path(EndpointPath(stringLiteral: path))) { $0.status }) }
    }

    /// Starts a request that occupies the slot, and a read and a write that wait for it.
    private func occupy(_ client: HTTPClient) async -> (first: Task<Int, any Error>, others: [Task<Int, any Error>]) {
        let first = send("/first", by: client)
        await responses.waitForRequests(1)
        let others = [send("/a", by: client), send("/star", method: .put, by: client)]
        await waits.wait(for: 2)
        return (first, others)
    }

    @Test func `has the refreshed token, so that 100 waiting reads send the refused one at most once per slot`()
        async throws
    {
        _ = try await tokens.begin(with: credentials("old", user: mona))
        let server = server()
        let client = try client(server, slots: 8)
        let reads = (0..<100).map { send("/\($0)", by: client) }
        await refreshes.waitForRequests(1)
        refreshes.answer(0, with: .success(try credentials("new")))
        for read in reads { #expect(try await read.value == 200) }
        #expect(refreshes.requests.count == 1)
        #expect((1...8).contains(server.requests.count { $0.headers["Authorization"] == "Bearer old" }))
    }

    @Test func `is sent with a token that replaced its own, also if it's a write`() async throws {
        _ = try await tokens.begin(with: credentials("first"))
        let server = server()
        let (first, others) = await occupy(try client(server))
        // Another process has refreshed the token.
        let second = try credentials("second")
        let authorization = InMemoryAuthorizationRepository { _ in .credentials(second) }
        let elsewhere = StoredTokenRepository(
            store: store,
            authorization: authorization,
            clock: clock,
            now: { testNow }
        )
        _ = try await elsewhere.grantAfterRefusal()
        _ = try await tokens.current()
        responses.answer(0, with: .success(200))
        for task in [first] + others { #expect(try await task.value == 200) }
        #expect(
            server.requests.map { $0.headers["Authorization"] } == ["Bearer first", "Bearer second", "Bearer second"]
        )
    }

    @Test(arguments: [true, false])
    func `fails if its account has signed out meanwhile, also if another one has signed in`(
        isReplaced: Bool
    ) async throws {
        _ = try await tokens.begin(with: credentials("monas", user: mona))
        let server = server()
        let (first, others) = await occupy(try client(server))
        if isReplaced { _ = try await tokens.begin(with: credentials("hubots")) } else { try await tokens.end() }
        responses.answer(0, with: .success(200))
        for (task, endpoint) in zip([first] + others, ["GET /first", "GET /a", "PUT /star"]) {
            await #expect(throws: BrowseError.unauthorized(.init(endpoint: endpoint))) { try await task.value }
        }
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer monas"])
    }

    /// Creates a client of the session and an anonymous one, which share one slot.
    private func clients(_ server: FakeTransport) throws -> (own: HTTPClient, anonymous: HTTPClient) {
        let service = HTTPClient.Service.json(
            baseURL: try #require(URL(string: "https://api.example")),
            userAgent: "Tests"
        )
        let options = HTTPClient.Options { [clock] options in
            options.requestConcurrency = 1
            options.retries = .never
            options.clock = clock
        }
        let shared = HTTPClient.SharedMiddleware(of: service, options: options)
        return (
            .standard(service, transport: server, tokens: tokens, shared: shared, options: options),
            .standard(service, transport: server, shared: shared, options: options)
        )
    }

    /// Sends a request that needs a refresh, and another while the first one waits.
    private func expectRequests(_ paths: [String]) async throws {
        let server = server()
        let (client, anonymous) = try clients(server)
        let waiting = send("/a", by: client)
        await refreshes.waitForRequests(1)
        #expect(try await send("/b", by: anonymous).value == 200)
        refreshes.answer(0, with: .success(try credentials("new")))
        #expect(try await waiting.value == 200)
        #expect(server.requests.map { $0.url.path() } == paths)
    }

    @Test func `waits for the refresh of its token without a slot, which others use meanwhile`() async throws {
        var old = try credentials("old", user: mona)
        old.expiresAt = testNow.addingTimeInterval(-1)
        try await store.save(old)
        try await expectRequests(["/b", "/a"])
    }

    @Test func `gives up its slot after a 401, while its token is refreshed`() async throws {
        _ = try await tokens.begin(with: credentials("old", user: mona))
        try await expectRequests(["/a", "/b", "/a"])
    }

    @Test func `gives up its slot after a 401, while its new token reaches all servers`() async throws {
        var new = try credentials("new")
        new.issuedAt = testNow
        _ = try await tokens.begin(with: new)
        let refusals = Monitor(0)
        let server = FakeTransport { request, _ throws(BrowseError) in
            let isRefused = request.headers["Authorization"] != nil && refusals.value < 2
            if isRefused { refusals.withLock { $0 += 1 } }
            return HTTPClient.Response(
                status: isRefused ? 401 : 200,
                headers: ["Content-Type": "application/json"],
                body: Data("{}".utf8),
                url: request.url
            )
        }
        let (client, anonymous) = try clients(server)
        let waiting = send("/a", by: client)
        for seconds in [1, 2] {
            await clock.waitForSleepers(1)
            #expect(try await send("/b", by: anonymous).value == 200)
            await clock.advance(by: .seconds(seconds))
        }
        #expect(try await waiting.value == 200)
        #expect(server.requests.map { $0.url.path() } == ["/a", "/b", "/a", "/b", "/a"])
    }
}
