import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct ScriptedServerTests {
    /// Its requests have no limit that a busy machine could exceed.
    let server = ScriptedServer(clock: TestClock())

    @Test func `A scripted request is answered with the fixture, through the real client`() async throws {
        server.on(.get, "/users/octocat", response: .fixture("user-octocat", in: .gitHub))
        let users = RemoteGitHubRepository(client: try .gitHub(on: server.transport()))
        #expect(try await users.profile(of: GitHub.Login("octocat")).followerCount == 257)

        #expect(server.requests.map(\.url.absoluteString) == ["https://api.github.com/users/octocat"])
        #expect(server.requests.first?.method == .get)
        #expect(server.requests.first?.headers["User-Agent"] == "MocksTests")
        #expect(server.requests.first?.headers[MockURLProtocol.keyHeader] == nil)
        try server.verify()
    }

    @Test func `Query items fit as a subset, and the rule with the most of them answers`() async throws {
        server.on(.get, "/list", response: .json("0"))
        server.on(.get, "/list", query: ["page": "2"], response: .json("1"))
        server.on(.get, "/list", query: ["page": "2", "q": "a&b=c d+e"], response: .json("2"))
        server.on(.get, "/list", query: ["page": "2"], response: .json("never, since it is later"))
        let transport = server.transport()
        for (query, body) in [
            ("", "0"), ("?page=1", "0"), ("?page=2", "1"), ("?per_page=9&page=2&x", "1"), ("?page=22", "0"),
            ("?other=2", "0"),
            ("?page=2&q=a%26b%3Dc%20d%2Be", "2"), ("?q=a%26b%3Dc%20d%2Be", "0"),
        ] {
            #expect(try await transport.get("/list" + query).text == body, "\(query)")
        }
    }

    @Test func `The path fits as a whole, percent-encoded or not, and so does the method`() async throws {
        server.on(.get, "/users/release-helper[bot]", response: .json("1"))
        server.on(.get, "/users/%EA%B9%80%20%2F", response: .json("2"))
        server.on(.put, "/users/octocat", response: .status(204))
        let transport = server.transport()
        #expect(try await transport.get("/users/release-helper%5Bbot%5D").text == "1")
        #expect(try await transport.get("/users/%EA%B9%80%20%2F").text == "2")
        for path in [
            "/users/octocat", "/users/octocat/", "/api/v3/users/release-helper%5Bbot%5D", "/users/%EA%B9%80%20/",
        ] {
            #expect(try await transport.get(path).status == 400, "\(path)")
        }
    }

    @Test func `A sequence is answered in order and is then used up`() async throws {
        server.on(.get, "/a", responses: [.status(500), .json("2", headers: ["X-Part": "2"])])
        let transport = server.transport()
        #expect(try await transport.get("/a").status == 500)
        let second = try await transport.get("/a")
        #expect(second.text == "2")
        #expect(second.headers["X-Part"] == "2")
        #expect(second.headers["Content-Type"] == "application/json; charset=utf-8")
        try server.verify()

        #expect(await transport.report("/a").contains("matches it, but expects it exactly 2 times."))
        #expect(throws: ScriptedServer.Mismatch(unexpected: ["GET /a"])) { try server.verify() }
    }

    @Test func `An unexpected request gets a report with the closest stub`() async throws {
        server.on(.get, "/users/octocat", response: .json("{}"))
        server.on(.get, "/users", query: ["page": "2"], response: .json("{}"))
        let report = await server.transport().report("/users/mona?x=1")
        #expect(
            report.hasPrefix(
                "Unexpected request: GET https://host.test/users/mona?x=1\nThe closest stub is GET /users/octocat ("
            )
        )
        #expect(
            report.hasSuffix(
                """
                - path: /users/octocat
                + path: /users/mona
                Other stubs: GET /users?page=2
                """
            )
        )
        #expect(server.requests.count == 1)
        let hint = await ScriptedServer().transport().report("/")
        #expect(hint.hasSuffix("The server has no stubs. Add one: server.on(.get(\"/\"), response: .json(\"{}\"))"))
    }

    @Test func `An unexpected request with another method and path than all stubs gets a report with its own stub`()
        async throws
    {
        server.on(.get, "https://host.test/me", response: .json("{}"))
        server.on(.any.header("X-Part", "2"), response: .json("{}"))
        let report = await server.transport().report("/oauth/revoke", method: .post)
        let lines = [
            "Unexpected request: POST https://host.test/oauth/revoke",
            #"No stub has its method or path. Add one: server.on(.post("/oauth/revoke"), response: .json("{}"))"#,
            "The stubs: GET https://host.test/me, any method with X-Part: 2",
        ]
        #expect(report == lines.joined(separator: "\n"))
        // A mistyped path or method is a difference to a stub.
        for (path, method) in [("/mee", HTTPMethod.get), ("/me", .post)] {
            #expect(await server.transport().report(path, method: method).contains("The closest stub is GET https"))
        }
    }

    @Test(arguments: [
        ("/users/a%5Bbot%5D", "/users/a[bot]"), ("/projects/a%2Fb", "/projects/a%2Fb"), ("/what%3F", "/what%3F"),
        ("/a%2520b", "/a%2520b"), ("/a%5Cb", "/a%5Cb"),
    ])
    func `The code for a missing stub answers the request`(path: String, address: String) async throws {
        let hint = "server.on(.get(\"\(address)\"), response: .json(\"{}\"))"
        #expect(await server.transport().report(path).hasSuffix(hint))
        server.on(.get(address), response: .json("{}"))
        #expect(try await server.transport().get(path).text == "{}")
    }

    @Test func `An unexpected request isn't shown as a lost connection`() async throws {
        let users = RemoteGitHubRepository(client: try .gitHub(on: server.transport()))
        let error = await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("octocat")) }
        guard case .rejected(let info) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(info.serverMessage?.hasPrefix("Unexpected request: GET https://api.github.com/users/octocat") == true)
    }

    @Test func `Verifying lists missing and unexpected requests`() async throws {
        server.on(.get, "/once", response: .json("1"))
        server.on(.get, "/thrice", query: ["b": "2", "a": "1"], responses: [.json("1"), .json("2"), .json("3")])
        #expect(
            throws: ScriptedServer.Mismatch(missing: [
                "GET /once: expected at least once", "GET /thrice?a=1&b=2: expected exactly 3 times",
            ])
        ) { try server.verify() }

        let transport = server.transport()
        _ = try await transport.get("/thrice?a=1&b=2")
        _ = await transport.report("/other?secret=1", method: .delete)
        let error = #expect(throws: ScriptedServer.Mismatch.self) { try server.verify() }
        #expect(
            error?.description == """
                missing: GET /once: expected at least once
                missing: GET /thrice?a=1&b=2: expected exactly 3 times, received once
                unexpected: DELETE /other?secret=1
                """
        )
    }

    @Test func `A response with a missing fixture is reported`() async {
        server.on(.get, "/a", response: .fixture("nobody", in: .gitHub))
        #expect(await server.transport().report("/a").contains("There is no fixture \"nobody\""))
        let error = #expect(throws: ScriptedServer.Mismatch.self) { try server.verify() }
        #expect(error?.unexpected.first?.hasPrefix("GET /a: There is no fixture") == true)
    }

    @Test func `Held responses go out when they are released, and none is held after that`() async throws {
        server.on(.get, "/a", response: .json("1").held())
        let transport = server.transport()
        async let first = transport.get("/a")
        async let second = transport.get("/a")
        await server.waitForRequests(2)
        server.release()
        #expect(try await [first.text, second.text] == ["1", "1"])
        #expect(try await transport.get("/a").text == "1")
    }

    @Test func `A computed response sees the request, and held responses give it an order`() async throws {
        let held = ControlledResponses<String, ScriptedServer.Response>()
        server.on(
            .post,
            "/echo",
            response: .computed { request in
                .json(String(decoding: request.body ?? Data(), as: UTF8.self), status: 201)
            }
        )
        server.on(.get, "/a", response: .computed { (try? await held.response(to: $0.url.path())) ?? .status(503) })
        let transport = server.transport()
        let echo = try await transport.get("/echo", method: .post, body: "{\"a\":1}")
        #expect(echo.text == "{\"a\":1}")
        #expect(echo.status == 201)

        async let first = transport.get("/a")
        await held.waitForRequests(1)
        async let second = transport.get("/a")
        await held.waitForRequests(2)
        held.answer(1, with: .success(.json("second")))
        #expect(try await second.text == "second")
        held.answer(0, with: .success(.json("first")))
        #expect(try await first.text == "first")
    }

    @Test(arguments: [ScriptedServer.Response.json("1").held(), .json("1").delayed(by: .seconds(1))])
    func `Canceling the caller ends the wait for a response`(response: ScriptedServer.Response) async {
        let clock = TestClock()
        let server = ScriptedServer(clock: clock)
        server.on(.get, "/a", response: response)
        let transport = server.transport()
        let task = Task { await failure { () throws(BrowseError) in try await transport.get("/a") } }
        await server.waitForRequests(1)
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `A redirect is followed to another rule`() async throws {
        server.on(.get, "/old", responses: [.redirect(to: "/new", status: 301)])
        server.on(.get, "/new", responses: [.body(Data("1".utf8), headers: ["Content-Type": "text/plain"])])
        #expect(try await server.transport().get("/old").text == "1")
        try server.verify()
    }

    @Test func `A transport keeps its server alive`() async throws {
        func makeTransport() -> any HTTPTransport {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .json("1"))
            return server.transport()
        }
        #expect(try await makeTransport().get("/a").text == "1")
    }
}
