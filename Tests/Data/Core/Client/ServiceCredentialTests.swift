import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

@Suite(.bounded)
struct `A service's credential fields` {
    private static let key = "K7x2Vq9Tn4Wb8Ym3Rc5Jd1"

    private func service(_ address: String = "https://api.example") throws -> HTTPClient.Service {
        var service = HTTPClient.Service(
            baseURL: try #require(URL(string: address)),
            headers: ["X-Api-Key": Self.key, "Accept": "text/plain"]
        )
        service.credentialFields = ["X-API-Key", "X-Session"]
        return service
    }

    /// Repeats the key everywhere, and issues a session.
    private struct Echo: HTTPTransport {
        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            let key = request.headers["X-Api-Key"] ?? ""
            return HTTPClient.Response(
                status: 500,
                headers: ["X-Session": "short", "X-Echo": "the key \(key)", "X-Api-Key": key],
                body: Data(key.utf8),
                url: URL(string: "https://api.example/\(key)") ?? request.url
            )
        }
    }

    /// Replaces the header fields, as a careless middleware does.
    private struct Replacement: HTTPMiddleware {
        func send(
            _ request: HTTPClient.Request,
            next: @escaping Next
        ) async throws(BrowseError) -> HTTPClient.Response {
            var request = request
            request.headers = ["X-Api-Key": `A service's credential fields`.key]
            return try await next(request)
        }
    }

    @Test(arguments: [false, true])
    func `are masked in events and errors`(isReplaced: Bool) async throws {
        let events = Events()
        let client = HTTPClient(
            service: try service(),
            transport: Echo(),
            middleware: isReplaced ? [Replacement()] : [],
            options: .init {
                $0.observers = [events]
                $0.now = { testNow }
            }
        )
        let error = await thrown { () throws(BrowseError) in try await client.send(Endpoint(.path("/a")) { $0.status })
        }
        let seen =
            everyPrint(of: events.all) + everyPrint(of: error as Any)
        #expect(!seen.contains(Self.key))
        #expect(!seen.contains("short"))
        #expect(seen.contains("https://api.example/…"))
        #expect(seen.contains("bodyBytes: \(Self.key.utf8.count)"))
    }

    @Test func `are masked in descriptions`() throws {
        var service = try service()
        service.headers = ["x-api-key": Self.key, "X-Session": "short"]
        service.headers["Accept"] = "text/html"
        #expect(service.headers.description == "accept: text/html\nx-api-key: ***\nx-session: ***")
        #expect(!everyPrint(of: service).contains(Self.key))
        let item = HTTPClient.QueryItem("api_key", Self.key)
        #expect("\(item)" == "api_key=***" && !everyPrint(of: item).contains(Self.key))
        #expect(!everyPrint(of: Endpoint(.path("/a"), query: [item]) { $0.status }).contains(Self.key))
        let grant = AccessGrant(account: "mona", token: try Secret(Self.key))
        #expect(!everyPrint(of: grant).contains(Self.key))
    }

    @Test func `are removed from recordings, and their values replaced`() async throws {
        var rules = RecordingRules()
        rules.keptHeaders.formUnion(["x-api-key", "x-session", "x-echo"])
        let recorder = RecordingTransport(over: Echo(), rules: rules)
        let client = HTTPClient(service: try service(), transport: recorder)
        _ = await thrown { () throws(BrowseError) in try await client.send(Endpoint(.path("/a")) { $0.status }) }
        let exchange = try #require(recorder.recording.exchanges.first)
        #expect(exchange.headers == ["Accept": "text/plain"])
        guard case .response(let response) = exchange.outcome else {
            Issue.record("\(exchange.outcome)")
            return
        }
        let placeholder = String(decoding: response.body, as: UTF8.self)
        #expect(placeholder.hasPrefix("SECRET-"))
        #expect(response.headers == ["X-Echo": "the key \(placeholder)"])
    }

    /// dcdpr/jp#315, venmo/DVR#98
    @Test(arguments: ["appID": "K7x2Vq9Tn4Wb8Ym3Rc5Jd1", "auth[key]": "plainwords"])
    func `in a query are replaced in recordings, which replay with any key`(name: String, key: String) async throws {
        var service = try service()
        service.credentialQueryItems = [name]
        func endpoint(_ key: String) -> Endpoint<Int> {
            Endpoint(.path("/a"), query: [.init(name, key), .init("page", "2")]) { $0.status }
        }
        let recorder = RecordingTransport(over: FakeTransport(json: "{\"of\": \"\(key)\"}"))
        _ = try await HTTPClient(service: service, transport: recorder).send(endpoint(key))
        let exchange = try #require(recorder.recording.exchanges.first)
        let url = exchange.url.absoluteString
        #expect(url.hasPrefix("https://api.example/a?a") && url.contains("=SECRET-") && url.hasSuffix("&page=2"))
        guard case .response(let response) = exchange.outcome else { throw BrowseError.cancelled }
        #expect(response.body.starts(with: Data("{\"of\": \"SECRET-".utf8)))
        let replay = ReplayingTransport(recorder.recording)
        let client = HTTPClient(service: service, transport: replay)
        #expect(try await client.send(endpoint("another-key-2")) == 200)
        try replay.verify()
        // A report compares requests in the same way.
        let other = try #require(URL(string: url.replacing(/SECRET-[^&]+/, with: "another-key-2")))
        var request = HTTPClient.Request(url: other, endpoint: "TEST")
        request.headers.declareCredentials([name.lowercased()])
        let report = try await replay.send(request)
        #expect(String(decoding: report.body, as: UTF8.self).contains("All recorded responses to it are used."))
    }

    /// Unsplash and TMDB expect the app's key in `Authorization`.
    @Test(arguments: ["field", "Authorization", "query", "grant", "none"])
    func `that are refused are the app's, so that signing in isn't offered`(place: String) async throws {
        let url = try #require(URL(string: "https://api.example"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        if place == "field" { service.credentialFields = ["X-Api-Key"] }
        if place == "Authorization" { service.headers[place] = "Client-ID " + Self.key }
        if place == "query" { service.credentialQueryItems = ["api_key"] }
        let grant = place == "grant" ? AccessGrant(account: "app", token: try Secret(Self.key)) : nil
        let transport = FakeTransport(status: 401, json: "{}")
        let client = HTTPClient.standard(service, transport: transport, tokens: grant, in: TokenField("X-Api-Key"))
        let error = await thrown { () throws(BrowseError) in try await client.send(Endpoint(.path("/a")) { $0.status })
        }
        let info = try #require(error?.request)
        #expect(error == .unauthorized(info) && info.refusedConfiguredToken == (place != "none"))
    }

    @Test func `in a query prevent caching`() async throws {
        let folder = TemporaryFolder()
        let cache = ResponseCache(folder: folder.url, clock: ImmediateClock())
        var service = HTTPClient.Service.json(
            baseURL: try #require(URL(string: "https://api.example")),
            userAgent: "Tests"
        )
        service.credentialQueryItems = ["api_key"]
        let transport = FakeTransport(statuses: 200, 200)
        let client = HTTPClient.standard(service, transport: transport, cache: cache)
        for name in ["api_key", "page"] {
            _ = try await client.send(Endpoint(.path("/a"), query: [.init(name, Self.key)]) { $0.status })
        }
        #expect(cachedFiles(in: folder.url).count == 1)
        service.baseURL = try #require(URL(string: "http://api.example"))
        #expect(throws: HTTPClient.Service.Problem.insecureConnection) { try service.validate() }
    }

    /// Alpha Vantage repeats the key in a 200 that means 429.
    @Test(
        arguments: [(400, 400), (200, 429), (400, 401), (401, 401)],
        [("The key k3yOfMona9 is invalid", nil), ("No book", "No book")] as [(String, String?)]
    )
    func `in a query aren't in an error's text`(
        status: (sent: Int, meant: Int),
        message: (sent: String, shown: String?)
    ) async throws {
        var service = try service()
        service.credentialQueryItems = ["appID"]
        service.status = { $0.body.isEmpty ? $0.status : status.meant }
        let transport = FakeTransport { request, _ throws(BrowseError) in
            HTTPClient.Response(
                status: status.sent,
                headers: ["Content-Type": "application/problem+json"],
                body: Data("{\"detail\": \"\(message.sent)\"}".utf8),
                // The address after a redirect has the key, but no error shows it.
                url: URL(string: "https://api.example/a/?appID=k3yOfMona9") ?? request.url
            )
        }
        let client = HTTPClient(service: service, transport: transport)
        let endpoint = Endpoint(.path("/a"), query: [.init("appID", "k3yOfMona9")]) { $0.status }
        let error = await thrown { () throws(BrowseError) in try await client.send(endpoint) }
        #expect(error?.request?.status == status.meant && error?.request?.serverMessage == message.shown)
        // The answer stays evidence.
        if case .unreachable? = error { Issue.record("A proxy is blamed.") }
    }

    @Test(arguments: ["the key *", "key%3D*", #"{"a":"\/*"}"#, "\u{0}**"])
    func `that a response repeats prevent caching`(text: String) async throws {
        let folder = TemporaryFolder()
        let bodies = [text.replacing("*", with: Self.key), "harmless"]
        let transport = FakeTransport { request, index throws(BrowseError) in
            HTTPClient.Response(status: 200, body: Data(bodies[index].utf8), url: request.url)
        }
        let client = HTTPClient.standard(
            try service(),
            transport: transport,
            cache: ResponseCache(folder: folder.url, clock: ImmediateClock())
        )
        for path in ["a", "b"] { _ = try await client.send(Endpoint(.path("/\(path)")) { $0.status }) }
        #expect(cachedFiles(in: folder.url).count == 1)
    }

    @Test func `of a page aren't needed for a success without a body`() async throws {
        let service = HTTPClient.Service.json(
            baseURL: try #require(URL(string: "https://api.example")),
            userAgent: "Tests"
        )
        let transport = FakeTransport(statuses: 204, headers: ["Content-Type": "text/html; charset=utf-8"])
        let client = HTTPClient(service: service, transport: transport)
        #expect(try await client.send(Endpoint(method: .delete, .path("/a")) { $0.status }) == 204)
    }

    @Test func `are found in time in a body that almost repeats them`() async throws {
        let key = String(repeating: "a", count: 8191) + "b"
        let transport = FakeTransport { request, _ throws(BrowseError) in
            HTTPClient.Response(status: 500, body: Data(repeating: UInt8(ascii: "a"), count: 8 << 20), url: request.url)
        }
        var service = HTTPClient.Service(
            baseURL: try #require(URL(string: "https://api.example")),
            headers: ["X-Api-Key": key]
        )
        service.credentialFields = ["X-Api-Key"]
        let client = HTTPClient(service: service, transport: transport)
        await #expect(throws: BrowseError.self) { try await client.send(Endpoint(.path("/a")) { $0.status }) }
    }

    @Test func `require a private connection`() throws {
        #expect(throws: HTTPClient.Service.Problem.insecureConnection) {
            try service("http://api.example").validate()
        }
        for address in ["https://api.example", "http://localhost:8080"] { try service(address).validate() }
        let url = try #require(URL(string: "http://api.example"))
        let other = HTTPClient.Service(baseURL: url, headers: ["Authorization": "Client-ID " + Self.key])
        #expect(throws: HTTPClient.Service.Problem.insecureConnection) { try other.validate() }
    }

    @Test(arguments: TestTransport.allCases)
    func `aren't sent to another server`(on transport: TestTransport) async throws {
        let other = try LoopbackServer { _ in .json("{}") }
        let server = try LoopbackServer(first: .redirect(to: other.origin + "/b"))
        let client = HTTPClient(
            service: try service(server.origin),
            transport: transport.make(),
            options: .init { $0.limits = .unhurried }
        )
        let headers: HTTPHeaders = ["X-Undeclared": Self.key, "If-None-Match": "\"1\""]
        let endpoint = Endpoint(.path("/a"), headers: headers) { $0.status }
        #expect(try await client.send(endpoint) == 200)
        #expect(server.requests.first?.header("X-Api-Key") == Self.key)
        let request = try #require(other.requests.first)
        #expect(request.header("Accept") == "text/plain")
        #expect(request.header("If-None-Match") == nil)
        #expect(!"\(request)".contains(Self.key))
    }
}
