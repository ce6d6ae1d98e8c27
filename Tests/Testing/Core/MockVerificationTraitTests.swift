import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.bounded)
struct MockVerificationTraitTests {
    @Test func `A missing request is an issue at the line of its stub`() async throws {
        let line = #line + 2
        let issues = try await verifiedIssues {
            ScriptedServer().on(.get, "/a", response: .json("1"))
            let server = ScriptedServer()
            server.on(.get, "/b", response: .json("1"))
            _ = try server.listen().url
        }
        let hints = [
            ": no request came before the test ended. Await the call that sends it.",
            ": the listener was released before any. Keep the result of listen().",
        ]
        let texts = ["/a: expected at least once\(hints[0])", "/b: expected at least once\(hints[1])"]
        #expect(issues.map { $0.comments.map(\.rawValue) } == texts.map { ["Missing request: GET \($0)"] })
        #expect(issues.first?.sourceLocation?.line == line)
        #expect(issues.first?.sourceLocation?.fileName == "MockVerificationTraitTests.swift")
    }

    @Test func `An unused stub of an offline service is an issue with the requests that came, the closest first`()
        async throws
    {
        let issues = try await verifiedIssues {
            let gitHub = OfflineGitHub()
            gitHub.script.on(.get, "/users/octocat", query: ["page": "2"], response: .json("1"))
            gitHub.script.on(.get, "/users/hubot", response: .json("1"))
            for path in ["/users/octocat/followers", "/users/octocat", "/users/octocat", "/users/octocat?page=3"] {
                _ = try await gitHub.transport().get(path)
            }
            _ = try await gitHub.transport().get("/users/hubot")
            for page in 1...4 { _ = try await gitHub.transport().get("/users/octocat/following?page=\(page)") }
        }
        let text = """
            Missing request: GET /users/octocat?page=2: expected at least once, but there were:
            - GET /users/octocat
            - GET /users/octocat?page=3
            - GET /users/octocat/following?page=2
            - GET /users/hubot
            - GET /users/octocat/followers
            … (3 others)
            """
        #expect(issues.map(\.text) == [text])
    }

    @Test func `A stub after an equal one is an issue that says which one answers`() async throws {
        let line = #line + 3
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .json("1"))
            server.on(.get, "/a", response: .json("2"))
            // The next one is missing a request.
            server.on(.get, "/b", times: 1, response: .json("1"))
            server.on(.get, "/b", response: .json("2"))
            for path in ["/a", "/a", "/b"] { _ = try await server.transport().get(path) }
        }
        let first = "Unused stub: GET /a (MockVerificationTraitTests.swift:\(line)) came first, and answers before it."
        #expect(issues.first?.text.hasPrefix(first) == true && issues.first?.sourceLocation?.line == line + 1)
        #expect(issues.last?.text.hasPrefix("Missing request: GET /b: expected at least once") == true)
        #expect(issues.count == 2)
    }

    @Test func `An unexpected request is an issue at the test before the test ends`() async throws {
        let ended = Mutex(false)
        let server = Mutex<ScriptedServer?>(nil)
        let issues = try await verifiedIssues {
            let scripted = ScriptedServer()
            server.withLock { $0 = scripted }
            let transport = scripted.transport()
            // Not a task of the test.
            await Task.detached { _ = try? await transport.get("/a") }.value
            await Task.detached { _ = try? await scripted.transport().get("/b") }.value
            ended.withLock { $0 = true }
        }
        #expect(issues.count == 2)
        #expect(issues.first?.comments.first?.rawValue.hasPrefix("Unexpected request: GET https://host.test/a") == true)
        #expect(issues.first?.sourceLocation == Test.current?.sourceLocation)
        #expect(ended.withLock { $0 })
        // Verified by the trait; nothing is reported after that.
        #expect(throws: ScriptedServer.Mismatch(unexpected: ["GET /a", "GET /b"])) {
            try server.withLock { $0 }?.verify()
        }
    }

    @Test
    func `A request that nothing answers is an issue of the test that sends it, also of a shared mock`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/file", response: .fixture("no-such-file", in: Fixtures(["other": Data()])))
        let replay = ReplayingTransport(Recording())
        let issues = try await verifiedIssues {
            _ = try await server.transport().get("/a")
            _ = try await server.transport().get("/file")
            _ = try await replay.get("/b")
        }
        let problems = [
            "Unexpected request: GET https://host.test/a", "There is no fixture",
            "Request without a recorded response: GET https://host.test/b",
        ]
        #expect(issues.count == 3)
        #expect(zip(issues, problems).allSatisfy { $0.text.hasPrefix($1) }, "\(issues.map(\.text))")
    }

    @Test(
        arguments: [
            (.status(404), "Nothing proves that the scripted 404", "call ofProxy() on the response."),
            (
                .rateLimited(until: .distantFuture), "Nothing proves that the scripted 429",
                "its fixtures, use its own mock of a rate limit, or call ofProxy() on the response."
            ),
            (
                .json(#"{"id": "7"}"#), "The body can't be decoded, and nothing proves that the scripted 200",
                "The problem of the body is id: not of type Int64."
            ),
            (
                .json(#"{"id": 7, "Login": "a"}"#),
                "The body can't be decoded, and nothing proves that the scripted 200",
                "The problem of the body is login: missing, but there is “Login”."
            ),
            (
                .status(200), "The body can't be decoded, and nothing proves that the scripted 200",
                "It's empty. If the response has no value, make the endpoint an Endpoint<Void>."
            ),
        ] as [(ScriptedServer.Response, String, String)],
        [false, true]
    )
    func `A response that nothing proves is an issue, unless the test means a proxy's`(
        unproven: (response: ScriptedServer.Response, problem: String, detail: String),
        isProxy: Bool
    ) async throws {
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            let response = isProxy ? unproven.response.ofProxy() : unproven.response
            server.on(.get, "/users/a", responses: [.status(404).ofProxy(), response])
            let configuration = Configuration().with { $0.cacheByteLimit = 0 }
            let container = Container.production(on: server.transport(), configuration: configuration)
            let users = container.userRepository()
            for _ in 1...2 { _ = try? await users.profile(of: GitHub.Login("a")) }
        }
        let problem = "GET /users/a, response 2 of 2: \(unproven.problem) is the service's"
        #expect(issues.count == (isProxy ? 0 : 1) && issues.allSatisfy { $0.text.hasPrefix(problem) })
        #expect(
            issues.allSatisfy { $0.text.contains("header fields of its fixtures") && $0.text.contains(unproven.detail) }
        )
    }

    private struct Numbered: Decodable { let number: Int }

    @Test(
        arguments: [
            (#"[{"count": 1}]"#, "The scripted body can't be decoded: [0].number: missing."),
            (#"[{"nummer": 1}]"#, "The scripted body can't be decoded: [0].number: missing, but there is “nummer”."),
            (
                #"[{"number": 1}, {"a": 1, "Number_": 2}]"#,
                "1 row of the scripted body can't be decoded: [1].number: missing, but there is “Number_”."
            ),
        ],
        [false, true]
    )
    func `A scripted body, or row, that can't be decoded is an issue at its stub, unless the test means it`(
        undecodable: (body: String, problem: String),
        isMeant: Bool
    ) async throws {
        let line = #line + 5
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            let response = ScriptedServer.Response.json(undecodable.body)
            server.on(.get, "/a", times: 1, response: response.undecodable())
            server.on(.get, "/a", response: isMeant ? response.undecodable() : response)
            let url = try #require(URL(string: "https://host.test"))
            let service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
            let client = HTTPClient(service: service, transport: server.transport())
            let page = Endpoint<Page<Numbered>>.json(.path("/a")) { (list: LossyArray<Numbered>, _) in
                Page(items: list.rows, skipped: list.skipped)
            }
            for _ in 1...3 { _ = try? await client.send(page) }
        }
        let text = "GET /a: \(undecodable.problem) Correct it, or call undecodable() on it."
        #expect(issues.map(\.text) == (isMeant ? [] : [text]))
        #expect(issues.allSatisfy { $0.sourceLocation?.line == line })
    }

    private struct Letter: Decodable { let a: Int }

    @Test(arguments: [(#"{"b": 1}"#, ""), (#"{"A": 1}"#, ", but there is “A”")])
    func `A missing key of one letter is similar only to itself`(body: String, hint: String) async throws {
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .json(body))
            let url = try #require(URL(string: "https://host.test"))
            let service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
            let client = HTTPClient(service: service, transport: server.transport())
            _ = try? await client.send(Endpoint<Int>.json(.path("/a")) { (letter: Letter, _) in letter.a })
        }
        let problem = "The scripted body can't be decoded: a: missing\(hint)."
        #expect(issues.map(\.text) == ["GET /a: \(problem) Correct it, or call undecodable() on it."])
    }

    @Test(arguments: [false, true])
    func `A body behind a redirect that can't be decoded is an issue at its own stub, unless the test means it`(
        isMeant: Bool
    ) async throws {
        let line = #line + 5
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            let response = ScriptedServer.Response.json("[1]")
            server.on(.get, "/a", response: .redirect(to: "/b"))
            server.on(.get, "/b", response: isMeant ? response.undecodable() : response)
            let url = try #require(URL(string: "https://host.test"))
            let service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
            let client = HTTPClient(service: service, transport: server.transport())
            let text = Endpoint<String>.json(.path("/a")) { (text: String, _) in text }
            for _ in 1...2 { _ = try? await client.send(text) }
        }
        let problem = "GET /b: The scripted body can't be decoded: "
        #expect(issues.map { $0.text.hasPrefix(problem) } == (isMeant ? [] : [true]), "\(issues.map(\.text))")
        #expect(issues.allSatisfy { $0.sourceLocation?.line == line })
    }

    @Test func `An unexpected request is one issue, and not also one of its response`() async throws {
        let issues = try await verifiedIssues {
            _ = try? await Container.production(on: ScriptedServer().transport()).userRepository().ownProfile()
        }
        #expect(issues.map { $0.text.hasPrefix("Unexpected request: GET ") } == [true], "\(issues.map(\.text))")
    }

    @Test func `A retry without a response of its own is an issue that says so`() async throws {
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/users/octocat", responses: [.status(502, headers: .gitHub)])
            let configuration = Configuration().with { $0.clock = ImmediateClock() }
            let container = Container.production(on: server.transport(), configuration: configuration)
            await container.userProfileViewModel().show(GitHub.Login("octocat"))
            // The person's retry is a request of its own.
            await container.userProfileViewModel().show(GitHub.Login("octocat"))
        }
        let count = "matches it, but expects it exactly once."
        let remedy = "Add a response for each, or set Configuration.retries to .never."
        let retry = "\(count) It's attempt 2 of the request, a retry. \(remedy)"
        #expect(issues.count == 2 && issues.first?.text.hasSuffix(retry) == true, "\(issues.map(\.text))")
        #expect(issues.last?.text.hasSuffix(count) == true)
    }

    @Test(arguments: [(401, "three times", "four"), (403, "twice", "three")])
    func `An attempt after the refusal of a new token is an issue with the number of attempts`(
        status: Int,
        times: String,
        count: String
    ) async throws {
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            let refusal = ScriptedServer.Response.json(#"{"message": "No"}"#, status: status, headers: .gitHub)
            server.on(.get, "/user", responses: [refusal])
            let now = Date(timeIntervalSince1970: 1_800_000_000)
            let configuration = Configuration().with {
                ($0.clock, $0.retries) = (ImmediateClock(), .never)
                $0.now = { now }
            }
            let container = Container.production(on: server.transport(), configuration: configuration)
            var credentials = Credentials(token: try Secret("gho_1"))
            credentials.issuedAt = now
            try? await container.gitHubSession().signIn(with: credentials)
        }
        let cause = "the \(status) of a token that is less than ten seconds old is repeated \(times)."
        let text = "It's attempt 2 of the request: \(cause) Pass a single response:, or \(count) of responses:."
        #expect(issues.map { $0.text.hasSuffix(text) } == [true], "\(issues.map(\.text))")
    }

    /// A provider with a new token for each request.
    private struct NewTokens: AccessTokens {
        let count = Monitor(0)

        func currentGrant() async throws(BrowseError) -> AccessGrant? {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return (try? Secret("token-\(number)")).map { AccessGrant(account: "app", token: $0) }
        }
    }

    @Test func `An attempt with a newer token is an issue that says so`() async throws {
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/a", responses: [.json("{}", status: 401)])
            let url = try #require(URL(string: "https://host.test"))
            let client = Container.production(on: server.transport()).client(
                of: .json(baseURL: url, userAgent: "Tests"),
                tokens: NewTokens()
            )
            _ = try? await client.send(Endpoint<Void>(.path("/a")) { _ in })
        }
        let text = "It's attempt 2 of the request, with a newer token. Add a response for each."
        #expect(issues.map { $0.text.hasSuffix(text) } == [true], "\(issues.map(\.text))")
    }

    @Test func `A body that its endpoint doesn't expect is an issue that says so`() async throws {
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.put, "/a", response: .json("{}"))
            let url = try #require(URL(string: "https://host.test"))
            var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
            service.evidence = HTTPClient.Service.Evidence { _ in false }
            let client = HTTPClient(service: service, transport: server.transport())
            _ = try? await client.send(Endpoint<Void>(method: .put, .path("/a")) { _ in })
        }
        let detail = "The endpoint expects another status, or no body."
        #expect(issues.map { $0.text.hasSuffix(detail) } == [true], "\(issues.map(\.text))")
    }

    @Test(arguments: [204, 304], [false, true])
    func `A body that a status can't have is an issue at its stub, and isn't delivered`(
        status: Int,
        isOnPort: Bool
    ) async throws {
        let line = #line + 3
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .json("[1]", status: status).delayed(by: .zero))
            let listener = try server.listen()
            defer { listener.stop() }
            let transport = isOnPort ? HTTPClient.makeTransport() : server.transport()
            let request = HTTPClient.Request(url: listener.url.appending(path: "a"), endpoint: "TEST")
            let response = try await transport.send(request)
            #expect(response.status == status && response.body.isEmpty)
        }
        let problem = "GET /a: A response with status \(status) has no body, so clients ignore this one."
        #expect(issues.map(\.text) == ["\(problem) Remove it, or use another status."])
        #expect(issues.first?.sourceLocation?.line == line)
    }

    @Test
    func `A stub after an equal one is an issue of a test that is canceled while it waits for it, too`() async throws {
        let texts = try await canceledIssues(at: "the condition at") {
            let server = ScriptedServer()
            let stubs = (1...2).map { server.on(.get, "/a", response: .json("\($0)")) }
            _ = try await server.transport().get("/a")
            try await waitUntil { stubs[1].requests.count == 1 }
        }
        #expect(texts.count { $0.hasPrefix("Unused stub: GET /a (MockVerificationTraitTests.swift:") } == 1)
    }

    @Test func `An error of an offline service's script that nothing proves is an issue, and its own errors are none`()
        async throws
    {
        let issues = try await verifiedIssues {
            let services = OfflineServices()
            let users = Container.offline(services).userRepository()
            _ = try? await users.profile(of: GitHub.Login("nobody"))
            services.gitHub.script.on(.get, "/users/octocat", response: .status(404))
            _ = try? await users.profile(of: GitHub.Login("octocat"))
        }
        let problem = "GET /users/octocat: Nothing proves that the scripted 404 is the service's"
        #expect(issues.map { $0.text.hasPrefix(problem) } == [true])
    }

    /// An offline service with faults in its responses.
    private final class Faulty: OfflineService {
        typealias Settings = AppStoreSettings
        let scenarios = OfflineScenarios()

        func hasEndpoint(for request: HTTPClient.Request) -> Bool { true }

        @concurrent
        func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
            switch request.url.lastPathComponent {
            case "untyped": HTTPClient.Response(status: 400, body: Data("{}".utf8), url: request.url)
            case "typed": .json("{}", status: 400, to: request)
            case "empty": HTTPClient.Response(status: 200, url: request.url)
            case "body": .json(#"[{"nummer": 1}]"#, to: request)
            default: .json(#"[{"number": 1}, {}]"#, to: request)
            }
        }
    }

    /// Sends requests to a path of the service.
    private static func sendTwice(to path: String) async {
        let client = Container.offline(services: [Faulty()]).appStoreClient()
        let page = Endpoint<Page<Numbered>>.json(.path("/\(path)")) { (list: LossyArray<Numbered>, _) in
            Page(items: list.rows, skipped: list.skipped)
        }
        for _ in 1...2 { _ = try? await client.send(page) }
    }

    @Test(
        arguments: [
            (
                "untyped",
                [
                    """
                    Nothing proves that the 400 of Faulty is the service's, so the client takes it for a proxy's. Add \
                    the evidence that the service declares, such as Content-Type: application/json, also in \
                    failure(of:in:), or script a proxy's with ofProxy().
                    """
                ]
            ),
            ("typed", []), ("rows", []),
            ("empty", ["The body can't be decoded, and nothing proves that the 200 of Faulty is the service's,"]),
            (
                "body",
                [
                    """
                    The body of Faulty can't be decoded: [0].number: missing, but there is “nummer”. Correct it, or \
                    script one with undecodable().
                    """
                ]
            ),
        ] as [(String, [String])]
    )
    func `An error of an offline service that nothing proves is an issue, and so is a body that can't be decoded`(
        path: String,
        problems: [String]
    ) async throws {
        let issues = try await verifiedIssues { await Self.sendTwice(to: path) }
        let texts = Set(issues.map(\.text))
        #expect(texts.count == problems.count, "\(texts)")
        for problem in problems { #expect(texts.allSatisfy { $0.hasPrefix("GET /\(path): \(problem)") }, "\(texts)") }
    }

    @Test func `A row of an offline service that can't be decoded is an issue only if the test fails`() async throws {
        let issues = try await verifiedIssues {
            await Self.sendTwice(to: "rows")
            Issue.record("It failed.")
        }
        let problem = "GET /rows: 1 row of the body of Faulty can't be decoded: [1].number: missing."
        let text = "When the test failed, \(problem) Correct it, or script one with undecodable()."
        #expect(issues.dropFirst().map(\.text) == [text])
    }

    @Test func `A method that mocks don't support is an issue, also of a handler's registration`() async throws {
        let issues = try await verifiedIssues {
            let mock = MockURLProtocol.Registration { .success(HTTPClient.Response(status: 200, url: $0.url)) }
            let session = URLSession(configuration: mock.sessionConfiguration())
            var request = session.request(try #require(URL(string: "https://host.test/a")))
            request.httpMethod = "HEAD"
            _ = try await session.data(for: request)
        }
        #expect(issues.map { $0.text.hasPrefix("Unexpected request: HEAD https://host.test/a") } == [true])
    }

    @Test func `A missing fixture is an issue at the line that names it`() async throws {
        let line = #line + 3
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .fixture("no-such-file", in: Fixtures(["other": Data()])))
            _ = try await server.transport().get("/a")
        }
        #expect(issues.map(\.text) == ["There is no fixture \"no-such-file\". There are: other."])
        #expect(issues.first?.sourceLocation?.line == line)
    }

    @Test func `A change of a favorite is an issue if the screen has none, since nothing happens`() async throws {
        let issues = try await verifiedIssues { @MainActor in
            let container = Container.offline()
            let repository = container.followerRepository()
            let list = PagedListViewModel<GitHub.Login, UserRow>(options: ScreenOptions(texts: container.texts())) {
                $0.rawValue
            } empty: { _ in
                Message(kind: .empty, title: "", text: "")
            } page: { login, cursor throws(BrowseError) in
                try await repository.page(of: .followers(of: login), at: cursor)
            } row: {
                UserRow($0)
            }
            await list.show(GitHub.Login("octocat"))
            await list.toggleFavorite(list.state.content.rows[0].id)
            #expect(!list.state.content.rows[0].isFavorite)
            await container.episodeDetailViewModel().toggleFavorite()
        }
        #expect(issues.count == 2)
        let text =
            "The mark \"favorite\" wasn't changed: the screen doesn't have it. "
            + "Set favorites of its ScreenOptions"
        #expect(issues.map(\.text) == [text + ".", text + ", and call markFavorite(as:) of its controller."])
    }

    @Test func `A scenario that no request matches is an issue at its line, also if it was removed`() async throws {
        let line = #line + 4
        let issues = try await verifiedIssues {
            let services = OfflineServices()
            services.gitHub.scenarios.set(.serverError, for: .any.query(["page": "2"]))
            services.gitHub.scenarios.set(.serverError, for: .any.query(["pge": "2"]))
            // These apply to a request, though another one replaces them, or none was drawn.
            services.gitHub.scenarios.set(.offline, for: .get("/users/octocat/followers"), probability: 0)
            services.gitHub.scenarios.set(.normal, for: .any.query(["page": "2"]), probability: 0.5)
            services.gitHub.scenarios.set(.normal, for: .get("/users/octocat/followers").query(["page": "2"]))
            _ = try await services.gitHub.transport().get("/users/octocat/followers?page=2")
            services.gitHub.scenarios.removeAll()
        }
        let request = "GET https://host.test/users/octocat/followers?page=2"
        let text = "Unused scenario: no request matched any method ?pge=2, but there were:\n- \(request)"
        #expect(issues.map(\.text) == [text])
        #expect(issues.first?.sourceLocation?.line == line)
        #expect(issues.first?.sourceLocation?.fileName == "MockVerificationTraitTests.swift")
    }

    @Test func `A scenario whose requests the script answers is an issue that says so`() async throws {
        let issues = try await verifiedIssues {
            let gitHub = OfflineGitHub()
            gitHub.scenarios.set(.serverError, for: .get("/user/keys"))
            gitHub.script.on(.get, "/user/keys", response: .json("[]"))
            _ = try await gitHub.transport().get("/user/keys")
        }
        #expect(issues.map(\.text) == ["Unused scenario: the script answered each request that matched GET /user/keys"])
    }

    @Test func `A scenario that another one replaces before any request is an issue at its line`() async throws {
        let line = #line + 3
        let issues = try await verifiedIssues {
            let gitHub = OfflineGitHub()
            gitHub.scenarios.set(.serverError, for: .any.query(["page": "2"]))
            gitHub.scenarios.set(.empty, for: .any.query(["page": "2"]))
            _ = try await gitHub.transport().get("/users/octocat/followers?page=2")
        }
        let unused = "Unused scenario: no request matched any method ?page=2"
        #expect(issues.map(\.text) == ["\(unused) before MockVerificationTraitTests.swift:\(line + 1) replaced it"])
        #expect(issues.first?.sourceLocation?.line == line)
    }

    @Test
    func `A scenario that is replaced after a request, or for a share of the requests, isn't an issue`() async throws {
        let issues = try await verifiedIssues {
            let services = OfflineServices()
            let page = RequestMatcher.get("/users/octocat/followers")
            services.gitHub.scenarios.set(.serverError, for: page)
            services.gitHub.scenarios.set(.offline, for: page, probability: 0.5)
            _ = try? await services.gitHub.transport().get("/users/octocat/followers")
            services.gitHub.scenarios.set(.normal, for: page)
            let status = try await services.gitHub.transport().get("/users/octocat/followers").status
            #expect(status == 200)
            // These are like the default scenario.
            services.images.scenarios.set(.serverError, for: .any)
            services.images.scenarios.set(.offline, for: .any)
            services.gitHub.scenario = .offline
        }
        #expect(issues.map(\.text) == [])
    }

    @Test(arguments: [false, true])
    func `A request without a service is an issue, whatever task sends it`(hasServices: Bool) async throws {
        let issues = try await verifiedIssues {
            let container = Container.offline(services: hasServices ? [OfflineAppStore()] : [])
            let users = container.userRepository()
            _ = await Task.detached { try? await users.profile(of: GitHub.Login("octocat")) }.value
        }
        let problem = "No offline service is at https://api.github.com/users/octocat."
        let list = "They have these:\n- OfflineAppStore: https://itunes.apple.com"
        let remedy = "return both from its baseURLs(in:). \(hasServices ? list : "The container has no services.")"
        #expect(issues.map { $0.text.hasPrefix(problem) && $0.text.contains(remedy) } == [true])
    }

    @Test(arguments: [-0.1, 1.5, .nan])
    func `A probability that is none is an issue at its line`(probability: Double) async throws {
        let line = #line + 2
        let issues = try await verifiedIssues {
            OfflineServices().images.scenarios.set(.offline, for: .any, probability: probability)
        }
        #expect(issues.map(\.text) == ["The probability of a scenario is from 0 to 1, not \(probability)."])
        #expect(issues.first?.sourceLocation?.line == line)
    }

    @Test func `A scenario of a service that another test created is an issue of the test that set it`() async throws {
        let services = OfflineServices()
        services.gitHub.scenarios.set(.serverError, for: .get("/elsewhere"))
        let issues = try await verifiedIssues {
            services.images.scenarios.set(.serverError, for: .get("/here"))
            services.appStore.scenarios.set(.offline, for: .any, probability: 0.1)
        }
        let text = "Unused scenario: no request matched GET /here: no container has the service. Pass the service"
        #expect(issues.map { $0.text.hasPrefix(text) } == [true])
    }

    @Test func `A tap on a row that the list doesn't have is an issue, since nothing happens`() async throws {
        let issues = try await verifiedIssues { @MainActor in
            let search = Container.offline().repoSearchViewModel()
            search.query.text = "swift"
            await search.submit()
            let id = GitHub.Repo.ID(rawValue: 0)
            await search.toggleFavorite(id)
            #expect(await search.toggleStar(id) == nil)
            await search.rowAppeared(id)
            #expect(search.select(id) == nil)
            #expect(await search.set(.favorite, of: id, to: true) == nil)
        }
        let calls = ["toggleFavorite(_:)", "toggleStar(_:)", "rowAppeared(_:)", "select(_:)", "set(_:of:to:)"]
        #expect(issues.map { $0.text.split(separator: " did nothing: ").first.map(String.init) } == calls)
        let text = /the list has no row with the id 0\. Its ids are \d+, \d+, \d+, \d+, \d+, … \(\d+ rows\)\./
        #expect(issues.allSatisfy { $0.text.contains(text) }, "\(issues.map(\.text))")
    }

    @Test func `A scenario, or a stub, that comes after the only request is an issue that says so`() async throws {
        let issues = try await verifiedIssues {
            let gitHub = OfflineGitHub()
            _ = try await gitHub.transport().get("/users/octocat")
            gitHub.scenarios.set(.serverError, for: .get("/users/octocat"))
            gitHub.script.on(.get, "/users/octocat", response: .json("1"))
            _ = try await gitHub.transport().get("/users/hubot")
            gitHub.scenario = .serverError
        }
        let remedy = "Set it first, or repeat the call that sends one, such as refresh()."
        let texts = [
            "Unused scenario: requests matched GET /users/octocat only before it was set. \(remedy)",
            "Unused stub: requests matched GET /users/octocat only before it was added. Add\(remedy.dropFirst(3))",
            "When the test failed, no request had followed the scenario serverError, which was set after other requests. "
                + remedy,
        ]
        #expect(issues.map(\.text) == texts)
    }

    @Test(arguments: [false, true])
    func `A stub that comes after its request, which nothing or a used-up stub answered, is an issue that says so`(
        isAnswered: Bool
    ) async throws {
        let line = #line + 6
        let issues = try await verifiedIssues {
            let server = ScriptedServer()
            if isAnswered { server.on(.get, "/tags/tea", responses: [.json("[]")]) }
            server.on(.get, "/tags", response: .json("[]"))
            for path in ["/tags/tea", "/tags"] { _ = try await server.transport().get(path) }
            server.on(.get, "/tags/tea", response: .json("[]"))
            server.on(.get, "/tags/coffee", response: .json("[]"))
            _ = try await server.transport().get("/tags")
        }
        let late = "Unused stub: requests matched GET /tags/tea only before it was added. Add it first, or repeat the"
        let missing = "Missing request: GET /tags/coffee: expected at least once, but there were:\n- GET /tags"
        let texts = (isAnswered ? [] : ["Unexpected request: GET https://host.test/tags/tea"]) + [late, missing]
        let areExpected = zip(issues, texts).allSatisfy { $0.text.hasPrefix($1) }
        #expect(areExpected && issues.count == texts.count, "\(issues.map(\.text))")
        #expect(issues.dropLast().last?.sourceLocation?.line == line)
    }

    @Test(arguments: [false, true])
    func `A scenario of a service that no container has is an issue`(isPassed: Bool) async throws {
        let issues = try await verifiedIssues {
            let services = OfflineServices()
            let container = isPassed ? Container.offline(services) : Container.offline()
            services.gitHub.scenario = .serverError
            services.gitHub.scenario = .offline
            if !isPassed { services.gitHub.script.on(.get, "/user/keys", response: .json("[]")) }
            await container.followerListViewModel().show(.followers(of: GitHub.Login("octocat")))
        }
        let problems = ["Unused scenario", "Missing request: GET /user/keys: expected at least once"]
        let texts = problems.map { "\($0): no container has the service. Pass the service to Container.offline." }
        #expect(issues.map(\.text) == (isPassed ? [] : texts))
    }

    @Test(arguments: [(0, ["the container", "a rate"]), (1, ["a rate"]), (2, []), (3, [])] as [(Int, Set<String>)])
    func `A date by another clock than the test's is an issue if the test fails`(
        mistake: Int,
        subjects: Set<String>
    ) async throws {
        let issues = try await verifiedIssues {
            let clock = TestClock()
            let now = clock.now(from: Date(timeIntervalSince1970: 0))
            let services = [
                OfflineServices(clock: clock), OfflineServices(now: { Date(timeIntervalSince1970: 600) }),
                OfflineServices(clock: clock, now: now), OfflineServices(),
            ]
            services[mistake].setScenario(.rateLimited(until: mistake == 0 ? Date() + 60 : now() + 60))
            let configuration = Configuration().with { ($0.clock, $0.now) = (clock, mistake == 0 ? $0.now : now) }
            let users = Container.offline(services[mistake], configuration: configuration).userRepository()
            _ = try? await users.profile(of: GitHub.Login("octocat"))
            await clock.advance(by: .seconds(60))
            Issue.record("It failed.")
        }
        // Of `When the test failed, the container …`.
        let words = issues.dropFirst().map { $0.text.split(separator: " ").dropFirst(4).prefix(2) }
        #expect(Set(words.map { $0.joined(separator: " ") }) == subjects)
    }

    @Test(arguments: [false, true])
    func `A sign-in without an app, and a callback that it ignores, are issues only if the test fails`(
        isFailing: Bool
    ) async throws {
        let issues = try await verifiedIssues { @MainActor in
            let unconfigured = Container.production(on: ScriptedServer().transport()).gitHubSignInViewModel()
            #expect(throws: BrowseError.self) { try SignInPage(unconfigured.signInByBrowser()) }
            let signIn = Container.offline().gitHubSignInViewModel()
            _ = try SignInPage(signIn.signInByBrowser())
            let forged = try #require(URL(string: "app.browsekit.offline:/signed-in?code=1&state=1"))
            #expect(await signIn.finishSignIn(with: forged) == isFailing)
        }
        let texts = ["a sign-in needs OAuthApp. ", "finishSignIn(with:) ignored a URL at app.browsekit.offline:,"]
        #expect(issues.count == (isFailing ? 3 : 0))
        for (issue, text) in zip(issues.dropFirst(), texts) {
            #expect(issue.text.hasPrefix("When the test failed, \(text)"), "\(issue.text)")
        }
    }

    @Test func `An order of requests to two servers is an issue`() async throws {
        let issues = try await verifiedIssues {
            let servers = [ScriptedServer(), ScriptedServer()]
            let stubs = servers.map { $0.on(.any, times: .any, response: .json("1")) }
            servers[0].expectOrder(stubs[0], stubs[1])
        }
        let text = "expectOrder(_:) knows no requests to another server. Pass stubs of one server."
        #expect(issues.map(\.text) == [text])
    }

    @Test func `An answer to a request that doesn't come is an issue with its number`() async throws {
        let issues = try await verifiedIssues {
            let held = ControlledResponses<String, Int>()
            for index in [0, 1, -1] { held.answer(index, with: .success(index)) }
            _ = try await held.response(to: "a")
        }
        let texts = [-1, 1].map { "Unused answer: no request \($0) came. There were 1, numbered from 0." }
        #expect(issues.map(\.text) == texts)
    }

    @Test(arguments: [false, true])
    func `A second answer to a request is an issue only if the test fails`(isFailing: Bool) async throws {
        let issues = try await verifiedIssues {
            let held = ControlledResponses<String, Int>()
            defer { held.answer(0, with: .failure(.cancelled)) }
            held.answer(0, with: .success(1))
            let value = try await held.response(to: "a")
            #expect(value == (isFailing ? 2 : 1))
        }
        let text = "When the test failed, an answer was unused: request 0, numbered from 0, had one already."
        #expect(issues.dropFirst().map(\.text) == (isFailing ? [text] : []))
        #expect(issues.isEmpty != isFailing)
    }

    @Test func `An answer to another kind of call is an issue, since the call doesn't use it`() async throws {
        let issues = try await verifiedIssues {
            _ = try? await InMemoryUserRepository { _ in .results(Page(items: [])) }.ownProfile()
            _ = try? await InMemoryAuthorizationRepository { _ in .poll(.pending) }.deviceCode()
        }
        let calls = issues.map { $0.text.split(separator: " needs another kind than ").first ?? "" }
        #expect(calls == ["ownProfile", "deviceCode"].map { "Unused answer: the call \($0)" })
    }

    @Test func `A recorded response without its body is an issue that says how to record it`() async throws {
        let url = try #require(URL(string: "https://host.test/a"))
        let exchange = Recording.Exchange(url: url, outcome: .response(.init(status: 304)), completion: 1)
        let issues = try await verifiedIssues {
            _ = try await ReplayingTransport(Recording(exchanges: [exchange])).get("/a")
        }
        #expect(issues.map { $0.text.contains("GET https://host.test/a is a 304") } == [true])
        #expect(issues.first?.text.hasSuffix("Record again with an empty cache folder.") == true)
    }

    @Test func `A favorite of a kind that the container doesn't know is an issue, and one without a service is none`()
        async throws
    {
        func issues(_ kinds: [FavoriteKind]) async throws -> [String] {
            try await verifiedIssues {
                let configuration = Configuration().with { $0.favoriteKinds = kinds }
                let container = Container.offline(OfflineServices(), configuration: configuration)
                for name in ["a", "b"] {
                    _ = try await container.favoriteRepository().add(Favorite(Release(name: name)))
                }
                let list = await container.favoriteListViewModel()
                await list.show()
                #expect(
                    await list.state.content.rows.map { $0.route != nil } == Array(repeating: !kinds.isEmpty, count: 2)
                )
            }
            .map(\.text)
        }
        let kind = FavoriteKind(Release.self, title: Phrase("releases", "Releases", ko: "릴리스")) { _ in
            .gitHub(.account(GitHub.User.ID(rawValue: 1), label: GitHub.Login("octocat")))
        }
        #expect(try await issues([]).map { $0.contains("Configuration.favoriteKinds") } == [true])
        #expect(try await issues([kind]) == [])
    }

    private struct Release: Favoritable, Hashable {
        static let favoriteKind = Favorite.Kind(rawValue: "github.release")
        let name: String
        var favoriteKey: String { name }
        var favoriteTitle: String { name }
    }

    private struct Note: Favoritable, Hashable, Identifiable {
        static let favoriteKind = Favorite.Kind(rawValue: "test.note")
        let id: String
        var favoriteKey: String { "note-\(id)" }
        var favoriteTitle: String { id }
    }

    private struct NoteRow: EntityRow {
        let entity: Note
        var isFavorite = false
        var id: String { entity.id }
    }

    @MainActor
    private static func notes(in container: Container) -> PagedListViewModel<String, NoteRow> {
        PagedListViewModel(options: container.screenOptions(for: .gitHub)) {
            $0
        } empty: { _ in
            container.texts().noMatches
        } page: { _, _ throws(BrowseError) in
            Page(items: [Note(id: "1")])
        } row: {
            NoteRow(entity: $0)
        }
    }

    @Test func `A dependency that is overridden after its first use is an issue, and keeps its value`() async throws {
        let line = #line + 4
        let issues = try await verifiedIssues {
            let container = Container.offline()
            _ = container.userRepository()
            container.userRepository.override { _ in InMemoryUserRepository() }
            #expect(!(container.userRepository() is InMemoryUserRepository))
        }
        let text = "Dependency overridden after its first use: userRepository. Override it right after you create"
        #expect(issues.map { $0.text.hasPrefix(text) } == [true])
        #expect(issues.first?.sourceLocation?.line == line)
        #expect(issues.first?.sourceLocation?.fileName == "MockVerificationTraitTests.swift")
    }

    @Test func `Marks that come after a list began, and a key that isn't the id of its row, are issues`() async throws {
        let issues = try await verifiedIssues {
            let container = Container.offline()
            let (late, other) = (await Self.notes(in: container), await Self.notes(in: container))
            for list in [late, other] { await list.show("a") }
            await late.pages.add(RowMarks(each: { $0.isFavorite = true }))
            await other.toggleFavorite("1")
        }
        let texts = [
            "The rows lack a mark that was added after the list began. Add it before.",
            "The row 1 won't change: its favoriteKey isn't the description of its id.",
        ]
        #expect(issues.map(\.text) == texts)
    }

    @Test func `Fields or choices with the same id, and an unknown choice, are issues`() async throws {
        let issues = try await verifiedIssues { @MainActor in
            let container = Container.offline()
            let choices = [(id: "any", title: "A", value: "a"), (id: "any", title: "B", value: "b")]
            let field = QueryField.choice("q", "Choice", \String.self, choices)
            for value in ["", "other", "none"] { #expect(field.setting(value, in: "c") == "c") }
            _ = SearchController<String, String, NoteRow>(
                in: StateStore(SearchState("")),
                title: "",
                fields: [.text("q", "Text", \.self), field],
                options: container.screenOptions(for: .gitHub)
            ) { text, _ in
                text
            } empty: { _ in
                container.texts().noMatches
            } page: { _, _ throws(BrowseError) in
                Page(items: [])
            } row: { (note: Note) in
                NoteRow(entity: note)
            }
        }
        let text = "so front ends can't tell them apart. Give each its own."
        let texts = [
            "setting(_:in:) did nothing: q has no choice none. It has any, any.",
            "Several fields have the id q, \(text)", "Several choices have the id any, \(text)",
        ]
        #expect(issues.map(\.text) == texts)
    }

    @Test func `A star in a list that doesn't follow stars is an issue, since nothing happens`() async throws {
        let issues = try await verifiedIssues {
            let container = Container.offline()
            let (options, repos) = (ScreenOptions(texts: container.texts()), container.repoRepository())
            let list = await PagedListViewModel<GitHub.RepoList, RepoRow>(
                options: options,
                title: { "\($0)" },
                empty: { _ in options.texts.noMatches },
                page: { list, cursor throws(BrowseError) in try await repos.page(of: list, at: cursor) },
                row: { RepoRow($0) }
            )
            await list.show(.publicRepos(of: GitHub.Login("octocat")))
            let id = try #require(await list.state.content.rows.first?.id)
            #expect(await list.toggleStar(id) == nil)
            await list.toggleFavorite(id)
        }
        let texts = [
            "The mark \"star\" wasn't changed: the screen doesn't have it. Call markStars(of:) of its controller.",
            "The mark \"favorite\" wasn't changed: the screen doesn't have it. Set favorites of its ScreenOptions.",
        ]
        #expect(issues.map(\.text) == texts)
    }

    @Test func `Loading a screen that isn't shown yet is an issue, since nothing happens`() async throws {
        let issues = try await verifiedIssues {
            let list = await Container.offline().followerListViewModel()
            await list.loadMore()
            await list.retry()
            await list.refresh()
            #expect(await list.loadAll() == nil)
            let detail = await Container.offline().episodeDetailViewModel()
            await detail.retry()
            await detail.refresh()
            await Container.offline().userProfileViewModel().toggleFavorite()
            await list.show(.followers(of: GitHub.Login("octocat")))
            await list.loadMore()
        }
        let calls = ["loadMore()", "retry()", "refresh()", "loadAll(upTo:)", "retry()", "refresh()"]
        let text = "did nothing: the screen shows nothing yet. Await show(_:) or submit() first."
        #expect(issues.map(\.text) == (calls + ["A favorite's change"]).map { "\($0) \(text)" })
    }

    @Test func `A loop over loadMore() after a failure is an issue, and ends`() async throws {
        let issues = try await verifiedIssues { @MainActor in
            let services = OfflineServices()
            let list = Container.offline(services).followerListViewModel()
            await list.show(.followers(of: GitHub.Login("octocat")))
            services.gitHub.scenario = .serverError
            while list.state.content.hasMore { await list.loadMore() }
            #expect(list.state.content.rows.isEmpty)
        }
        let text = "100 calls of loadMore() loaded nothing, though hasMore is true."
        #expect(issues.map { $0.text.hasPrefix(text) } == [true], "\(issues.map(\.text))")
    }

    @Test func `A search that was cleared may be refreshed`() async throws {
        let issues = try await verifiedIssues { @MainActor in
            let search = Container.offline().userSearchViewModel()
            search.query.text = "octocat"
            await search.submit()
            search.query.text = ""
            await search.refresh()
        }
        #expect(issues.map(\.text) == [])
    }

    @Test func `Reports after the cancellation of the test, as by its time limit, are issues`() async throws {
        let recorded = Monitor<[Issue]>([])
        let texts = try await canceledIssues(at: "waitForRequests(2)", in: recorded) {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .json("1"))
            _ = try await server.transport().get("/b")
            // From then on, the stream of reports waits for the next one, and cancellation ends it.
            try await waitUntil { recorded.value.count == 1 }
            await server.waitForRequests(2)
            _ = try? await Task.detached { try await server.transport().get("/c") }.value
        }
        let words = texts.map { String($0.prefix { $0 != " " }) }
        #expect(words == ["Unexpected", "When", "Unexpected", "Missing"])
    }

    @Test
    func `A clock that nobody advanced is an issue of a test that was canceled, as by its time limit`() async throws {
        let clocks = Mutex<[TestClock]>([])
        let texts = try await canceledIssues(at: "2 tasks slept") {
            // Time limits of the SDK, and sleeps that ended, don't count.
            let clock = TestClock()
            clocks.withLock { $0 = [TestClock(), clock] }
            async let earlier: Void? = try? clock.sleep(for: .seconds(1))
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(1))
            _ = await earlier
            let limit = Task { try await clock.sleep(for: .seconds(2), tolerance: TimeLimit.tolerance) }
            await clock.waitForSleepersAndTimeLimits(1)
            let other = Task { try await clock.sleep(for: .seconds(7)) }
            await clock.waitForSleepers(1)
            defer { for task in [limit, other] { task.cancel() } }
            try await clock.sleep(for: .seconds(3))
        }
        let text =
            "When the test was canceled, 2 tasks slept on a TestClock at 1.0 seconds, until 4.0 seconds or later. Advance"
        #expect(texts.map { $0.hasPrefix(text) } == [true, false])
        #expect(texts.last == "CancellationError()")
    }

    private typealias Wait = (part: String, lack: String, body: @Sendable @concurrent () async throws -> Void)

    @Test(arguments: [false, true])
    func `What waited when a test was canceled is an issue, and ends, also in a task that it only started`(
        isOnlyStarted: Bool
    ) async throws {
        typealias Held = ControlledResponses<Int, Int>
        let waits: [Wait] = [
            ("the condition at", "wasn't met.", { _ = try? await waitUntil { Monitor(false).value } }),
            ("the condition at", "wasn't met.", { await Monitor(false).wait { $0 } }),
            ("waitForSleepers(1)", "nothing slept on this TestClock.", { await TestClock().waitForSleepers(1) }),
            ("waitForRequests(1)", "no request came.", { _ = await Held().waitForRequests(1) }),
            ("waitForRequests(1)", "No request came.", { _ = await ScriptedServer().waitForRequests(1) }),
            ("request 0 waited", "Call answer(0,", { _ = try? await Held().response(to: 1) }),
            (
                "request 0 waited", "Call answer(0,",
                { _ = try? await Held(deliversAfterCancellation: true).response(to: 1) }
            ),
            (
                "a task slept", "Advance the clock",
                {
                    let clock = TestClock()
                    while !Task.isCancelled { _ = try? await clock.sleep(for: .seconds(1)) }
                }
            ),
            (
                "a task slept", "Advance the clock",
                {
                    let clock = TestClock()
                    await Task.detached { _ = try? await clock.sleep(for: .seconds(1)) }.value
                }
            ),
            (
                "GET /a was held", "Call release()",
                {
                    let server = ScriptedServer()
                    server.on(.get, "/a", response: .json("1").held())
                    _ = try? await server.transport().get("/a")
                }
            ),
        ]
        for (part, lack, body) in waits {
            let texts = try await canceledIssues(at: part) {
                if isOnlyStarted { try await Task { try await body() }.value } else { try await body() }
            }
            let text = try #require(texts.first)
            #expect(texts.count == 1 && text.hasPrefix("When the test was canceled, "), "\(texts)")
            #expect(text.contains(part) && text.contains(lack), "\(text)")
        }
    }

    @Test func `An issue of a mock is a known one inside withKnownIssue`() async throws {
        let issues = try await verifiedIssues {
            await withKnownIssue { _ = try await ScriptedServer().transport().get("/a") }
        }
        #expect(issues.map { $0.text.hasPrefix("Unexpected request") } == [true])
    }

    @Test func `A condition that only the time limit finds to be met is an issue`() async throws {
        let issues = try await verifiedIssues {
            var isMet = false
            // Again if the limit expires before the first evaluation.
            while !isMet {
                var evaluations = [false, false, true].makeIterator()
                isMet = (try? await waitUntil(within: .milliseconds(10)) { evaluations.next() == true }) != nil
            }
        }
        let text = "was noticed only after 0.01 seconds, since it reads state that isn't observable."
        #expect(issues.map { $0.text.hasSuffix(text) } == [true])
    }

    @Test func `A test that cancels itself, as by Test.cancel, has no issues`() async throws {
        let (texts, test) = (Monitor<[String]>([]), Monitor<Task<Void, any Error>?>(nil))
        let record: TestScope.Report = { text, _ in texts.withLock { $0.append(text) } }
        let task = Task {
            try await MockVerificationTrait.verify("cancels", recording: record) {
                let (server, clock) = (ScriptedServer(), TestClock())
                for path in ["/a", "/b"] { server.on(.get, path, response: .json("1")) }
                _ = try await server.transport().get("/a")
                async let _: Void? = try? clock.sleep(for: .seconds(1))
                await clock.waitForSleepers(1)
                await test.wait { $0 != nil }
                test.value?.cancel()
                try Task.checkCancellation()
            }
        }
        test.withLock { $0 = task }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(texts.value == [])
    }

    @Test func `A wait of a test that was canceled is an issue with its line`() async throws {
        let line = #line + 5
        let texts = try await canceledIssues(at: "except time limits") {
            let clock = TestClock()
            let limit = clock.startTimeLimit(of: .seconds(1)) {}
            defer { limit.cancel() }
            await clock.waitForSleepers(2)
        }
        let text = """
            waitForSleepers(2) at \(#fileID):\(line) waited, and nothing slept on this TestClock, except time limits, which \
            don't count. To let one expire, await waitForRequests(1), then advance(by: limits.duration).
            """
        #expect(texts == ["When the test was canceled, \(text)"])
    }

    @Test(arguments: ["", "test", "wait"])
    func `A wait of five minutes is an issue, and ends, unless the test or the wait has a time limit`(
        limited: String
    ) async throws {
        let (watch, texts, scope) = (TestClock(), Monitor<[String]>([]), Monitor<TestScope?>(nil))
        let record: TestScope.Report = { text, _ in texts.withLock { $0.append(text) } }
        let hasLimit = limited == "test"
        let test = Task {
            try await MockVerificationTrait.verify("waits", recording: record, hasLimit: hasLimit, clock: watch) {
                scope.withLock { $0 = TestScope.current }
                if limited == "wait" { try await waitUntil(within: .seconds(3_600)) { Monitor(false).value } }
                await TestClock().waitForSleepers(1)
            }
        }
        // Otherwise, the cancellation could come before the wait.
        try await waitUntil { scope.value?.currentReminders.isEmpty == false }
        for _ in 1...(limited.isEmpty ? 1 : 20) {
            await watch.waitForSleepers(1)
            await watch.advance(by: .seconds(30))
        }
        if !limited.isEmpty { test.cancel() }
        try? await watch.run { try await test.value }
        let wait = limited == "wait" ? "the condition at" : "waitForSleepers(1) at"
        let text = "\(limited.isEmpty ? "For five minutes" : "When the test was canceled"), \(wait)"
        #expect(texts.value.map { $0.hasPrefix(text) } == [true], "\(texts.value)")
    }

    @Test(arguments: [false, true])
    func `A request that a test waited for is an issue with those that came`(isOfStub: Bool) async throws {
        let line = #line + 5
        let texts = try await canceledIssues(at: "waitForRequests(2)") {
            let server = ScriptedServer()
            let stub = server.on(.get, "/a", response: .json("1"))
            _ = try await server.transport().get("/a")
            if isOfStub { await stub.waitForRequests(2) } else { await server.waitForRequests(2) }
        }
        let wait = "waitForRequests(2)\(isOfStub ? " of the stub GET /a" : "") at \(#fileID):\(line) waited."
        let advice = "Send the requests in a task before it. These came:\n- GET /a"
        #expect(texts == ["When the test was canceled, \(wait) \(advice)"])
    }

    @Test func `An advance that woke nothing is named beside the sleep that came later`() async throws {
        let texts = try await canceledIssues(at: "a task slept") {
            let clock = TestClock()
            await clock.advance(by: .seconds(2))
            _ = try? await clock.sleep(for: .seconds(2))
        }
        let text = """
            When the test was canceled, a task slept on a TestClock at 2.0 seconds, until 4.0 seconds. The advance by \
            2.0 seconds woke nothing: await waitForSleepers(1) before it. Or await the work in clock.run { … }.
            """
        #expect(texts == [text])
    }

    @Test(arguments: [false, true])
    func `A delayed response that nobody advanced is an issue with its request`(isScripted: Bool) async throws {
        let texts = try await canceledIssues(at: "a task slept") {
            let clock = TestClock()
            let services = OfflineServices(scenario: .slow(.seconds(2)), clock: clock)
            if isScripted {
                services.gitHub.script.on(.get, "/users/octocat", response: .status(500).delayed(by: .seconds(2)))
            }
            let users = Container.offline(services, configuration: .init().with { $0.clock = clock }).userRepository()
            _ = try? await users.profile(of: GitHub.Login("octocat"))
        }
        let text = "until 2.0 seconds, for the delayed response to GET /users/octocat. Advance the clock"
        #expect(texts.count == 1 && texts[0].contains(text), "\(texts)")
    }

    @Test func `A pause of the SDK that nobody advanced is an issue with its purpose`() async throws {
        let typed = try await canceledIssues(at: "a task slept") {
            let configuration = Configuration().with { $0.clock = TestClock() }
            let model = await Container.offline(configuration: configuration).userSearchViewModel()
            await MainActor.run { model.query.text = "mona" }
            await Monitor(false).wait { $0 }
            withExtendedLifetime(model) {}
        }
        #expect(typed.contains { $0.contains("until 0.3 seconds, in the pause before a typed search. ") }, "\(typed)")
        let failed = try await canceledIssues(at: "a task slept") {
            let server = ScriptedServer()
            server.on(.get, "/users/octocat", responses: [.status(502), .status(502), .status(502)])
            let configuration = Configuration().with { $0.clock = TestClock() }
            let users = Container.production(on: server.transport(), configuration: configuration).userRepository()
            _ = try? await users.profile(of: GitHub.Login("octocat"))
        }
        let text = ", in the pause before a retry of GET /users/{}. "
        #expect(failed.contains { $0.contains(text) }, "\(failed)")
    }

    @Test(arguments: ["advanced", "slept", "waited"])
    func `An advance before the pause of a typed search is an issue, though its view model ends with the test`(
        last: String
    ) async throws {
        let issues = try await verifiedIssues { @MainActor in
            let (server, clock) = (ScriptedServer(), TestClock())
            server.on(.get, "/search/users", response: .json("{}"))
            let configuration = Configuration().with { $0.clock = clock }
            let model = Container.production(on: server.transport(), configuration: configuration).userSearchViewModel()
            model.query.text = "mona"
            await clock.advance(by: .seconds(1))
            if last != "advanced" { await clock.waitForSleepers(1) }
            if last == "waited" { try await waitUntil(within: .zero) { model.state.content.status == .ready } }
            #expect(model.state.content.rows.count == 2)
        }
        // The first is that of the test, unless it threw an error.
        let texts = (last == "waited" ? issues.dropLast() : issues.dropFirst()).map(\.text)
        let stub = last == "waited" ? "Unused stub, when the test threw an error" : "Missing request"
        let slept = """
            a task slept on a TestClock at 1.0 seconds, until 1.3 seconds, in the pause before a typed search. The \
            advance by 1.0 seconds woke nothing: await waitForSleepers(1) before it. Or await the work in clock.run { … }.
            """
        let advanced = """
            nothing had slept on a TestClock when it advanced by 1.0 seconds. If a task should have, await \
            waitForSleepers(1) before.
            """
        let hint = "no request came before the test ended. Await the call that sends it."
        let expected = [
            "\(stub): GET /search/users: expected at least once: \(hint)",
            "When the test failed, \(last == "advanced" ? advanced : slept)",
        ]
        #expect(texts == expected)
    }

    @Test(arguments: [false, true])
    func `A sleep that something followed, or an advance of dates, is no issue of a test that fails`(
        hasDates: Bool
    ) async throws {
        let issues = try await verifiedIssues {
            let clock = TestClock()
            let task = Task { try await clock.sleep(for: .seconds(5)) }
            await clock.waitForSleepers(1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            if hasDates { _ = clock.now(from: Date(timeIntervalSince1970: 0)) }
            await clock.advance(by: .seconds(1))
            if !hasDates { try await clock.run { try await clock.sleep(for: .seconds(1)) } }
            Issue.record("It failed.")
        }
        #expect(issues.map(\.text) == ["It failed."])
    }

    @Test(arguments: [false, true])
    func `A task that waits when a test ends, as for a spinner, is an issue only if the test fails`(
        isFailing: Bool
    ) async throws {
        let tasks = Monitor<[Task<Void, any Error>]>([])
        let issues = try await verifiedIssues {
            let (clock, server, held) = (TestClock(), ScriptedServer(), ControlledResponses<Int, Int>())
            for seconds in [5, 7] {
                let task = Task { try await clock.sleep(for: .seconds(seconds)) }
                await clock.waitForSleepers(1)
                if tasks.value.isEmpty { task.cancel() }
                tasks.withLock { $0.append(task) }
            }
            server.on(.get, "/a", response: .json("1").held())
            let requests = [
                Task { _ = try await server.transport().get("/a") }, Task { _ = try await held.response(to: 1) },
            ]
            tasks.withLock { $0 += requests }
            // With this wait's own.
            try await waitUntil { TestScope.current?.currentReminders.count == 4 }
            #expect(!isFailing)
        }
        let parts = [
            "a task slept on a TestClock at 0.0 seconds, until 7.0 seconds. Advance the",
            "the response to GET /a was held.", "request 0 waited for its response.",
        ]
        let texts = issues.dropFirst().map(\.text)
        #expect(texts.count == (isFailing ? 3 : 0))
        for (text, part) in zip(texts, parts) { #expect(text.hasPrefix("When the test failed, \(part)"), "\(text)") }
        for task in tasks.value { task.cancel() }
    }

    @Test func `A stub of a shared server is an issue of the test that adds it`() async throws {
        let inner = Monitor<[Issue]>([])
        let outer = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .json("1"))
            let issues = try await verifiedIssues { server.on(.get, "/b", response: .json("1")) }
            inner.withLock { $0 = issues }
        }
        #expect(outer.map { $0.text.hasPrefix("Missing request: GET /a: ") } == [true], "\(outer.map(\.text))")
        #expect(inner.value.map { $0.text.hasPrefix("Missing request: GET /b: ") } == [true])
    }

    @Test func `A server that the test verified is verified again only for stubs that came later`() async throws {
        let issues = try await verifiedIssues {
            let (server, later) = (ScriptedServer(), ScriptedServer())
            server.on(.get, "/a", response: .json("1"))
            #expect(throws: ScriptedServer.Mismatch.self) { try server.verify() }
            try later.verify()
            later.on(.get, "/b", response: .json("1"))
        }
        let hint = "no request came before the test ended. Await the call that sends it."
        #expect(issues.map(\.text) == ["Missing request: GET /b: expected at least once: \(hint)"])
    }

    @Test func `An unexpected request after the end of its test is on standard error`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let kept = Mutex<(any HTTPTransport)?>(nil)
            try await MockVerificationTrait.verify("shows a profile", recording: { _, _ in }) {
                let transport = ScriptedServer().transport()
                kept.withLock { $0 = transport }
            }
            _ = try await kept.withLock({ $0 })?.get("/late")
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let advice = "shows a profile has ended, but its work goes on. Await it."
        #expect(output.contains("\(advice) Unexpected request: GET https://host.test/late"), "\(output)")
    }

    @Test func `A met script is no issue, and an error of the test stays`() async throws {
        let none = try await verifiedIssues {
            let server = ScriptedServer()
            server.on(.get, "/a", response: .json("1"))
            _ = try await server.transport().get("/a")
        }
        #expect(none.isEmpty)

        let thrown = try await verifiedIssues {
            ScriptedServer().on(.get, "/a", response: .json("1"))
            throw CancellationError()
        }
        #expect(thrown.count == 1)
        #expect(thrown.first?.error is CancellationError)
    }

    @Test
    func `A test that throws reports the stubs that other requests came instead of`() async throws {
        let line = #line + 3
        let issues = try await verifiedIssues {
            let (server, gitHub) = (ScriptedServer(), OfflineGitHub())
            server.on(.get, "/a", response: .json("1"))
            server.on(.get, "/a", response: .json("2"))
            gitHub.script.on(.get, "/users/octocat/folowers", response: .json("[]"))
            _ = try await server.transport().get("/a")
            _ = try await gitHub.transport().get("/users/octocat/followers")
            throw CancellationError()
        }
        let texts = [
            "Unused stub: GET /a (MockVerificationTraitTests.swift:\(line)) came first",
            "Unused stub, when the test threw an error: GET /users/octocat/folowers: expected at least once, but",
            "CancellationError()",
        ]
        let areExpected = zip(issues, texts).allSatisfy { $0.text.hasPrefix($1) }
        #expect(areExpected && issues.count == texts.count, "\(issues.map(\.text))")
    }
}

@Suite(.verifiesMocks, .bounded)
struct VerifiedSuiteTests {
    let server = ScriptedServer()

    @Test(arguments: 0..<20)
    func `Each case of a suite has its own server`(number: Int) async throws {
        server.on(.get, "/\(number)", times: 1, response: .json("\(number)"))
        #expect(try await server.transport().get("/\(number)").body == Data("\(number)".utf8))
    }
}

extension HTTPTransport {
    func get(_ path: String) async throws -> HTTPClient.Response {
        try await send(HTTPClient.Request(url: try #require(URL(string: "https://host.test\(path)")), endpoint: "TEST"))
    }
}
