import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import TestLimits
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The samples of BrowseMocks, BrowseTesting, and the article "Test your app"; they run as tests, too.

@MainActor @Suite(.bounded)
struct `The samples of the test kit` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "samples-\(UUID().uuidString)")
    private let octocat = GitHub.Login("octocat")

    @Test(.verifiesMocks)
    func greets() async throws {
        let server = ScriptedServer()
        server.on(.get, "https://api.example.com/greeting", response: .json(#""Hello""#))
        #expect(try await GreetingClient(transport: server.transport()).greeting() == "Hello")
    }

    @Test(.replay("greeting.har"))
    func replays() async throws {
        #expect(try await GreetingClient(transport: ReplayingTransport.current()).greeting() == "Hello")
    }

    @Test(.verifiesMocks)
    func showsProfile() async throws {
        let server = ScriptedServer()
        server.on(.get, "/users/octocat", response: .fixture("user-octocat", in: .gitHub))
        let model = Container.production(on: server.transport()).userProfileViewModel()
        await model.show(GitHub.Login("octocat"))
        #expect(model.state.content.details != nil)
    }

    @Test(.verifiesMocks)
    func addsAHeaderField() async throws {
        let server = ScriptedServer()
        var headers = HTTPHeaders.gitHub
        headers["ETag"] = #""one""#
        server.on(.get, "/users/octocat", response: .fixture("user-octocat", in: .gitHub, headers: headers))
        let model = Container.production(on: server.transport()).userProfileViewModel()
        await model.show(GitHub.Login("octocat"))
        #expect(model.state.content.details != nil)
    }

    @Test(.verifiesMocks)
    func countsRequests() async {
        let server = ScriptedServer()
        server.on(.get, "/users/octocat", times: 1, response: .fixture("user-octocat", in: .gitHub))
        server.on(.get, "/users/octocat/followers", times: .never, response: .json("[]"))
        let model = Container.production(on: server.transport()).userProfileViewModel()
        await model.show(GitHub.Login("octocat"))
        #expect(model.state.content.details != nil)
    }

    @Test(.replay("session.har"))
    func showsFollowers() async throws {
        let model = try Container.replay().followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        #expect(model.state.content.status == .ready)
    }

    @Test(arguments: TokenStoreConformance.rules)
    func storesTokens(rule: ConformanceRule<any TokenStore>) async throws {
        try await rule.verify(InMemoryTokenStore())
    }

    @Test(arguments: FollowerRepositoryConformance.rules(list: .followers(of: GitHub.Login("octocat"))))
    func listsFollowers(rule: ConformanceRule<any GitHub.FollowerRepository>) async throws {
        try await rule.verify(MyFollowerRepository())
    }

    @Test func `compare states`() async {
        let model = Container.offline().followerListViewModel()
        let recorder = StateRecorder(of: model)
        await model.show(.followers(of: GitHub.Login("octocat")))
        expectGolden(recorder.transcript, "followers.txt")
        recorder.expect(\.content.status, [.idle, .loading, .ready])
    }

    /// Only compiled; the test above compares with a file.
    private func compareFavorites(of model: FavoriteListViewModel) async {
        let recorder = StateRecorder(of: model)
        await model.show()
        expectGolden(recorder.transcript, "favorites.txt")
    }

    @Test func `stub sessions`() async throws {
        let address = try #require(URL(string: "https://api.example.com/greeting"))
        let server = ScriptedServer()
        server.on(.get, "https://api.example.com/greeting", response: .json(#""Hello""#))
        let session = URLSession(configuration: server.sessionConfiguration())
        var request = URLRequest(url: address)
        #if os(Linux)
        for case let (name as String, value as String) in session.configuration.httpAdditionalHeaders ?? [:] {
            request.setValue(value, forHTTPHeaderField: name)
        }
        #endif
        let (data, _) = try await session.data(for: request)
        #expect(data == Data(#""Hello""#.utf8))
    }

    @Test func `replay sessions`() async throws {
        let recording = Recording()
        let mock = MockURLProtocol.Registration(ReplayingTransport(recording))
        let session = URLSession(configuration: mock.sessionConfiguration())
        let address = try #require(URL(string: "https://api.example.com/greeting"))
        let (_, response) = try await session.data(for: session.request(address))
        #expect((response as? HTTPURLResponse)?.statusCode == 400)
    }

    @Test(.verifiesMocks) func `replace one repository`() async {
        let container = Container.offline()
        let error = BrowseError.notFound(BrowseError.RequestInfo(endpoint: "GET /users/mona"))
        container.followerRepository.override { _ in
            InMemoryFollowerRepository(onCall: { _ throws(BrowseError) in throw error })
        }
        let model = container.followerListViewModel()
        await model.show(.followers(of: octocat))
        #expect(model.state.content.rows.isEmpty)
    }

    @Test func `match requests`() async throws {
        let server = ScriptedServer()
        server.on(.get("/users/octocat/followers").query(["page": "2"]), response: .json("[]"))
        server.on(.post("https://example.com/oauth/token").form(["code": "1234"]), response: .json("{}"))
        #expect(throws: ScriptedServer.Mismatch.self) { try server.verify() }
    }

    @Test func `change scenarios`() async {
        let services = OfflineServices()
        let container = Container.offline(services)
        services.setScenario(.offline)
        services.gitHub.scenario = .slow(.seconds(2))
        services.gitHub.script.on(.get, "/user/keys", response: .json("[]"))
        services.setScenario(.normal)
        services.gitHub.scenarios.set(.serverError, for: .any.query(["page": "2"]))  // the second page fails
        services.images.scenarios.set(.offline, for: .any, probability: 0.1, seed: 7)  // one request in ten fails
        let model = container.followerListViewModel()
        await model.show(.followers(of: octocat))
        await model.loadMore()
        #expect(model.state.content.rows.count == 100)
    }

    @Test func `use own data`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Fixtures.gitHub["user-octocat"].write(to: folder.appending(path: "user-octocat.json"))
        let own = try Fixtures(contentsOf: folder)
        let gitHub = try OfflineGitHub(data: Fixtures.gitHub.adding(own))
        gitHub.addFollowers(100_000, of: GitHub.Login("celebrity"), seed: 7)
        let services = OfflineServices(gitHub: gitHub)
        #expect(services.gitHub.scenario == .normal)
    }

    @Test func `sign in as somebody else`() async throws {
        let services = OfflineServices()
        let token = try services.gitHub.token(for: GitHub.Login("haneul-kim"))
        let container = Container.offline(services, configuration: Configuration().with { $0.gitHub.token = token })
        let starred = try await container.repoRepository().page(of: .starred, at: nil)
        #expect(starred.items.count == 3)
    }

    @Test func `record and replay with chosen services`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let services: [any ServiceSettings.Type] = [GitHubSettings.self]
        func record() async throws {
            let recorder = RecordingTransport(over: HTTPClient.makeTransport())
            let container = Container.production(on: recorder, services: services)
            // Use the container, then:
            try recorder.recording.write(to: folder)
            _ = try await container.userRepository().profile(of: octocat)
            try recorder.recording.write(to: folder)
        }
        try await record()
        let replay = ReplayingTransport(try Recording(contentsOf: folder))
        let container = Container.production(on: replay, services: services)
        #expect(try await container.userRepository().profile(of: octocat).user.login == octocat)
    }

    @Test func `record and replay`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await record()
        let replay = ReplayingTransport(try Recording(contentsOf: folder))
        let container = Container.production(on: replay)
        let profile = try await container.userRepository().profile(of: octocat)
        #expect(profile.user.login == octocat)
        try replay.verify()
    }

    /// Stands in for the network.
    private enum HTTPClient {
        static func makeTransport() -> any HTTPTransport { OfflineGitHub().transport() }
    }

    private func record() async throws {
        let recorder = RecordingTransport(over: HTTPClient.makeTransport())
        let container = Container.production(on: recorder)
        // Use the container, then:
        try recorder.recording.write(to: folder)
        _ = try await container.userRepository().profile(of: octocat)
        try recorder.recording.write(to: folder)
    }

    @Test func `set rules for recordings`() {
        var rules = RecordingRules()
        rules.secretFields.insert("session_key")
        rules.replacements["mona@example.com"] = "user@example.com"
        rules.provingPrefixes.append("x-library-")
        #expect(rules != RecordingRules())
    }

    @Test func `run a clock`() async throws {
        let clock = TestClock()
        let gitHub = OfflineGitHub(scenario: .slow(.seconds(5)), clock: clock)
        let followers = Container.production(on: gitHub.transport()).followerRepository()
        let list = GitHub.FollowList.followers(of: octocat)
        let page = try await clock.run { try await followers.page(of: list, at: nil) }  // however often it waits
        #expect(page.items.count == 100)
    }
}

/// Networking code of an app.
private nonisolated struct GreetingClient {
    let transport: any HTTPTransport

    func greeting() async throws -> String {
        let address = try #require(URL(string: "https://api.example.com/greeting"))
        let response = try await transport.send(HTTPClient.Request(url: address, endpoint: "GET /greeting"))
        return try JSONDecoder().decode(String.self, from: response.body)
    }
}

/// Stands in for a repository of the app.
private typealias MyFollowerRepository = RemoteFollowers

private nonisolated struct RemoteFollowers: GitHub.FollowerRepository {
    private let followers = Container.production(on: OfflineGitHub().transport()).followerRepository()

    func page(of list: GitHub.FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.User> {
        try await followers.page(of: list, at: cursor)
    }
}
