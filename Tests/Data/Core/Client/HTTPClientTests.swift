import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

import BrowseData

@Suite("The client", .bounded)
struct HTTPClientTests {
    private static let headers: HTTPHeaders = ["X-GitHub-Request-Id": "R1"]

    private func client(
        _ transport: any HTTPTransport = FakeTransport(headers: Self.headers, json: "{}"),
        limits: HTTPLimits = HTTPLimits()
    ) throws -> HTTPClient {
        let baseURL = try #require(URL(string: "https://api.example"))
        let service = HTTPClient.Service.gitHub(baseURL: baseURL, userAgent: "App/1")
        return HTTPClient(
            service: service,
            transport: transport,
            options: .init { $0.limits = limits }
        )
    }

    @Test func `gives a JSON endpoint's map the header fields of the response`() async throws {
        let client = try client()
        let endpoint = Endpoint<String?>.json(.path("/")) { (_: [String: String], response) in
            response.headers["X-GitHub-Request-Id"]
        }
        #expect(try await client.send(endpoint) == "R1")
    }

    @Test(arguments: TestTransport.allCases)
    func `sends the service's fields, replaced by the endpoint's`(on transport: TestTransport) async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let client = try HTTPClient.gitHub(at: server.origin, transport: transport.make())
        _ = try await client.send(Endpoint(.path("/a")) { $0.status })
        _ = try await client.send(
            Endpoint(.path("/b"), headers: ["ACCEPT": "text/plain", "X-More": "1"]) { $0.status }
        )
        let requests = server.requests
        try #require(requests.count == 2)
        #expect(requests.map { $0.header("Accept") } == ["application/vnd.github+json", "text/plain"])
        #expect(requests.map { $0.header("X-More") } == [nil, "1"])
        for request in requests {
            #expect(request.method == "GET")
            #expect(request.header("X-GitHub-Api-Version") == "2022-11-28")
            #expect(request.header("User-Agent") == "BrowseKit-Tests")
            #expect(request.header("Authorization") == nil)
            #expect(request.header("Cookie") == nil)
        }
    }

    @Test(arguments: TestTransport.allCases)
    func `stores no cookies`(on transport: TestTransport) async throws {
        let server = try LoopbackServer { _ in .json("{}", headers: [("Set-Cookie", "session=1; Path=/")]) }
        let client = try HTTPClient.gitHub(at: server.origin, transport: transport.make())
        for _ in 1...2 { _ = try await client.send(Endpoint(.path("/a")) { $0.status }) }
        #expect(server.requests.map { $0.header("Cookie") } == [nil, nil])
    }

    @Test("sends every request, although a response could be cached by URLSession", arguments: TestTransport.allCases)
    func noCache(on transport: TestTransport) async throws {
        let fields = [("Cache-Control", "public, max-age=3600"), ("ETag", "\"1\"")]
        let server = try LoopbackServer { _ in .json("{}", headers: fields) }
        let client = try HTTPClient.gitHub(at: server.origin, transport: transport.make())
        for _ in 1...2 { _ = try await client.send(Endpoint(.path("/a")) { $0.status }) }
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
    }

    @Test(arguments: TestTransport.allCases)
    func `sends a body and its header fields`(on transport: TestTransport) async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        let client = try HTTPClient.gitHub(at: server.origin, transport: transport.make())
        let body = Data((0...255).map { UInt8($0) } + Array(repeating: 7, count: 300_000))
        for method in [HTTPMethod.post, .put, .delete] {
            let headers: HTTPHeaders = ["Content-Type": "application/octet-stream"]
            _ = try await client.send(Endpoint(method: method, .path("/a"), headers: headers, body: body) { $0.status })
        }
        #expect(server.requests.map(\.method) == ["POST", "PUT", "DELETE"])
        #expect(server.requests.allSatisfy { Data($0.body) == body })
        #expect(server.requests.allSatisfy { $0.header("Content-Type") == "application/octet-stream" })
    }

    @Test func `posts a form once, although its endpoint would be a GET without it`() async throws {
        let url = try #require(URL(string: "https://api.example"))
        let transport = FakeTransport(statuses: 503)
        let service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        let options = HTTPClient.Options { $0.clock = ImmediateClock() }
        let client = HTTPClient.standard(service, transport: transport, options: options)
        let form = Endpoint<Int>.json(.path("/a")) { number, _ in number }.sending(form: [.init("q", "a b")])
        let failure = await thrown { () async throws(BrowseError) in try await client.send(form) }
        #expect(failure == .serverFailure(.init(endpoint: "POST /a", status: 503)))
        #expect(transport.requests.map(\.body) == [Data("q=a%20b".utf8)])
    }

    @Test func `sends the limits and the endpoint's name without parameters to the transport`() async throws {
        let transport = FakeTransport(headers: Self.headers, json: "{}")
        let limits = HTTPLimits(bodyBytes: 77, duration: .seconds(5))
        let client = try client(transport, limits: limits)
        _ = try await client.send(
            Endpoint(.path("/users/\("secret-name")/x"), query: [.init("q", "hidden")]) { $0.status }
        )
        let request = try #require(transport.requests.first)
        #expect(request.limits == limits)
        #expect(request.endpoint == "GET /users/{}/x")
        #expect(request.url.absoluteString == "https://api.example/users/secret-name/x?q=hidden")
    }

    @Test func `rethrows a BrowseError of decode, and converts other errors to decoding failures`() async throws {
        struct Other: Error {}
        let client = try client()
        let info = BrowseError.RequestInfo(endpoint: "GET /a", status: 200) { $0.requestID = "R1" }
        let own = await thrown { () async throws(BrowseError) in
            try await client.send(
                Endpoint<Int>(.path("/a")) { _ in throw BrowseError.notFound(.init(endpoint: "mine")) }
            )
        }
        #expect(own == .notFound(.init(endpoint: "mine")))
        let other = await thrown { () async throws(BrowseError) in
            try await client.send(Endpoint<Int>(.path("/a")) { _ in throw Other() })
        }
        let failure = BrowseError.DecodingFailure(codingPath: "", reason: "not readable")
        #expect(other == .unusableResponse(.decoding(failure), info))
    }

    @MainActor @Test func `decodes off the main actor, even if called on it`() async throws {
        #expect(MainQueue.isCurrent)
        let decodedOnMain = Mutex<[Bool]>([])
        let sentOnMain = Mutex<[Bool]>([])
        let transport = FakeTransport { request, _ throws(BrowseError) in
            sentOnMain.withLock { $0.append(MainQueue.isCurrent) }
            return HTTPClient.Response(status: 200, headers: Self.headers, body: Data("{}".utf8), url: request.url)
        }
        let client = try client(transport)
        for _ in 1...20 {
            _ = try await client.send(
                Endpoint(.path("/a")) { response in
                    _ = try JSONDecoder().decode(QueueProbe.self, from: response.body)
                    decodedOnMain.withLock { $0.append(MainQueue.isCurrent) }
                }
            )
            #expect(MainQueue.isCurrent)
        }
        #expect(decodedOnMain.withLock { $0 } == Array(repeating: false, count: 20))
        #expect(sentOnMain.withLock { $0 } == Array(repeating: false, count: 20))
    }

    /// A value that can't be decoded on the main actor.
    private struct QueueProbe: Decodable {
        init(from decoder: any Decoder) throws {
            guard !MainQueue.isCurrent else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "on the main actor"))
            }
        }
    }
}
