import BrowseAppStoreDomain
import BrowseCore
import BrowseData
@_spi(Services) import BrowseDomain
import BrowseGitHub
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded)
struct OfflineScenariosTests {
    private static let services: [@Sendable (OfflineServices) -> (any OfflineServer, String)] = [
        { ($0.gitHub, "/users/octocat") }, { ($0.rickAndMorty, "/character/1") },
        { ($0.appStore, "/lookup?id=1500000001") },
        { ($0.images, "/character/avatar/1.jpeg") },
    ]

    @Test(arguments: services)
    func `Every service changes its scenario while it is in use`(
        select: @Sendable (OfflineServices) -> (any OfflineServer, String)
    ) async throws {
        let clock = TestClock()
        let services = OfflineServices(clock: clock, now: { Date(timeIntervalSince1970: 0) })
        let (service, path) = select(services)
        let transport = service.transport()
        #expect(try await transport.get(path).status == 200)
        services.setScenario(.offline)
        let error = await failure { () throws(BrowseError) in try await transport.get(path) }
        #expect(error == .unreachable(.offline, BrowseError.RequestInfo(endpoint: "TEST")))
        service.scenario = .serverError
        #expect(try await transport.get(path).status >= 502)
        service.scenario = .rateLimited(until: Date(timeIntervalSince1970: 60))
        #expect([403, 429].contains(try await transport.get(path).status))
        service.scenario = .slow(.seconds(3))
        async let slow = transport.get(path).status
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(3))
        #expect(try await slow == 200)
        service.scenario = .empty
        #expect(try await transport.get(path).status == 200)
    }

    @Test(arguments: services)
    func `A rate limit ends at its date`(
        select: @Sendable (OfflineServices) -> (any OfflineServer, String)
    ) async throws {
        let clock = TestClock()
        let now = clock.now(from: Date(timeIntervalSince1970: 0))
        let (service, path) = select(OfflineServices(scenario: .rateLimited(until: now() + 60), clock: clock, now: now))
        #expect([403, 429].contains(try await service.transport().get(path).status))
        await clock.advance(by: .seconds(60))
        let response = try await service.transport().get(path)
        #expect(response.status == 200 && response.headers["X-RateLimit-Remaining"] != "0")
    }

    @Test func `A service without a clock is slow by the container's`() async throws {
        let (clock, services) = (TestClock(), OfflineServices(scenario: .slow(.seconds(5))))
        let script = ScriptedServer()
        script.on(.get, "/users/octocat", response: .fixture("user-octocat", in: .gitHub).delayed(by: .seconds(3)))
        let configuration = Configuration().with { $0.clock = clock }
        for container in [
            Container.offline(services, configuration: configuration),
            .production(on: script.transport(), configuration: configuration),
        ] {
            let users = container.userRepository()
            let profile = try await clock.run { try await users.profile(of: GitHub.Login("octocat")) }
            #expect(profile.user.login == GitHub.Login("octocat"))
        }
        #expect(clock.now.offset == .seconds(8))
    }

    @Test(arguments: [Date(timeIntervalSince1970: 0), Date(), .distantFuture])
    func `A rate limit of a service without a date ends by the container's`(start: Date) async throws {
        let clock = TestClock()
        let now = clock.now(from: start)
        let services = OfflineServices(scenario: .rateLimited(until: now() + 60))
        let configuration = Configuration().with { ($0.clock, $0.now) = (clock, now) }
        let users = Container.offline(services, configuration: configuration).userRepository()
        let limited = await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("octocat")) }
        guard case .rateLimited(let limit, _) = limited else {
            Issue.record("\(String(describing: limited))")
            return
        }
        #expect(abs(limit.retryAt.timeIntervalSince(now() + 60)) <= 1)
        await clock.advance(by: .seconds(61))
        #expect(try await users.profile(of: GitHub.Login("octocat")).user.login == GitHub.Login("octocat"))
    }

    @Test func `A request asks once for the date of a rate limit, since a test's function may count`() async throws {
        let calls = Monitor(0)
        let now: @Sendable () -> Date = {
            Date(
                timeIntervalSince1970: calls.withLock { calls in
                    calls += 1
                    return Double(calls)
                }
            )
        }
        let limit = Scenario.rateLimited(until: Date(timeIntervalSince1970: 1))
        let service = OfflineServices(scenario: limit, now: now).rickAndMorty
        let count = calls.value
        #expect(try await service.transport().get("/character/1").status == 200)
        #expect(calls.value == count + 1)
    }

    @Test func `The second page fails until its scenario is removed`() async throws {
        let gitHub = OfflineGitHub()
        gitHub.scenarios.set(.serverError, for: .any.query(["page": "2"]))
        func status(_ page: Int) async throws -> Int {
            try await gitHub.get("/users/octocat/followers?page=\(page)").status
        }
        #expect(try await [status(1), status(2), status(3)] == [200, 502, 200])
        // The last scenario that matches applies.
        gitHub.scenarios.set(.empty, for: .get("/users/octocat/followers"))
        #expect(try await status(2) == 200)
        gitHub.scenarios.removeAll()
        #expect(try await gitHub.get("/users/octocat/followers?page=2").body.count > 100)
    }

    @Test func `One request in ten fails, the same ones in every run and in any order`() async throws {
        func failures(seed: UInt64, _ numbers: [Int]) async throws -> Set<Int> {
            let images = OfflineServices().images
            images.scenarios.set(.serverError, for: .any, probability: 0.1, seed: seed)
            return try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in numbers {
                    group.addTask {
                        try await images.transport().get("/character/avatar/\(number).gif").status == 502 ? number : nil
                    }
                }
                return try await group.reduce(into: []) { if let number = $1 { $0.insert(number) } }
            }
        }
        let first = try await failures(seed: 7, Array(1...1000))
        #expect((60...140).contains(first.count))
        #expect(try await failures(seed: 7, Array((1...1000).reversed())) == first)
        #expect(try await failures(seed: 8, Array(1...1000)) != first)
        // Repeated requests are drawn again.
        let images = OfflineServices().images
        images.scenarios.set(.serverError, for: .any, probability: 0.5, seed: 1)
        var statuses: Set<Int> = []
        for _ in 0..<64 { statuses.insert(try await images.transport().get("/character/avatar/1.gif").status) }
        #expect(statuses == [200, 502])
    }
}

@Suite(.bounded)
struct OfflineDataTests {
    private static let mona = Data(#"{"login":"mona","id":7,"followers":1,"html_url":"https://github.com/mona"}"#.utf8)
    private static let hubot = Data(#"[{"login":"hubot","id":8}]"#.utf8)

    @Test func `Own data replaces the fixtures, or adds to them`() async throws {
        let own = Fixtures(["user-mona": Self.mona, "followers-mona-1": Self.hubot])
        let alone = try OfflineGitHub(data: own)
        #expect(try await alone.get("/users/mona").status == 200)
        #expect(try await alone.get("/users/mona/followers").text == #"[{"login":"hubot","id":8}]"#)
        #expect(try await alone.get("/users/octocat").status == 404)

        let both = try OfflineGitHub(data: Fixtures.gitHub.adding(own))
        #expect(try await both.get("/users/hubot").status == 200)
        #expect(try await both.get("/users/octocat").status == 200)
        let empty = try OfflineRickAndMorty(data: own)
        #expect(try await empty.transport().get("/character").status == 404)
    }

    @Test func `A list of one's own needs neither the number of a page nor a profile of its owner`() async throws {
        let repo = #"[{"id":5,"name":"a","full_name":"mona/a","private":false,"owner":{"id":7,"login":"mona"}}]"#
        let own = Fixtures(["followers-hubot-x": Self.hubot, "repos-mona": Data(repo.utf8)])
        for data in [own, Fixtures.gitHub.adding(own)] {
            let gitHub = try OfflineGitHub(data: data)
            #expect(try await gitHub.get("/users/hubot-x/followers").text == #"[{"login":"hubot","id":8}]"#)
            #expect(try await gitHub.get("/users/hubot-x").text.contains(#""followers":1,"#))
            #expect(try await gitHub.get("/users/mona/repos").text == repo)
            #expect(try await gitHub.get("/user/7").text.contains(#""login":"mona""#))
        }
    }

    @Test(
        arguments: [
            ("followers-mona-", "mona-"), ("followers-mona--1", "mona-"), ("followers-a--b", "a--b"),
            ("followers-a--b-1", "a--b"),
        ]
    )
    func `The list of an old login isn't that of a similar one`(name: String, login: String) async throws {
        let gitHub = try OfflineGitHub(data: Fixtures([name: Self.hubot]))
        #expect(try await gitHub.get("/users/\(login)/followers").text == #"[{"login":"hubot","id":8}]"#)
        for other in ["mona", "a-b"] { #expect(try await gitHub.get("/users/\(other)").status == 404) }
    }

    @Test(arguments: ["", "-", "--", "-1", "followers", "followers-", "followers-1", "followers--"])
    func `A file without a login is no page of a list`(name: String) async throws {
        let gitHub = try OfflineGitHub(data: Fixtures([name: Self.hubot]))
        #expect(try await gitHub.get("/users/-/followers").status == 404)
    }

    @Test func `An owner with a new login is the account of the profile`() async throws {
        let repo = #"[{"id":5,"name":"a","full_name":"old/a","private":false,"owner":{"id":7,"login":"old"}}]"#
        let gitHub = try OfflineGitHub(data: Fixtures(["user-mona": Self.mona, "repos-mona-1": Data(repo.utf8)]))
        #expect(try await gitHub.get("/user/7").text.contains(#""login":"mona""#))
        #expect(try await gitHub.get("/users/mona/repos").text == repo)
        #expect(try await gitHub.get("/users/old").status == 404)
    }

    @Test(
        arguments: [
            ("followers-octocat", "followers-octocat-1"), ("following-octocat-01", "following-octocat-1"),
            ("repos-Octocat-2", "repos-octocat-2"), ("starred-octocat", "starred-octocat-1"),
        ]
    )
    func `Two files with the same page are an error with both names`(name: String, other: String) {
        let data = Fixtures.gitHub.adding(Fixtures([name: Data("[]".utf8)]))
        let error = #expect(throws: Fixtures.Unreadable.self) { try OfflineGitHub(data: data) }
        #expect([name, other].allSatisfy { error?.description.contains($0) == true })
    }

    @Test(arguments: [204, 304])
    func `A body that a status can't have doesn't arrive, as from a real server`(status: Int) async throws {
        let service = MockURLProtocol.Registration { request in
            .success(HTTPClient.Response(status: status, body: Data("1".utf8), url: request.url))
        }
        let response = try await service.transport().get("/a")
        #expect(response.status == status && response.body.isEmpty)
    }

    @Test func `Own data comes from a folder`() async throws {
        let folder = TemporaryFolder()
        let missing = #expect(throws: Fixtures.Unreadable.self) { try Fixtures(contentsOf: folder.url) }
        #expect(missing?.description.hasSuffix("is no folder with JSON files.") == true)
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Self.mona.write(to: folder.file("user-mona.json"))
        let gitHub = try OfflineGitHub(data: Fixtures(contentsOf: folder.url))
        #expect(try await gitHub.get("/users/MONA").body == Self.mona)
    }

    @Test(
        arguments: [
            ("apps-mine", #"{"results":[]}"#), ("apps-kr-2", #"{"results":[]}"#),
            ("user-mona", "[]"), ("followers-mona-1", "{}"), ("repos-mona-1", "[{}]"),
            ("character-1", "{"), ("episode-1", #"{"results":[{}]}"#), ("apps", "[]"),
            ("location", #"{"results":[{"id":1},{"id":1}]}"#),
        ]
    )
    func `Unreadable data is an error with the file's name`(name: String, text: String) {
        let data = Fixtures([name: Data(text.utf8)])
        let error = #expect(throws: Fixtures.Unreadable.self) {
            _ = try OfflineGitHub(data: data)
            _ = try OfflineRickAndMorty(data: data)
            _ = try OfflineAppStore(data: data)
        }
        #expect(error?.description.hasPrefix("\(name) ") == true)
    }

    @Test func `An account that follows several others is found once`() async throws {
        struct Results: Decodable {
            struct Row: Decodable { let login: String }

            let total_count: Int
            let items: [Row]
        }
        let gitHub = OfflineGitHub()
        for (login, count) in [("first", 100), ("second", 100), ("first", 200)] {
            gitHub.addFollowers(count, of: GitHub.Login(login))
        }
        let found = try await gitHub.get("/search/users?q=amber-&per_page=100").body
        let results = try JSONDecoder().decode(Results.self, from: found)
        #expect(results.total_count == Set(results.items.map(\.login)).count && results.total_count > 0)
    }

    @Test func `A hundred thousand followers are the same for the same seed`() async throws {
        func service(seed: UInt64) -> OfflineGitHub {
            let gitHub = OfflineGitHub()
            gitHub.addFollowers(100_000, of: GitHub.Login("celebrity"), seed: seed)
            return gitHub
        }
        let gitHub = service(seed: 3)
        let last = try await gitHub.get("/users/celebrity/followers?per_page=100&page=1000")
        #expect(last.headers["Link"]?.contains("rel=\"next\"") == false)
        struct Row: Decodable, Hashable {
            let login: String
            let id: Int64
        }
        var rows: Set<Row> = []
        for page in [1, 2, 500, 1000] {
            let page = try await gitHub.get("/users/celebrity/followers?per_page=100&page=\(page)")
            rows.formUnion(try JSONDecoder().decode([Row].self, from: page.body))
        }
        #expect(rows.count == 400)
        let follower = try #require(rows.first)
        #expect(try await gitHub.get("/users/\(follower.login)").text.contains("\"id\":\(follower.id)"))
        #expect(try await gitHub.get("/user/\(follower.id)/followers").text == "[]")
        #expect(try await gitHub.get("/users/celebrity").text.contains("\"followers\":100000"))

        let again = service(seed: 3)
        #expect(try await again.get("/users/celebrity/followers?per_page=100&page=1000").body == last.body)
        let other = service(seed: 4)
        #expect(try await other.get("/users/celebrity/followers?per_page=100&page=1000").body != last.body)
    }
}

@Suite(.bounded)
struct OfflineAccountTests {
    private let gitHub = OfflineGitHub()

    private func get(_ path: String, as token: AccessToken?, method: HTTPMethod = .get) async throws
        -> HTTPClient.Response
    {
        var request = HTTPClient.Request(
            method: method,
            url: try #require(URL(string: "https://host.test\(path)")),
            endpoint: "TEST"
        )
        if let token { request.headers["Authorization"] = "Bearer \(token.text)" }
        return try await gitHub.respond(to: request).get()
    }

    private func names(_ path: String, as token: AccessToken) async throws -> [String] {
        struct Row: Decodable { let full_name: String }
        return try JSONDecoder().decode([Row].self, from: try await get(path, as: token).body).map(\.full_name)
    }

    @Test func `Accounts have their own private repositories and stars`() async throws {
        let octocat = try gitHub.token(for: GitHub.Login("octocat"))
        let haneul = try gitHub.token(for: GitHub.Login("Haneul-Kim"))
        #expect(try await get("/user", as: haneul).text.contains("\"haneul-kim\""))
        #expect(try await get("/user", as: octocat).text.contains("\"octocat\""))
        #expect(try await names("/user/repos?per_page=100", as: haneul).contains("haneul-kim/moonlit-diary"))
        #expect(try await get("/repos/haneul-kim/moonlit-diary", as: haneul).status == 200)
        #expect(try await get("/repos/haneul-kim/moonlit-diary", as: octocat).status == 404)
        #expect(try await get("/repos/haneul-kim/moonlit-diary", as: nil).status == 404)
        #expect(try await get("/repos/octocat/secret-garden", as: haneul).status == 404)
        #expect(try await get("/search/repositories?q=moonlit", as: octocat).text.contains("\"total_count\":0"))
        #expect(try await get("/search/repositories?q=moonlit", as: haneul).text.contains("\"total_count\":1"))

        let starred = ["octocat/hello-tentacles", "octocat/kettle-cpp", "mockworks/mockingbird"]
        #expect(try await names("/user/starred", as: haneul) == starred)
        #expect(try await get("/user/starred/mockworks/mockingbird", as: haneul, method: .delete).status == 204)
        #expect(try await get("/user/starred/haneul-kim/cat-feeder", as: haneul, method: .put).status == 204)
        #expect(try await names("/user/starred", as: haneul) == ["haneul-kim/cat-feeder"] + starred.dropLast())
        #expect(try await get("/user/starred/haneul-kim/cat-feeder", as: octocat).status == 404)
        #expect(try await get("/user/starred/haneul-kim/moonlit-diary", as: octocat, method: .put).status == 404)
        #expect(try await get("/repos/haneul-kim/cat-feeder", as: nil).text.contains("\"stargazers_count\":1470"))
    }

    @Test func `The latest star is the first, also one that was set before, and repeating it changes nothing`()
        async throws
    {
        let haneul = try gitHub.token(for: GitHub.Login("haneul-kim"))
        let (hello, kettle, bird) = ("octocat/hello-tentacles", "octocat/kettle-cpp", "mockworks/mockingbird")
        let steps: [(method: HTTPMethod, repo: String, starred: [String])] = [
            (.put, kettle, [hello, kettle, bird]), (.delete, bird, [hello, kettle]),
            (.put, bird, [bird, hello, kettle]), (.delete, kettle, [bird, hello]),
            (.put, kettle, [kettle, bird, hello]), (.put, bird, [kettle, bird, hello]),
            (.delete, bird, [kettle, hello]),
        ]
        for (method, repo, starred) in steps {
            #expect(try await get("/user/starred/\(repo)", as: haneul, method: method).status == 204)
            #expect(try await get("/user/starred/\(repo)", as: haneul).status == (method == .put ? 204 : 404))
            #expect(try await names("/user/starred", as: haneul) == starred)
        }
    }

    @Test func `Signing in chooses an account`() async throws {
        try gitHub.setSignInAccount(GitHub.Login("haneul-kim"))
        #expect(throws: BrowseError.self) { try gitHub.setSignInAccount(GitHub.Login("nobody-at-all")) }
        let page = try #require(
            URL(
                string: "https://github.com/login/oauth/authorize?state=s&code_challenge_method=S256"
                    + "&code_challenge=\(SHA256Digest.hash("verifier").base64URL)&redirect_uri=app.test%3A%2Fback"
            )
        )
        // The first one was asked for an account, and completes its sign-in last.
        let first = try gitHub.agree(on: page, as: GitHub.Login("Octocat"))
        let second = try gitHub.agree(on: page)
        let other = try #require(URL(string: "https://github.com/login/device"))
        let error = #expect(throws: BrowseError.self) { try gitHub.agree(on: other) }
        let text = "refused (invalidParameter): OfflineGitHub.agree(on:as:), “https://github.com/login/device isn't the"
        #expect(error.map { "\($0)" }?.hasPrefix(text) == true)
        #expect(try gitHub.deny(on: page).absoluteString == "app.test:/back?error=access_denied&state=s")
        let token = try await self.token(from: second)
        #expect(try await get("/user", as: self.token(from: first)).text.contains("\"octocat\""))
        #expect(try await get("/user", as: token).text.contains("\"haneul-kim\""))
        gitHub.revokeTokens()
        #expect(try await get("/user", as: token).status == 401)
        #expect(try await get("/user", as: gitHub.token(for: GitHub.Login("octocat"))).status == 200)
        #expect(throws: BrowseError.self) { try gitHub.token(for: GitHub.Login("nobody-at-all")) }
    }

    @Test func `An account that the data doesn't have is named in the error, with those that there are`() {
        // Those of the profiles.
        let names = ["haneul-kim", "lonely", "mockworks", "noor-rtl", "octocat", "release-helper[bot]"]
        let login = GitHub.Login("nobody-at-all")
        let calls: [() throws -> Void] = [
            { _ = try gitHub.token(for: login) }, { try gitHub.setSignInAccount(login) },
            { _ = try gitHub.agree(on: URL(filePath: "/"), as: login) },
        ]
        for call in calls {
            let error = #expect(throws: BrowseError.self, performing: call)
            guard case .notFound(let info)? = error, let text = info.serverMessage else {
                Issue.record("\(String(describing: error))")
                continue
            }
            let parts = text.split(separator: "There are: ")
            #expect(parts.first == "The data has no account nobody-at-all. ")
            #expect(parts.last?.dropLast().split(separator: ", ").map(String.init).sorted() == names)
        }
    }

    @Test func `A token that no offline GitHub issued is refused`() async throws {
        for path in ["/user", "/users/octocat", "/rate_limit"] {
            let refused = try await get(path, as: AccessToken("ghp_wrong"))
            #expect(refused.status == 401 && refused.headers["X-GitHub-Request-Id"] != nil)
        }
        // A stored session continues in another process.
        let token = try OfflineGitHub().token(for: GitHub.Login("haneul-kim"))
        #expect(try await get("/user", as: token).text.contains("\"haneul-kim\""))
    }

    /// Exchanges the code of a callback.
    private func token(from callback: URL) async throws -> AccessToken {
        let code = try #require(URLComponents(url: callback, resolvingAgainstBaseURL: true)?.queryItems?.first?.value)
        let request = HTTPClient.Request(
            method: .post,
            url: try #require(URL(string: "https://github.com/login/oauth/access_token")),
            body: Data("code=\(code)&code_verifier=verifier".utf8),
            endpoint: "TEST"
        )
        let body = try await gitHub.respond(to: request).get().body
        let fields = try JSONDecoder().decode([String: String].self, from: body)
        return try AccessToken(try #require(fields["access_token"]))
    }
}
