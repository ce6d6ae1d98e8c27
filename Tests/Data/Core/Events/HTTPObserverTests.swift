@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@Suite(.bounded)
struct `Observers` {
    private let events = Events()

    /// Sends a request and a response with a secret in every position.
    private func exchange(_ secret: String, to observers: [any HTTPObserver]) async throws {
        let transport = FakeTransport { request, _ throws(BrowseError) in
            var url = request.url
            url.append(queryItems: [URLQueryItem(name: "access_token", value: secret)])
            return HTTPClient.Response(
                status: 200,
                headers: [
                    "Set-Cookie": secret, "Location": "https://u:\(secret)@api.example/?code=\(secret)#\(secret)",
                    "Content-Type": "application/json", "X-Note": secret, "ETag": "\"\(secret)\"", "Server": secret,
                    secret: "1", "Vary": "Accept, \(secret)", "Retry-After": "60",
                ],
                body: Data(#"{"access_token":"\#(secret)"}"#.utf8),
                url: url
            )
        }
        let client = HTTPClient(
            service: .sample(),
            transport: transport,
            options: .init {
                $0.observers = observers
                $0.now = { testNow }
            }
        )
        let names = ["client_secret", "code", "Token", "state", "page", "q", "a+\(secret)"]
        let endpoint = Endpoint(
            method: .post,
            .path("/a/\(secret)/b+\(secret)"),
            query: names.map { .init($0, secret) } + [.init(secret, "1"), .init("page", "2")],
            headers: ["Authorization": "Bearer \(secret)", "Cookie": secret],
            body: Data(secret.utf8)
        ) { $0.status }
        _ = try await client.send(endpoint)
    }

    @Test(arguments: Canary.all)
    func `see no secret, also if it's encoded twice`(canary: Canary) async throws {
        let lines = Mutex<[String]>([])
        let printer = ExchangePrinter { line in lines.withLock { $0.append(line) } }
        let encoded = canary.secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
        for secret in [canary.secret, try #require(encoded)] { try await exchange(secret, to: [events, printer]) }
        #expect(events.names == ["began", "sent", "200", "ended", "began", "sent", "200", "ended"])
        let printed = everyPrint(of: events.all) + lines.withLock { $0.joined(separator: "\n") }
        #expect(!canary.leaks(into: printed))
        #expect(printed.contains("page=2") && printed.contains("retry-after: 60"))
        #expect(lines.withLock { $0.count } == 8)
    }

    @Test func `see only listed query items and header fields`() async throws {
        let headers: HTTPHeaders = ["X-RateLimit-Remaining": "1", "X-Note": "2"]
        let client = HTTPClient(
            service: .sample(),
            transport: FakeTransport(headers: headers),
            options: .init { $0.observers = [events] }
        )
        let query = [("q", "cat"), ("page", "2"), ("note", "1")].map { Endpoint<Int>.QueryItem($0.0, $0.1) }
        _ = try await client.send(Endpoint(.path("/\("a b")"), query: query) { $0.status })
        let shown = events.all.compactMap { event -> HTTPEvent.Response? in
            if case .received(let response) = event.kind { response } else { nil }
        }
        #expect(shown.map(\.url) == ["https://api.example/a%20b?q=cat&page=2&note=***"])
        #expect(shown.first?.headers["X-RateLimit-Remaining"] == "1")
        #expect(shown.first?.headers["X-Note"] == "***")
    }
}
