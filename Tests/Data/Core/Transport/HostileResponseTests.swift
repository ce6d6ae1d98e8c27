import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

import BrowseData

/// Responses that violate HTTP or could crash the client.
///
/// Foundation's transport isn't tested on Linux (Swift 6.3.1), where each of these crashes or hangs the process: a trailer, a
/// truncated head, and a `Content-Length` of 2^63-1 are fatal errors; endless small chunks continue to arrive after a
/// cancellation; IPv6 addresses never connect.
@Suite("A hostile response", .bounded)
struct HostileResponseTests {
    private let info = BrowseError.RequestInfo(endpoint: "GET /")

    private func request(to server: LoopbackServer, path: String = "/", bytes: Int = 1 << 20) throws
        -> HTTPClient.Request
    {
        let url = try #require(URL(string: server.origin + path))
        return HTTPClient.Request(
            url: url,
            endpoint: "GET /",
            limits: HTTPLimits(bodyBytes: bytes, duration: .seconds(100_000))
        )
    }

    private func error(of steps: [LoopbackResponse.Step], over transport: TestTransport) async throws -> BrowseError? {
        let server = try LoopbackServer(first: LoopbackResponse(steps: steps))
        let transport = transport.make()
        let request = try request(to: server)
        let error = await thrown { () async throws(BrowseError) in try await transport.send(request) }
        // The next request works in any case.
        #expect(try await transport.send(request).status == 200)
        return error
    }

    @Test(arguments: TestTransport.robust)
    func `with a trailer is returned without it`(over transport: TestTransport) async throws {
        let head = LoopbackResponse.head("Transfer-Encoding: chunked", "X-T: head")
        let server = try LoopbackServer(
            first: LoopbackResponse(steps: [head, .text("3\r\nabc\r\n0\r\nX-T: trailer\r\nX-U: 1\r\n\r\n")])
        )
        let response = try await transport.make().send(try request(to: server))
        #expect(String(decoding: response.body, as: UTF8.self) == "abc")
        #expect(response.headers["X-T"] == "head")
        #expect(response.headers["X-U"] == nil)
    }

    @Test(arguments: TestTransport.robust)
    func `with repeated fields has all of their values, and none of an interim response`(over transport: TestTransport)
        async throws
    {
        let head = "HTTP/1.1 103 Early Hints\r\nX-T: early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
        let server = try LoopbackServer(
            first: LoopbackResponse(steps: [.text(head + "Link: <a>\r\nlink: <b>\r\nX: 1\r\n 2\r\n\r\n{}")])
        )
        let response = try await transport.make().send(try request(to: server))
        #expect(response.status == 200 && response.body.count == 2)
        #expect(response.headers["Link"] == "<a>, <b>")
        #expect(response.headers["X"] == "1 2")
        #expect(response.headers["X-T"] == nil)
    }

    @Test(arguments: TestTransport.robust, [600, 999])
    func `with a status outside 100 to 599 is unusable`(over transport: TestTransport, status: Int) async throws {
        let steps: [LoopbackResponse.Step] = [.text("HTTP/1.1 \(status) ?\r\nContent-Length: 2\r\n\r\n{}")]
        let error = try await error(of: steps, over: transport)
        #expect(error == .unusableResponse(.status, info))
    }

    @Test(
        arguments: TestTransport.robust,
        [
            "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Type: a", "HTTP/1.1 200 OK\r\nA: b\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n",
        ]
    )
    func `that ends within its head is a lost connection`(over transport: TestTransport, head: String) async throws {
        let server = try LoopbackServer(isRecording: false) { _ in LoopbackResponse(steps: [.text(head), .close]) }
        let transport = transport.make()
        let request = try request(to: server)
        let error = await thrown { () async throws(BrowseError) in try await transport.send(request) }
        #expect(error == .unreachable(.connectionLost, info))
    }

    @Test(arguments: TestTransport.allCases, [["Content-Length: 10"], ["Transfer-Encoding: chunked"]])
    func `that ends within its body is a lost connection`(over transport: TestTransport, fields: [String])
        async throws
    {
        let head = LoopbackResponse.Step.text(
            "HTTP/1.1 200 OK\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n5\r\nab"
        )
        #expect(try await error(of: [head, .close], over: transport) == .unreachable(.connectionLost, info))
        #expect(try await error(of: [head, .reset], over: transport) == .unreachable(.connectionLost, info))
    }

    @Test(
        arguments: TestTransport.robust,
        ["9223372036854775807", "18446744073709551616", "100000000000000000000000000", "1048577"]
    )
    func `that announces an enormous body is rejected`(over transport: TestTransport, length: String) async throws {
        let steps = [LoopbackResponse.head("Content-Length: \(length)"), .hold]
        #expect(try await error(of: steps, over: transport) == .unusableResponse(.tooLarge(limit: 1 << 20), info))
    }

    @Test(arguments: TestTransport.robust, [["5", "7"], ["5, 7"], ["+5"], ["-5"], ["5a"], ["0x5"], [""]])
    func `with an ambiguous length is rejected`(over transport: TestTransport, lengths: [String]) async throws {
        let fields = lengths.map { "Content-Length: \($0)\r\n" }.joined()
        let steps = [LoopbackResponse.Step.text("HTTP/1.1 200 OK\r\n\(fields)\r\nhello"), .hold]
        let error = try await error(of: steps, over: transport)
        guard case .unreachable(.other(code: URLError.Code.badServerResponse.rawValue, _), info) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    private static let endlessHeads: [(String, String)] = [
        ("HTTP/1.1 200 OK\r\n", "X-Field: value\r\n"), ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nX-Field: value\r\n", " folded\r\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "X-Trailer: value\r\n"),
        ("HTTP/1.1 200 OK\r\nX-Field: ", "value"), ("HTTP/1.1 200 ", "O"),
    ]

    @Test(arguments: TestTransport.robust, endlessHeads.indices)
    func `with an endless head is rejected`(over transport: TestTransport, index: Int) async throws {
        let (start, line) = Self.endlessHeads[index]
        let steps = [LoopbackResponse.Step.text(start), .endless(Array(line.utf8))]
        #expect(try await error(of: steps, over: transport) == .unusableResponse(.tooLarge(limit: 300 << 10), info))
    }

    @Test(arguments: TestTransport.robust)
    func `of endless small chunks stops when canceled`(over transport: TestTransport) async throws {
        let started = AsyncStream<Void>.makeStream()
        let chunks = Array(String(repeating: "1\r\na\r\n", count: 100).utf8)
        let server = try LoopbackServer { request in
            guard request.target == "/endless" else { return .json("{}") }
            return LoopbackResponse(steps: [
                LoopbackResponse.head("Transfer-Encoding: chunked"), .repeated(chunks, count: 1000),
                .run { started.continuation.yield() }, .endless(chunks),
            ])
        }
        let transport = transport.make()
        let endless = try request(to: server, path: "/endless", bytes: .max)
        let task = Task { await thrown { () async throws(BrowseError) in try await transport.send(endless) } }
        for await _ in started.stream { break }
        // Other requests aren't delayed meanwhile.
        #expect(try await transport.send(try request(to: server)).status == 200)
        task.cancel()
        #expect(await task.value == .cancelled)
        await server.waitForDisconnect()
    }

    @Test(arguments: TestTransport.allCases, [204, 304])
    func `with a body where none is allowed doesn't affect the next one`(over transport: TestTransport, status: Int)
        async throws
    {
        let server = try LoopbackServer(
            first: LoopbackResponse(steps: [.text("HTTP/1.1 \(status) None\r\nContent-Length: 5\r\n\r\nhello")])
        )
        let transport = transport.make(connectionsPerHost: 1)
        let request = try request(to: server)
        let response = try await transport.send(request)
        #expect(response.status == status)
        #expect(response.body.isEmpty)
        #expect(try await transport.send(request).status == 200)
    }

    @Test(arguments: TestTransport.robust)
    func `with control characters in a field can be revalidated`(over transport: TestTransport) async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(headers: [("ETag", "\"a\rb\u{1}c\"")]) }
        let transport = transport.make()
        var request = try request(to: server)
        request.headers["If-None-Match"] = try await transport.send(request).headers["ETag"]
        #expect(try await transport.send(request).status == 200)
        #expect(server.requests.last?.header("If-None-Match") == "\"a b c\"")
    }

    @Test(arguments: TestTransport.robust)
    func `without a request isn't used for the next request`(over transport: TestTransport) async throws {
        let (sent, continuation) = AsyncStream<Void>.makeStream()
        let gate = LoopbackGate()
        let server = try LoopbackServer { request in
            let response = LoopbackResponse(body: request.target).steps
            guard request.target == "/1" else { return LoopbackResponse(steps: response) }
            return LoopbackResponse(
                steps: response + [.holdUntil(gate)] + LoopbackResponse(status: 408, body: "late").steps
                    + [.run { continuation.yield() }]
            )
        }
        let transport = transport.make(connectionsPerHost: 1)
        #expect(try await transport.send(try request(to: server, path: "/1")).body == Data("/1".utf8))
        gate.open()
        for await _ in sent { break }
        for path in ["/2", "/3"] {
            #expect(try await transport.send(try request(to: server, path: path)).body == Data(path.utf8))
        }
    }

    @Test(
        "that never arrives on a reused connection is requested again if that is safe",
        arguments: TestTransport.robust,
        [HTTPMethod.get, .put, .delete]
    )
    func closedConnection(over transport: TestTransport, method: HTTPMethod) async throws {
        let server = try LoopbackServer { request in
            // The second request on the first connection gets no response.
            request.connection == 0 && request.method != "GET" || request.target == "/again" && request.connection == 0
                ? LoopbackResponse(steps: [.close]) : .json("{}")
        }
        let transport = transport.make(connectionsPerHost: 1)
        _ = try await transport.send(try request(to: server))
        var request = try request(to: server, path: "/again")
        request.method = method
        request.body = method == .get ? nil : Data(repeating: 32, count: 100_000)
        #expect(try await transport.send(request).status == 200)
        #expect(server.requests.map(\.connection) == [0, 0, 1])
    }

    @Test(arguments: TestTransport.robust)
    func `is received from an IPv6 address`(over transport: TestTransport) async throws {
        let server = try LoopbackServer(usesIPv6: true) { _ in .json("{}") }
        #expect(try await transport.make().send(try request(to: server)).status == 200)
        #expect(server.requests.first?.header("Host") == "[::1]:\(server.port)")
    }

    @Test(
        arguments: TestTransport.allCases,
        [
            ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\0b"), ("X A", "a"), ("X-A:", "a"), ("", "a"),
            ("X-Ä", "a"),
        ]
    )
    func `can't be caused by a malformed request`(over transport: TestTransport, field: (String, String)) async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        var request = try request(to: server)
        request.headers[field.0] = field.1
        let transport = transport.make()
        let error = await thrown { () async throws(BrowseError) in try await transport.send(request) }
        #expect(error == .refused(.invalidParameter, info))
        #expect(server.requests.isEmpty)
    }

    @Test(
        "is requested only over http and https, and without a password in the URL",
        arguments: TestTransport.allCases,
        [
            "ftp://127.0.0.1/", "file:///etc/passwd", "http://user:password@127.0.0.1/", "http://user@127.0.0.1/",
            "data:,a",
        ]
    )
    func otherAddresses(over transport: TestTransport, address: String) async throws {
        let request = HTTPClient.Request(url: try #require(URL(string: address)), endpoint: "GET /")
        let transport = transport.make()
        let error = await thrown { () async throws(BrowseError) in try await transport.send(request) }
        #expect(error == .refused(.invalidParameter, info))
    }

    #if os(Linux)
    /// What a process with environment variables says of a transfer from an address.
    private func result(
        of address: String,
        over transport: TestTransport,
        in environment: [String: String]
    ) async throws -> String {
        let child = try ChildProcess("transfer", "\(transport)", address, "1000000", environment: environment)
        return try #require(await child.finished().first)
    }

    @Test(arguments: TestTransport.robust)
    func `is received through the environment's proxy, unless the server is local`(over transport: TestTransport)
        async throws
    {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        #expect(try await result(of: server.origin, over: transport, in: ["http_proxy": closedAddress]) == "read")
        #expect(try await result(of: "http://host.test", over: transport, in: ["http_proxy": server.origin]) == "read")
        // Carthage/Carthage#2991
        for name in ["http://host.test", "http://api.internal"] {
            let environment = ["http_proxy": server.origin, "no_proxy": "host.test,.internal"]
            #expect(try await result(of: name, over: transport, in: environment).contains("hostNotFound"))
        }
        #expect(server.requests.map(\.target) == ["/users/octocat", "http://host.test/users/octocat"])
    }

    /// curl/curl#16958, Kong/insomnia#2512
    @Test(arguments: TestTransport.robust, ["http://proxy.invalid:8080", "http://user:p@ss#1@office.test:8080"])
    func `isn't said to be missing if its proxy is`(over transport: TestTransport, proxy: String) async throws {
        let text = try await result(of: "https://host.test", over: transport, in: ["https_proxy": proxy])
        #expect(text.contains("connectionRefused"), "\(text)")
    }

    @Test(
        "isn't received through a proxy that refuses the connection, which is named",
        arguments: TestTransport.robust,
        [(407, "intercepted"), (403, "intercepted"), (421, "intercepted"), (502, "status 502"), (504, "status 504")]
    )
    func refusingProxy(over transport: TestTransport, outcome: (status: Int, text: String)) async throws {
        let server = try LoopbackServer { _ in
            let headers = [("Content-Type", "text/html"), ("Proxy-Authenticate", "Basic realm=\"office\"")]
            return LoopbackResponse(status: outcome.status, headers: headers, body: "<html>No</html>")
        }
        let text = try await result(of: "https://host.test", over: transport, in: ["https_proxy": server.origin])
        #expect(text.contains(outcome.text) && text.contains("\(outcome.status)"), "\(text)")
        #expect(server.requests.map { "\($0.method) \($0.target)" } == ["CONNECT host.test:443"])
    }

    /// google/tensorstore#11, NixOS/nixpkgs#5047: an office's proxy can have its own authority.
    @Test(arguments: TestTransport.robust, ["CURL_CA_BUNDLE", "SSL_CERT_FILE"])
    func `isn't received if the environment's authorities can't be read`(over transport: TestTransport, name: String)
        async throws
    {
        let server = try LoopbackServer { _ in .json("{}") }
        let address = server.origin.replacing("http:", with: "https:")
        let environment = ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": ""].merging([name: "/missing.pem"]) { $1 }
        let text = try await result(of: address, over: transport, in: environment)
        #expect(text.contains("CA cert"), "\(text)")
    }
    #endif
}
