import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

import BrowseData

@Suite("Authorization", .bounded)
struct AuthorizationTests {
    /// Returns the request that the middleware forwards for a URL.
    private func handedOn(
        to address: String,
        from baseAddress: String,
        token: AccessToken?,
        headers: HTTPHeaders = ["Accept": "text/plain"]
    ) async throws -> HTTPClient.Request? {
        let baseURL = try #require(URL(string: baseAddress))
        let server = FakeTransport(statuses: 200)
        let request = HTTPClient.Request(url: try #require(URL(string: address)), headers: headers, endpoint: "GET /")
        let tokens = StoredTokenRepository(token: token)
        _ = try await TestChain(.authorized(at: baseURL, tokens), server).send(request)
        return server.requests.first
    }

    @Test(arguments: [
        ("https://api.example/user", "https://api.example"), ("https://API.example:443/a", "https://api.example/"),
        ("https://ghe.example/api/v3/user", "https://ghe.example/api/v3"),
        ("http://127.0.0.1:80/", "http://127.0.0.1"),
    ])
    func `adds the token to requests to its own origin`(address: String, baseAddress: String) async throws {
        let request = try await handedOn(to: address, from: baseAddress, token: AccessToken("abc"))
        #expect(request?.headers == ["Accept": "text/plain", "Authorization": "Bearer abc"])
    }

    @Test(
        "adds the token to no other request, and none if the user is signed out",
        arguments: [
            ("http://api.example/", "https://api.example", "abc"),
            ("https://api.example:8443/", "https://api.example", "abc"),
            ("https://example/", "https://api.example", "abc"),
            ("https://api.example.evil.example/", "https://api.example", "abc"),
            ("https://evil.example/?https://api.example", "https://api.example", "abc"),
            ("https://www.api.example/", "https://api.example", "abc"),
            ("https://api.example/", "https://api.example", nil),
        ] as [(String, String, String?)]
    )
    func others(address: String, baseAddress: String, token: String?) async throws {
        let request = try await handedOn(to: address, from: baseAddress, token: token.map { try AccessToken($0) })
        #expect(request?.headers == ["Accept": "text/plain"])
    }

    @Test(arguments: [
        "http://api.example", "http://192.168.0.1", "http://localhost.example", "http://127.0.0.1.example",
        "file:///",
    ])
    func `sends none of its requests over plain http`(baseAddress: String) async throws {
        let server = FakeTransport(statuses: 200)
        let url = try #require(URL(string: baseAddress))
        let chain = TestChain(.authorized(at: url, StoredTokenRepository(token: try AccessToken("abc"))), server)
        let request = HTTPClient.Request(url: url.appending(path: "a"), endpoint: "GET /a")
        await #expect(throws: BrowseError.refused(.invalidConfiguration, request.info)) {
            try await chain.send(request)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `doesn't end the session after a 401 of another server`() async throws {
        let elsewhere = try #require(URL(string: "https://evil.example/"))
        let tokens = StoredTokenRepository(store: InMemoryTokenStore(Credentials(token: try AccessToken("abc"))))
        let server = FakeTransport { _, _ throws(BrowseError) in HTTPClient.Response(status: 401, url: elsewhere) }
        let info = BrowseError.RequestInfo(endpoint: "GET /a", status: 401) { $0.host = "evil.example" }
        let chain = TestChain(.authorized(at: try #require(URL(string: "https://api.example")), tokens), server)
        await #expect(throws: BrowseError.unreachable(.intercepted, info)) { try await chain.send(.sample()) }
        #expect(try await tokens.current()?.credentials.token == AccessToken("abc"))
    }

    @Test func `reads of accounts without a name aren't shared`() async throws {
        let url = try #require(URL(string: "https://api.example"))
        let arrivals = Monitor(0)
        let server = FakeTransport { request, _ throws(BrowseError) in
            arrivals.withLock { $0 += 1 }
            await arrivals.wait { $0 == 2 }
            return HTTPClient.Response(
                status: 200,
                headers: ["X-Token": request.headers["Authorization"] ?? ""],
                url: request.url
            )
        }
        let service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        let shared = HTTPClient.SharedMiddleware(of: service)
        func read(_ token: String) async throws -> String? {
            let grant = AccessGrant(account: "", token: try Secret(token))
            let client = HTTPClient.standard(service, transport: server, tokens: grant, shared: shared)
            return try await client.send(Endpoint(.path("/a")) { $0.headers["X-Token"] })
        }
        async let alice = read("alice")
        async let bob = read("bob")
        #expect(try await (alice, bob) == ("Bearer alice", "Bearer bob"))
    }
}

/// The tokens of an own service, which change while a request is in flight.
@Suite(.bounded) struct `Tokens of an own service` {
    private final class Tokens: AccessTokens {
        let grants: Mutex<[AccessGrant]>

        init(_ grants: [AccessGrant]) { self.grants = Mutex(grants) }

        func currentGrant() async throws(BrowseError) -> AccessGrant? { grants.withLock { $0.first } }
        func change() { grants.withLock { _ = $0.removeFirst() } }
    }

    /// Sends a request, and changes the token before each response while there is another.
    ///
    /// - Returns: The requests, and the last status or the error.
    private func send(
        _ method: HTTPMethod = .get,
        with grants: [(account: String, token: String)],
        in field: TokenField = .bearer,
        statuses: [Int]
    ) async throws -> (requests: [HTTPClient.Request], result: Result<Int, BrowseError>) {
        let tokens = Tokens(try grants.map { AccessGrant(account: $0.account, token: try Secret($0.token)) })
        let server = FakeTransport { request, index throws(BrowseError) in
            if index < grants.count - 1 { tokens.change() }
            return HTTPClient.Response(status: statuses[min(index, statuses.count - 1)], url: request.url)
        }
        let chain = TestChain(
            .authorized(at: try #require(URL(string: "https://api.example")), tokens, in: field),
            server
        )
        let result = await Result.of { () throws(BrowseError) in
            try await chain.send(.sample(method: method)).status
        }
        return (server.requests, result)
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `are replaced after a 401, in their field and with their account`(method: HTTPMethod) async throws {
        let (requests, result) = try await send(
            method,
            with: [("mona", "old"), ("mona", "new")],
            in: TokenField("X-Api-Key"),
            statuses: [401, 200]
        )
        #expect(requests.map { $0.headers["X-Api-Key"] } == ["old", "new"])
        #expect(requests.map(\.account) == ["mona", "mona"])
        #expect(requests.allSatisfy { $0.headers.description == "accept: application/json\nx-api-key: ***" })
        #expect(result == .success(200))
    }

    @Test func `aren't sent again after a 401 if there is no other, or if another was refused`() async throws {
        let single = try await send(with: [("mona", "old")], statuses: [401])
        #expect(single.requests.count == 1 && single.result == .success(401))
        let refused = try await send(with: [("mona", "old"), ("mona", "new")], statuses: [401])
        #expect(refused.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
        #expect(refused.result == .success(401))
    }

    @Test func `that are new each time are sent eight times, not forever`() async throws {
        let (requests, result) = try await send(with: (0..<20).map { ("mona", "key-\($0)") }, statuses: [401])
        #expect(requests.count == 8)
        #expect(result == .success(401))
    }

    @Test func `of an account that signed out are neither replaced by another's, nor read with`() async throws {
        let grants = [("mona", "old"), ("hubot", "new")]
        let info = BrowseError.RequestInfo(endpoint: "GET /a")
        let read = try await send(with: grants, statuses: [200])
        #expect(read.requests.count == 1 && read.result == .failure(.unauthorized(info)))
        // A write has taken effect.
        let write = try await send(.post, with: grants, statuses: [200])
        #expect(write.requests.count == 1 && write.result == .success(200))
        let refused = try await send(with: grants, statuses: [401])
        #expect(refused.requests.count == 1 && refused.result == .success(401))
    }
    @Test(arguments: [false, true])
    func `that were refused aren't sent again because a request that waits for newer ones is canceled`(
        isLate: Bool
    ) async throws {
        let old = AccessGrant(account: "mona", token: try Secret("old"))
        let new = AccessGrant(account: "mona", token: try Secret("new"))
        let tokens = HeldTokens(current: Monitor(old), renewals: ControlledResponses(deliversAfterCancellation: isLate))
        let server = FakeTransport { request, _ throws(BrowseError) in
            let isNew = request.headers["Authorization"] == "Bearer new"
            return HTTPClient.Response(status: isNew ? 200 : 401, url: request.url)
        }
        let url = try #require(URL(string: "https://api.example"))
        let chain = TestChain(.authorized(at: url, tokens), server)
        let staying = Task { try await chain.send(.sample()).status }
        await tokens.renewals.waitForRequests(1)
        // Such as one for each keystroke of a search.
        for number in 1...3 {
            let leaving = Task { try await chain.send(.sample()).status }
            await tokens.renewals.waitForRequests(number + 1)
            leaving.cancel()
            // Arrives only at a provider that ignores the cancellation.
            tokens.renewals.answer(number, with: .success(nil))
            await #expect(throws: BrowseError.cancelled) { try await leaving.value }
        }
        tokens.current.withLock { $0 = new }
        tokens.renewals.answer(0, with: .success(new))
        #expect(try await staying.value == 200)
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer new"])
    }
}

/// Tokens whose replacements a test controls.
private struct HeldTokens: AccessTokens {
    let current: Monitor<AccessGrant>
    let renewals: ControlledResponses<Int, AccessGrant?>

    func currentGrant() async throws(BrowseError) -> AccessGrant? { current.value }
    func grant(afterRefusalOf refused: AccessGrant, refusals: Int) async throws(BrowseError) -> AccessGrant? {
        try await renewals.response(to: refusals)
    }
}
