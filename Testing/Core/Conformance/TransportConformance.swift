public import BrowseData
import BrowseDomain
import BrowseCoreMocks
import Foundation

/// The rules of `HTTPTransport`, checked against servers on ports of this machine.
public enum TransportConformance {
    /// The rules for every transport that uses the network.
    public static var rules: [ConformanceRule<any HTTPTransport>] {
        exchangeRules + redirectRules + failureRules
    }

    private static var exchangeRules: [ConformanceRule<any HTTPTransport>] {
        [
            ConformanceRule("A request arrives with its method, query, header fields, and body.") {
                transport,
                require in
                let server = ScriptedServer()
                let stub = server.on(.any, response: .status(204))
                let listener = try server.listen()
                let body = Data(#"{"a":"é"}"#.utf8)
                for method in [HTTPMethod.post, .put, .patch] {
                    let response = try await transport.send(
                        request(
                            "a%20b?q=1&q=%26",
                            of: listener,
                            method,
                            ["X-Test": "1", "Content-Type": "text/plain"],
                            body
                        )
                    )
                    try require(response.status == 204 && response.body.isEmpty, "the response is \(response.status).")
                    let received = stub.requests.last
                    try require(received?.method == method, "\(method) is \(received?.method.rawValue ?? "missing").")
                    let target = received.map { "\($0.url.path(percentEncoded: true))?\($0.url.query() ?? "")" } ?? ""
                    try require(target == "/a%20b?q=1&q=%26", "the target is \(target).")
                    try require(received?.headers["X-Test"] == "1", "a header field is missing.")
                    try require(received?.headers["Content-Type"] == "text/plain", "the content type differs.")
                    try require(received?.body == body, "the body has \(received?.body?.count ?? 0) bytes.")
                }
            },
            ConformanceRule("A POST, PUT, or PATCH without a body has the length 0.") { transport, require in
                let server = ScriptedServer()
                server.on(.any, response: .status(204))
                let listener = try server.listen()
                for method in [HTTPMethod.post, .put, .patch] {
                    _ = try await transport.send(request("a", of: listener, method))
                    let headers = server.requests.last?.headers
                    let isEmpty = headers?["Content-Length"] == "0" || headers?["Transfer-Encoding"] != nil
                    try require(isEmpty, "\(method.rawValue) has no `Content-Length`.")
                }
            },
            ConformanceRule("Every status is a response with its header fields and bytes.") { transport, require in
                let server = ScriptedServer()
                let body = Data((0...255).map { UInt8($0) })
                let statuses = [200, 201, 304, 404, 422, 500, 503]
                for status in statuses {
                    let sent = status == 304 ? Data() : body
                    server.on(
                        .get,
                        "/\(status)",
                        response: .body(sent, status: status, headers: ["X-Status": "\(status)"])
                    )
                }
                let listener = try server.listen()
                for status in statuses {
                    let response = try await transport.send(request("\(status)", of: listener))
                    try require(response.status == status, "\(status) arrives as \(response.status).")
                    try require(response.headers["x-status"] == "\(status)", "\(status) has lost a header field.")
                    try require(response.body == (status == 304 ? Data() : body), "\(status) has another body.")
                }
            },
            ConformanceRule("Each request is sent once, and has nothing of earlier responses.") { transport, require in
                let server = ScriptedServer()
                let headers: HTTPHeaders = ["Cache-Control": "max-age=3600", "ETag": "\"1\"", "Set-Cookie": "a=1"]
                server.on(.any, response: .json("1", headers: headers))
                let listener = try server.listen()
                for method in [HTTPMethod.get, .get, .post] {
                    let body = method == .post ? Data("1".utf8) : nil
                    _ = try await transport.send(request("a", of: listener, method, [:], body))
                }
                let received = server.requests
                try require(received.count == 3, "\(received.count) of 3 arrived, such as with a cache.")
                for name in ["Cookie", "If-None-Match"] {
                    try require(received.allSatisfy { $0.headers[name] == nil }, "`\(name)` was sent.")
                }
            },
            ConformanceRule("Parallel requests get their own responses.") { transport, require in
                let server = ScriptedServer()
                server.on(.any, response: .computed { .body(Data($0.url.path().utf8)) })
                let listener = try server.listen()
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            try await transport.send(request("\(number)", of: listener)).body == Data("/\(number)".utf8)
                        }
                    }
                    for try await isOwn in group { try require(isOwn, "a response belongs to another request.") }
                }
            },
        ]
    }

    private static var redirectRules: [ConformanceRule<any HTTPTransport>] {
        [
            ConformanceRule("A redirect is followed, and the response has the final URL.") { transport, require in
                let server = ScriptedServer()
                server.on(.get, "/a", response: .redirect(to: "/b", status: 301))
                server.on(.get, "/b", response: .json("1"))
                let listener = try server.listen()
                let response = try await transport.send(request("a", of: listener))
                try require(response.body == Data("1".utf8), "the status is \(response.status).")
                try require(response.url.path() == "/b", "the URL is \(response.url.absoluteString).")
            },
            ConformanceRule("A redirect to another origin gets no credentials.") { transport, require in
                let (first, second) = (ScriptedServer(), ScriptedServer())
                let stub = second.on(.get, "/b", response: .json("1"))
                let target = try second.listen()
                first.on(.get, "/a", response: .redirect(to: target.url.appending(path: "b").absoluteString))
                let listener = try first.listen()
                let credentials: HTTPHeaders = [
                    "Authorization": "Bearer secret", "Cookie": "a=secret", "X-Api-Key": "secret",
                    "If-None-Match": "\"1\"",
                ]
                _ = try await transport.send(request("a", of: listener, .get, credentials))
                let received = stub.requests.first
                try require(received != nil, "it isn't followed.")
                for name in credentials.fields.keys.sorted() {
                    try require(received?.headers[name] == nil, "`\(name)` was sent.")
                }
            },
            ConformanceRule("Redirects end.") { transport, require in
                let server = ScriptedServer()
                server.on(.any, response: .redirect(to: "/again"))
                let listener = try server.listen()
                let result = await outcome(transport, request("a", of: listener))
                guard case .success(let response) = result else { return }
                try require(response.status == 302, "the status is \(response.status).")
            },
        ]
    }

    private static var failureRules: [ConformanceRule<any HTTPTransport>] {
        [
            ConformanceRule("A body over its limit is `.unusableResponse(.tooLarge)`.") { transport, require in
                let server = ScriptedServer()
                server.on(.get, "/a", response: .json(String(repeating: "1", count: 1001)))
                let listener = try server.listen()
                let limits = HTTPLimits(bodyBytes: 1000, duration: longestWait)
                let result = await outcome(transport, request("a", of: listener, limits: limits))
                guard case .failure(.unusableResponse(.tooLarge, _)) = result else {
                    return try require(false, describe(result))
                }
            },
            ConformanceRule("A response after the time limit is `.timedOut`.") { transport, require in
                let server = ScriptedServer()
                server.on(.get, "/a", response: .json("1").held())
                let listener = try server.listen()
                let limits = HTTPLimits(duration: .milliseconds(50))
                let result = await outcome(transport, request("a", of: listener, limits: limits))
                guard case .failure(.timedOut) = result else { return try require(false, describe(result)) }
            },
            ConformanceRule("A canceled request is `.cancelled`.") { transport, require in
                let server = ScriptedServer()
                server.on(.get, "/a", response: .json("1").held())
                let listener = try server.listen()
                let task = Task { await outcome(transport, request("a", of: listener)) }
                await server.waitForRequests(1)
                task.cancel()
                let result = await task.value
                guard case .failure(.cancelled) = result else { return try require(false, describe(result)) }
            },
            ConformanceRule("A connection that ends within the body is `.unreachable`.") { transport, require in
                let server = ScriptedServer()
                server.on(.get, "/a", response: .json("[1,2,3]").truncated(after: 3))
                let listener = try server.listen()
                let result = await outcome(transport, request("a", of: listener))
                guard case .failure(.unreachable) = result else { return try require(false, describe(result)) }
            },
            ConformanceRule("A closed port is `.unreachable`.") { transport, require in
                let listener = try ScriptedServer().listen()
                listener.stop()
                let result = await outcome(transport, request("a", of: listener))
                guard case .failure(.unreachable) = result else { return try require(false, describe(result)) }
            },
        ]
    }

    /// The time limit of successful exchanges, far longer than they take, even on a single busy
    /// core.
    private static var longestWait: Duration { .seconds(300) }

    private static func request(
        _ target: String,
        of listener: ScriptedServer.Listener,
        _ method: HTTPMethod = .get,
        _ headers: HTTPHeaders = [:],
        _ body: Data? = nil,
        limits: HTTPLimits = HTTPLimits(duration: longestWait)
    ) -> HTTPClient.Request {
        let url = URL(string: "\(listener.url.absoluteString)/\(target)") ?? listener.url
        return HTTPClient.Request(
            method: method,
            url: url,
            headers: headers,
            body: body,
            endpoint: "CONFORMANCE",
            limits: limits
        )
    }

    private static func outcome(
        _ transport: any HTTPTransport,
        _ request: HTTPClient.Request
    ) async -> Result<HTTPClient.Response, BrowseError> {
        do throws(BrowseError) { return .success(try await transport.send(request)) } catch { return .failure(error) }
    }

    private static func describe(_ result: Result<HTTPClient.Response, BrowseError>) -> String {
        switch result {
        case .success(let response): "a response with status \(response.status)."
        case .failure(let error): "\(error)."
        }
    }
}
