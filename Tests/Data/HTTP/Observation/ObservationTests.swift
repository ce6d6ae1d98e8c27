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
            func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
                var url = request.url
                url.append(queryItems: [URLQueryItem(name: "access_token", value: secret)])
                return HTTPClient.Response(
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

    @Test func `see only listed query items, no username, and no fragment`() throws {
        let url = try #require(URL(string: "https://mona:x@api.example:8080/a%20b?q=cat&page=2&%71=1&flag#end"))
        #expect(ShownText.url(url) == "https://api.example:8080/a%20b?q=***&page=2&%71=***&flag")
        #expect(ShownText.url(url, showing: ["q"]) == "https://api.example:8080/a%20b?q=cat&page=2&%71=***&flag")
        #expect(ShownText.origin(of: url) == "https://api.example:8080/…")
    }

    @Test(arguments: Canary.all)
    func `see no secret in any position`(canary: Canary) throws {
        let secret = canary.secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let twice = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        for form in [secret, twice] {
            let places = ["/*", "/a?page=*", "/a?*=1", "/a?q=*", "/a?*", "/a/b+*?page=1+*"]
            for text in places.map({ $0.replacing("*", with: form) }) {
                let url = try #require(URL(string: "https://api.example" + text))
                #expect(!canary.leaks(into: ShownText.url(url, showing: ["q"])), "\(text)")
            }
        }
        let headers: HTTPHeaders = [
            "X-Note": canary.secret, "ETag": "\"\(canary.secret)\"", "Server": canary.secret, canary.secret: "1",
            "Location": "https://api.example/\(secret)", "Vary": "Accept, \(canary.secret)", "Retry-After": "60",
        ]
        #expect(!canary.leaks(into: "\(ShownText.headers(headers).fields)"))
        #expect(!canary.leaks(into: everyPrint(of: headers)))
        #expect(ShownText.headers(headers)["Retry-After"] == "60")
        let names: HTTPHeaders = ["X-RateLimit-Remaining": "1", "X-Accepted-GitHub-Permissions": "2"]
        #expect(ShownText.headers(names, showing: ["x-ratelimit-remaining"])["X-RateLimit-Remaining"] == "1")
        #expect(ShownText.headers(names)["X-Accepted-GitHub-Permissions"] == "***")
        let key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
        for form in [key, key.replacing("/", with: ":"), key.replacing("/", with: "&#47;")] {
            #expect(BrowseError.RequestInfo(endpoint: "").reporting("Bad key \(form).").serverMessage == "Bad key …")
        }
    }
}
