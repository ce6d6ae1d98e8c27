import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

/// A client without a container, through the public API only.
@Suite(.bounded)
struct `A standard client` {
    /// Retries without delays; no time passes.
    private let options = HTTPClient.Options {
        $0.retries = RetryPolicy(attempts: 3, firstDelay: .zero)
        $0.clock = TestClock()
    }

    /// Refuses the first request, fails at the second, and confirms conditional ones.
    private let library = FakeTransport { request, index throws(BrowseError) in
        let (status, body) =
            switch (index, request.headers["If-None-Match"]) {
            case (0, _): (401, "")
            case (1, _): (503, "")
            case (_, nil): (200, request.headers["X-Api-Key"] ?? "")
            default: (304, "")
            }
        let headers: HTTPHeaders = ["ETag": "\"1\"", "X-RateLimit-Remaining": "9"]
        return HTTPClient.Response(status: status, headers: headers, body: Data(body.utf8), url: request.url)
    }

    private actor Tokens: AccessTokens {
        private var count = 0

        func currentGrant() async throws(BrowseError) -> AccessGrant? {
            count += 1
            return (try? Secret("key-\(count)")).map { AccessGrant(account: "mona", token: $0) }
        }
    }

    @Test func `authorizes, retries, and caches`() async throws {
        let folder = TemporaryFolder()
        let cache = ResponseCache(folder: folder.url, clock: ImmediateClock())
        let client = HTTPClient.standard(
            .json(baseURL: try #require(URL(string: "https://library.example")), userAgent: "Test"),
            transport: library,
            cache: cache,
            tokens: Tokens(),
            in: TokenField("X-Api-Key"),
            options: options
        )
        let endpoint = Endpoint(.path("/a")) { String(decoding: $0.body, as: UTF8.self) }
        let first = try await client.send(endpoint)
        #expect(first.hasPrefix("key-"))
        #expect(try await client.send(endpoint) == first)
        #expect(library.requests.compactMap { $0.headers["If-None-Match"] } == ["\"1\""])
        await cache.removeAll(of: "mona", at: client.baseURL)
        #expect(cachedFiles(in: folder.url).isEmpty)
    }

    @Test func `returns equal responses as equal values`() async throws {
        let folder = TemporaryFolder()
        let server = ScriptedServer()
        server.on(.get, "https://library.example/a", response: .json("1"))
        let client = HTTPClient.standard(
            .json(baseURL: try #require(URL(string: "https://library.example")), userAgent: "Test"),
            transport: server.transport(),
            cache: ResponseCache(folder: folder.url, clock: ImmediateClock()),
            options: options
        )
        let endpoint = Endpoint(.path("/a")) { $0 }
        #expect(try await client.send(endpoint) == client.send(endpoint))
    }

    /// lucjon/Py-StackExchange#48
    @Test(arguments: [400, 420, 503])
    func `sends nothing after a limit, whatever status the service gives it`(status: Int) async throws {
        let url = try #require(URL(string: "https://library.example"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Test")
        service.failure = { _, info, now in
            .rateLimited(BrowseError.RateLimit(kind: .primary, retryAt: now + 60, isServerTime: true), info)
        }
        let transport = FakeTransport(status: status, json: #"{"error_name":"throttle_violation"}"#)
        let client = HTTPClient.standard(service, transport: transport, options: options)
        for _ in 1...3 {
            let error = await thrown { () async throws(BrowseError) in
                try await client.send(Endpoint(.path("/a")) { $0.status })
            }
            guard case .rateLimited = error else { throw error ?? .cancelled }
        }
        #expect(transport.requests.count == 1)
    }

    /// Returns a transport that ends the session at the first request, and fails it.
    private func leaving(_ tokens: StoredTokenRepository) -> FakeTransport {
        FakeTransport { request, index throws(BrowseError) in
            if index == 0 { try? await tokens.end() }
            return HTTPClient.Response(status: index == 0 ? 503 : 200, url: request.url)
        }
    }

    /// Forwards to a repository, as an app's own provider can.
    private struct Wrapper: AccessTokens {
        let tokens: StoredTokenRepository

        func currentGrant() async throws(BrowseError) -> AccessGrant? { try await tokens.currentGrant() }
    }

    @Test(arguments: [true, false])
    func `checks the token of any provider again before a retry, which isn't sent anonymously`(
        isWrapped: Bool
    ) async throws {
        let tokens = StoredTokenRepository(token: try Secret("key"))
        let transport = leaving(tokens)
        let client = HTTPClient.standard(
            .json(baseURL: try #require(URL(string: "https://library.example")), userAgent: "Test"),
            transport: transport,
            cache: nil,
            tokens: isWrapped ? Wrapper(tokens: tokens) : tokens,
            in: TokenField("X-Api-Key"),
            options: options
        )
        await #expect(throws: BrowseError.unauthorized(.init(endpoint: "GET /a"))) {
            try await client.send(Endpoint(.path("/a")) { $0.status })
        }
        let headers = transport.requests.map(\.headers)
        #expect(headers.map { $0["X-Api-Key"] } == ["key"])
        #expect(headers.allSatisfy { $0["Authorization"] == nil })
    }

    /// Sends requests to another origin, with credentials and an account of its own.
    private struct Elsewhere: HTTPMiddleware {
        func send(
            _ request: HTTPClient.Request,
            next: @escaping Next
        ) async throws(BrowseError) -> HTTPClient.Response {
            var request = request
            request.url = URL(string: "https://elsewhere.example/a") ?? request.url
            request.headers["Authorization"] = "own"
            request.account = "mona"
            return try await next(request)
        }
    }

    @Test func `adds no token to requests of a middleware that go elsewhere, and fails none of them`() async throws {
        let stored = StoredTokenRepository(token: try Secret("key"))
        let signedOut = StoredTokenRepository(store: InMemoryTokenStore(nil))
        let providers: [any AccessTokens] = [stored, Wrapper(tokens: stored), Tokens(), signedOut]
        for tokens in providers {
            let transport = leaving(signedOut)
            let client = HTTPClient.standard(
                .json(baseURL: try #require(URL(string: "https://library.example")), userAgent: "Test"),
                transport: transport,
                cache: nil,
                tokens: tokens,
                middleware: [Elsewhere()],
                options: options
            )
            #expect(try await client.send(Endpoint(.path("/a")) { $0.status }) == 200)
            #expect(transport.requests.map { $0.headers["Authorization"] } == ["own", "own"])
        }
    }
}
