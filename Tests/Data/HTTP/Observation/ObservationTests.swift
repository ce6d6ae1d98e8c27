import BrowseDomain
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `Observers` {
    /// Sends a request and a response with secrets in every position.
    private func exchange(_ secret: String, to observers: [any HTTPObserver]) async throws {
        struct Echo: HTTPTransport {
            let secret: String
            func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
                var url = request.url
                url.append(queryItems: [URLQueryItem(name: "access_token", value: secret)])
                return HTTPResponse(
                    status: 200,
                    headers: [
                        "Set-Cookie": secret, "Location": "https://u:\(secret)@api.example/?code=\(secret)#\(secret)",
                        "Content-Type": "application/json",
                    ],
                    body: Data(#"{"access_token":"\#(secret)"}"#.utf8),
                    url: url
                )
            }
        }
        let client = HTTPClient(
            service: .sample(),
            transport: Echo(secret: secret),
            options: .init {
                $0.observers = observers
                $0.now = { testNow }
            }
        )
        let endpoint = Endpoint(
            method: .post,
            .path("/a"),
            query: ["client_secret", "code", "Token", "state"].map { .init($0, secret) } + [.init("page", "2")],
            headers: ["Authorization": "Bearer \(secret)", "Cookie": secret],
            body: Data(secret.utf8)
        ) { $0.status }
        _ = try await client.send(endpoint)
    }

    @Test(arguments: Canary.all)
    func `see no secret`(canary: Canary) async throws {
        let events = Events()
        let lines = Mutex<[String]>([])
        let printer = ExchangePrinter { line in lines.withLock { $0.append(line) } }
        try await exchange(canary.secret, to: [events, printer])
        #expect(events.names == ["began", "sent", "200", "ended"])
        let printed =
            everyPrint(of: events.all)
            + lines.withLock { $0 }.joined(separator: "\n")
        #expect(!canary.leaks(into: printed))
        #expect(printed.contains("page=2"))
        #expect(lines.withLock { $0.count } == 4)
    }

    @Test func `see no username in a URL, and no percent-encoded secret`() throws {
        let url = try #require(
            URL(string: "https://ghp%5Fabcdefgh:x@api.example/a?q=%67hp%5Fabcdefgh&page=2#ghp_abcdefgh")
        )
        #expect(SecretRedactor().url(url) == "https://api.example/a?q=***&page=2")
        let user = try #require(URL(string: "https://mona@api.example/a"))
        #expect(SecretRedactor().url(user) == "https://api.example/a")
    }

    @Test(arguments: Canary.all.filter { !$0.name.contains("hexadecimal") && !$0.name.contains("Base64") })
    func `see no token in any position`(canary: Canary) throws {
        let url = try #require(URL(string: "https://api.example/a?q=\(canary.secret)&page=2"))
        #expect(SecretRedactor().url(url) == "https://api.example/a?q=***&page=2")
        #expect(
            SecretRedactor().headers(["X-Note": canary.secret, "ETag": "\"1\""]) == ["X-Note": "***", "ETag": "\"1\""]
        )
    }
}
