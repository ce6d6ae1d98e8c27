import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `A service's credential fields` {
    private static let key = "K7x2Vq9Tn4Wb8Ym3Rc5Jd1"

    private func service(_ address: String = "https://api.example") throws -> HTTPClient.Service {
        HTTPClient.Service(
            baseURL: try #require(URL(string: address)),
            headers: ["X-Api-Key": Self.key, "Accept": "text/plain"],
            credentialFields: ["X-API-Key", "X-Session"]
        )
    }

    /// Repeats the key everywhere, and issues a session.
    private struct Echo: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            let key = request.headers["X-Api-Key"] ?? ""
            return HTTPResponse(
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
            _ request: HTTPRequest,
            next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
        ) async throws(BrowseError) -> HTTPResponse {
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
    }

    @Test func `are masked in descriptions`() throws {
        var service = try service()
        service.headers = ["x-api-key": Self.key, "X-Session": "short"]
        service.headers["Accept"] = "text/html"
        #expect(service.headers.description == "accept: text/html\nx-api-key: ***\nx-session: ***")
        #expect(!everyPrint(of: service).contains(Self.key))
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
        guard case .response(let response) = exchange.outcome else { return }
        let placeholder = String(decoding: response.body, as: UTF8.self)
        #expect(placeholder.hasPrefix("SECRET-"))
        #expect(response.headers == ["X-Echo": "the key \(placeholder)"])
    }

    @Test func `require a private connection`() throws {
        #expect(throws: HTTPClient.Service.Problem.insecureConnection) {
            try service("http://api.example").validate()
        }
        for address in ["https://api.example", "http://localhost:8080"] { try service(address).validate() }
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
