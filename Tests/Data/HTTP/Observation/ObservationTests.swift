import BrowseDomain
import Foundation
import Synchronization
import Testing

@testable import BrowseData
import TestLimits

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
        let (events, log) = (Events(), ExchangeLog())
        let lines = Mutex<[String]>([])
        let printer = ExchangePrinter { line in lines.withLock { $0.append(line) } }
        try await exchange(canary.secret, to: [events, log, InPlaceObserver(observer: printer)])
        #expect(events.names == ["began", "sent", "200", "ended"])
        let printed =
            everyPrint(of: events.all) + String(decoding: log.archive(), as: UTF8.self)
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

    @Test func `get an archive of completed requests, with times and redirects`() async throws {
        let log = ExchangeLog(limit: 0)
        func note(_ exchange: Int, at seconds: Double, _ kind: HTTPEvent.Kind) {
            log.observe(HTTPEvent(exchange: exchange, endpoint: "GET /a", date: testNow + seconds, kind: kind))
        }
        let request = HTTPEvent.Request(method: "GET", url: "https://api.example/a", headers: [:], bodyBytes: 0)
        let response = HTTPEvent.Response(
            status: 302,
            url: "https://api.example/a",
            headers: ["Location": "https://api.example/b"],
            bodyBytes: 0
        )
        note(1, at: 0, .sent(request))
        #expect(!String(decoding: log.archive(), as: UTF8.self).contains("api.example"))
        // Of another exchange, which doesn't end this one.
        note(2, at: 0.1, .received(response))
        #expect(!String(decoding: log.archive(), as: UTF8.self).contains("api.example"))
        note(1, at: 0.25, .received(response))
        // A second response belongs to no exchange.
        note(1, at: 9, .received(response))
        #expect(log.count == 1)
        let text = String(decoding: log.archive(), as: UTF8.self)
        #expect(text.contains(#""wait" : 250"#))
        #expect(text.contains(#""time" : 250"#))
        #expect(text.contains(#""redirectURL" : "https://api.example/b""#))
        #expect(text.contains(#""startedDateTime" : "2026-01-02T03:04:05.000Z""#))
    }

    @Test(arguments: Canary.all.filter { !$0.name.contains("hexadecimal") && !$0.name.contains("Base64") })
    func `see no token in any position`(canary: Canary) throws {
        let url = try #require(URL(string: "https://api.example/a?q=\(canary.secret)&page=2"))
        #expect(SecretRedactor().url(url) == "https://api.example/a?q=***&page=2")
        #expect(
            SecretRedactor().headers(["X-Note": canary.secret, "ETag": "\"1\""]) == ["X-Note": "***", "ETag": "\"1\""]
        )
    }

    @Test func `get an archive that conforms to HAR 1.2`() async throws {
        let log = ExchangeLog(limit: 2)
        let count = Mutex(0)
        struct Wire: HTTPTransport {
            let next: @Sendable () -> Int
            func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
                guard next() < 3 else { throw .timedOut(request.info) }
                return HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "text/plain", "ETag": "\"1\""],
                    body: Data("four".utf8),
                    url: request.url
                )
            }
        }
        let wire = Wire {
            count.withLock { count in
                count += 1
                return count
            }
        }
        let client = HTTPClient(
            service: .sample(),
            transport: wire,
            options: .init {
                $0.observers = [log]; $0.now = { testNow }
            }
        )
        for page in 1...3 {
            _ = try? await client.send(Endpoint(.path("/a"), query: [.init("page", "\(page)")]) { $0.status })
        }
        #expect(log.count == 2)
        struct Archive: Decodable {
            struct Log: Decodable {
                let version: String
                let creator: [String: String]
                let entries: [Entry]
            }
            struct Entry: Decodable {
                let startedDateTime: Date
                let time: Double
                let request: Request
                let response: Response
                let cache: [String: String]
                let timings: [String: Double]
                let comment: String
            }
            struct Request: Decodable {
                let method, url, httpVersion: String
                let cookies, headers, queryString: [[String: String]]
                let headersSize, bodySize: Int
            }
            struct Response: Decodable {
                struct Content: Decodable {
                    let size: Int
                    let mimeType: String
                }
                let status: Int
                let statusText, httpVersion, redirectURL: String
                let cookies, headers: [[String: String]]
                let content: Content
                let headersSize, bodySize: Int
            }
            let log: Log
        }
        // For external validators: swift test --attachments-path FOLDER
        Attachment.record(log.archive(), named: "exchanges.har")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        let archive = try decoder.decode(Archive.self, from: log.archive()).log
        #expect(archive.version == "1.2")
        #expect(archive.creator["name"] == "BrowseKit")
        let (second, third) = (try #require(archive.entries.first), try #require(archive.entries.last))
        #expect(second.startedDateTime == testNow)
        #expect(second.request.method == "GET")
        #expect(second.request.url == "https://api.example/a?page=2")
        #expect(second.request.queryString == [["name": "page", "value": "2"]])
        #expect(second.response.status == 200)
        #expect(second.response.content.size == 4)
        #expect(second.response.content.mimeType == "text/plain")
        #expect(second.response.headers.contains(["name": "etag", "value": "\"1\""]))
        #expect(Set(second.timings.keys) == ["send", "wait", "receive"])
        #expect(second.comment == "GET /a")
        // Without a response, the status is 0, and the comment has the reason.
        #expect(third.response.status == 0)
        #expect(third.comment.contains("timedOut"))
    }
}
