import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("MockURLProtocol", .bounded)
struct MockURLProtocolTests {
    private static func json(_ text: String, status: Int = 200, for request: HTTPClient.Request) -> HTTPClient.Response
    {
        let headers: HTTPHeaders = ["Content-Type": "application/json"]
        return HTTPClient.Response(status: status, headers: headers, body: Data(text.utf8), url: request.url)
    }

    @Test func `serves concurrent clients, each with its own response`() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let asked = Mutex(0)
                    let mock = MockURLProtocol.Registration { request in
                        asked.withLock { $0 += 1 }
                        return .success(Self.json(GitHubResponses.profile(id: number), for: request))
                    }
                    // All have the same host and differ only in their keys.
                    let client = try HTTPClient.gitHub(at: "https://api.example", transport: mock.transport())
                    let users = RemoteGitHubRepository(client: client)
                    for _ in 1...3 {
                        #expect(try await users.profile(of: .init("x")).user.id.rawValue == Int64(number))
                    }
                    #expect(asked.withLock { $0 } == 3)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `passes the complete request to the handler, without its key`() async throws {
        let seen = Mutex<HTTPClient.Request?>(nil)
        let mock = MockURLProtocol.Registration { request in
            seen.withLock { $0 = request }
            return .success(HTTPClient.Response(status: 204, url: request.url))
        }
        let client = try HTTPClient.gitHub(
            at: "https://api.example/v3",
            token: AccessToken("abc"),
            transport: mock.transport()
        )
        let body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let endpoint = Endpoint(
            method: .post,
            .path("/a/\("b c")"),
            query: [.init("q", "d&e")],
            headers: ["X-More": "1"],
            body: body
        ) { $0.status }
        #expect(try await client.send(endpoint) == 204)
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "https://api.example/v3/a/b%20c?q=d%26e")
        #expect(request.body == body)
        #expect(request.headers["X-More"] == "1")
        #expect(request.headers["Authorization"] == "Bearer abc")
        #expect(request.headers["Accept"] == "application/vnd.github+json")
        #expect(request.headers[MockURLProtocol.keyHeader] == nil)
    }

    @Test func `returns a complete response: status, fields, and a large body`() async throws {
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let mock = MockURLProtocol.Registration { request in
            .success(
                HTTPClient.Response(
                    status: 418,
                    headers: ["ETag": "\"1\"", "X-More": "a, b"],
                    body: body,
                    url: request.url
                )
            )
        }
        let url = try #require(URL(string: "https://api.example/a"))
        let response = try await mock.transport().send(HTTPClient.Request(url: url, endpoint: "GET /a"))
        #expect(response.status == 418)
        #expect(response.headers["etag"] == "\"1\"")
        #expect(response.headers["x-more"] == "a, b")
        #expect(response.body == body)
        #expect(response.url == url)
    }

    @Test(
        "converts the handler's URLError to the same error as the network's",
        arguments: [
            (URLError.Code.notConnectedToInternet, BrowseError.Unreachable.offline), (.cannotFindHost, .hostNotFound),
            (.dnsLookupFailed, .hostNotFound), (.cannotConnectToHost, .connectionRefused),
            (.networkConnectionLost, .connectionLost),
        ]
    )
    func errors(code: URLError.Code, reason: BrowseError.Unreachable) async throws {
        let mock = MockURLProtocol.Registration { _ in .failure(URLError(code)) }
        let client = try HTTPClient.gitHub(at: "https://api.example", transport: mock.transport())
        let users = RemoteGitHubRepository(client: client)
        let error = await thrown { () async throws(BrowseError) in try await users.profile(of: .init("x")) }
        let info = BrowseError.RequestInfo(endpoint: "GET /users/{}") {
            $0.host = reason == .hostNotFound ? "api.example" : nil
        }
        #expect(error == .unreachable(reason, info))
    }

    @Test(arguments: [URLError.Code.secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate])
    func `reports the reason of an insecure connection`(code: URLError.Code) async throws {
        let mock = MockURLProtocol.Registration { _ in
            .failure(URLError(code, userInfo: [NSLocalizedDescriptionKey: "The certificate is bad."]))
        }
        let client = try HTTPClient.gitHub(at: "https://api.example", transport: mock.transport())
        let users = RemoteGitHubRepository(client: client)
        let error = await thrown { () async throws(BrowseError) in try await users.profile(of: .init("x")) }
        let reason = BrowseError.Unreachable.notSecure(detail: "The certificate is bad.")
        let info = BrowseError.RequestInfo(endpoint: "GET /users/{}") { $0.host = "api.example" }
        #expect(error == .unreachable(reason, info))
    }

    @Test func `reports a time-out, and describes unknown errors`() async throws {
        let info = BrowseError.RequestInfo(endpoint: "GET /users/{}")
        for code in [URLError.Code.timedOut, .badURL] {
            let mock = MockURLProtocol.Registration { _ in .failure(URLError(code)) }
            let client = try HTTPClient.gitHub(at: "https://api.example", transport: mock.transport())
            let error = await thrown { () async throws(BrowseError) in
                try await RemoteGitHubRepository(client: client).profile(of: .init("x"))
            }
            if code == .timedOut {
                #expect(error == .timedOut(info))
            } else if case .unreachable(.other(let number, _), info)? = error {
                #expect(number == URLError.Code.badURL.rawValue)
            } else {
                Issue.record("\(String(describing: error))")
            }
        }
    }

    @Test func `never sends a request with an unknown key or without a key`() async throws {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        let url = try #require(URL(string: server.origin))
        let configuration = {
            let gone = MockURLProtocol.Registration { .success(Self.json("{}", for: $0)) }
            return gone.sessionConfiguration()
        }()
        let session = URLSession(configuration: configuration)
        let gone = try #require(configuration.httpAdditionalHeaders?[MockURLProtocol.keyHeader] as? String)
        for key in [nil, "no", gone] {
            var request = URLRequest(url: url)
            request.setValue(key, forHTTPHeaderField: MockURLProtocol.keyHeader)
            let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
            #expect(error?.code == .resourceUnavailable)
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `waits for a slow handler, and cancels it with the caller`() async throws {
        let clock = TestClock()
        let wasCancelled = Monitor(false)
        let mock = MockURLProtocol.Registration { request in
            do {
                try await clock.sleep(for: .seconds(5))
            } catch {
                wasCancelled.withLock { $0 = true }
            }
            return .success(Self.json(GitHubResponses.profile(), for: request))
        }
        let users = RemoteGitHubRepository(
            client: try .gitHub(at: "https://api.example", transport: mock.transport())
        )
        async let profile = users.profile(of: .init("x"))
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(5))
        #expect(try await profile.user.id.rawValue == 1)
        #expect(!wasCancelled.value)

        let task = Task { await thrown { () async throws(BrowseError) in try await users.profile(of: .init("x")) } }
        await clock.waitForSleepersAndTimeLimits(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        await wasCancelled.wait { $0 }
    }
}
