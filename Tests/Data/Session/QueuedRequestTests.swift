import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// Requests that wait in the queues while the token or the session changes.
@Suite(.bounded)
struct `A request that leaves the queues` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let refreshes = ControlledResponses<Secret, Credentials>()
    private let responses = ControlledResponses<String, Int>()
    private let store = InMemoryTokenStore()
    /// The number of requests with a token.
    private let authorized = Monitor(0)
    private let tokens: StoredTokenRepository
    private let clock = TestClock()

    init() {
        var double = AuthorizationRepositoryDouble()
        double.onRefresh = { [refreshes] token throws(BrowseError) in try await refreshes.response(to: token) }
        tokens = StoredTokenRepository(store: store, authorization: double, clock: clock, now: { testNow })
    }

    private func credentials(_ text: String, user: GitHub.User? = nil) throws -> Credentials {
        Credentials(token: try Secret(text), refreshToken: try Secret(text + "-refresh"), user: user)
    }

    /// Creates a chain whose first request waits for a response.
    ///
    /// All others succeed with a current token.
    private func chain(_ server: FakeTransport, slots: Int = 1) throws -> TestChain {
        let url = try #require(URL(string: "https://api.example"))
        return TestChain(
            .authorized(
                at: url,
                tokens,
                around: [Counter(count: authorized), RequestDeduplication(), ConcurrencyLimit(slots)]
            ),
            server
        )
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

    /// Starts a request that occupies the slot, and others that wait for it.
    private func occupy(
        _ chain: TestChain,
        waiting requests: [HTTPClient.Request]
    ) async -> (first: Task<HTTPClient.Response, any Error>, others: [Task<HTTPClient.Response, any Error>]) {
        let first = Task { try await chain.send(.sample("/first")) }
        await responses.waitForRequests(1)
        let others = requests.map { request in Task { try await chain.send(request) } }
        await authorized.wait { $0 == requests.count + 1 }
        return (first, others)
    }

    @Test func `has the refreshed token, so that 100 waiting reads send the refused one at most once per slot`()
        async throws
    {
        _ = try await tokens.begin(with: credentials("old", user: mona))
        let server = server()
        let chain = try chain(server, slots: 8)
        let reading = Task {
            await withTaskGroup(of: Int?.self) { group in
                for number in 0..<100 { group.addTask { try? await chain.send(.sample("/\(number)")).status } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        await refreshes.waitForRequests(1)
        refreshes.answer(0, with: .success(try credentials("new")))
        #expect(await reading.value == Array(repeating: 200, count: 100))
        #expect(refreshes.requests.count == 1)
        #expect((1...8).contains(server.requests.count { $0.headers["Authorization"] == "Bearer old" }))
    }

    @Test func `is sent with a token that replaced its own, also if it's a write`() async throws {
        let grant = try await tokens.begin(with: credentials("first"))
        let server = server()
        let chain = try chain(server)
        let (first, others) = await occupy(chain, waiting: [.sample(), .sample("/star", method: .put)])
        // Another process has refreshed the token.
        var second = try credentials("second")
        second.signInID = grant.credentials.effectiveSignInID
        try await store.save(second)
        _ = try await tokens.current()
        responses.answer(0, with: .success(200))
        #expect(try await first.value.status == 200)
        for other in others { #expect(try await other.value.status == 200) }
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
        let chain = try chain(server)
        let (first, others) = await occupy(chain, waiting: [.sample(), .sample("/star", method: .put)])
        if isReplaced { _ = try await tokens.begin(with: credentials("hubots")) } else { try await tokens.end() }
        responses.answer(0, with: .success(200))
        await #expect(throws: BrowseError.unauthorized(.init(endpoint: "GET /first"))) { try await first.value }
        for (task, endpoint) in zip(others, ["GET /a", "PUT /star"]) {
            await #expect(throws: BrowseError.unauthorized(.init(endpoint: endpoint))) { try await task.value }
        }
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer monas"])
    }

    @Test func `waits for the refresh of its token without a slot, which others use meanwhile`() async throws {
        var old = try credentials("old", user: mona)
        old.expiresAt = testNow.addingTimeInterval(-1)
        try await store.save(old)
        let url = try #require(URL(string: "https://api.example"))
        let service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        let options = HTTPClient.Options { [clock] options in
            options.requestConcurrency = 1
            options.retries = .never
            options.clock = clock
        }
        let shared = HTTPClient.SharedMiddleware(of: service, options: options)
        let transport = FakeTransport { request, _ throws(BrowseError) in
            HTTPClient.Response(status: request.headers["Authorization"] == "Bearer old" ? 401 : 200, url: request.url)
        }
        let client = HTTPClient.standard(
            service,
            transport: transport,
            tokens: tokens,
            shared: shared,
            options: options
        )
        let anonymous = HTTPClient.standard(service, transport: transport, shared: shared, options: options)
        let waiting = Task { try await client.send(Endpoint<Void>(.path("/a")) { _ in }) }
        await refreshes.waitForRequests(1)
        try await anonymous.send(Endpoint<Void>(.path("/b")) { _ in })
        refreshes.answer(0, with: .success(try credentials("new")))
        try await waiting.value
        #expect(transport.requests.map { $0.url.path() } == ["/b", "/a"])
    }
}

/// Counts requests.
private struct Counter: HTTPMiddleware {
    let count: Monitor<Int>

    func send(
        _ request: HTTPClient.Request,
        next: @escaping @Sendable (HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
    ) async throws(BrowseError) -> HTTPClient.Response {
        count.withLock { $0 += 1 }
        return try await next(request)
    }
}
