import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

// The samples in comments of Mocks, which also run as tests.

@MainActor @Suite(.bounded)
struct `The samples of the mocks` {
    private let baseURL = GitHubSettings().url
    private let octocat = GitHub.Login("octocat")
    private let mona = GitHub.UserProfile.sample("mona")
    private let hubot = GitHub.UserProfile.sample("hubot")

    @Test func `record states`() async throws {
        let viewModel = Container.offline().followerListViewModel()
        let recorder = StateRecorder(of: viewModel)
        await viewModel.show(.followers(of: octocat))
        #expect(recorder.states.map(\.content.status) == [.idle, .loading, .ready])
    }

    @Test func `record the states of favorites`() async throws {
        let viewModel = Container.offline().favoriteListViewModel()
        let recorder = StateRecorder(of: viewModel)
        await viewModel.show()
        #expect(recorder.states.first?.content.status == .idle)
    }

    @Test func `answer as a user repository`() async throws {
        let mona = mona
        let error = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "test"))
        let container = Container.offline()
        let users = InMemoryUserRepository(profiles: [mona]) { call throws(BrowseError) in
            if case .search = call { throw error }
            return nil
        }
        container.userRepository.override { _ in users }
        #expect(try await users.profile(of: GitHub.Login("mona")) == mona)
        let text = try GitHub.SearchText("mona")
        await #expect(throws: error) { try await users.search(for: text, at: nil) }
    }

    @Test func `hold the responses of a follower repository`() async throws {
        let mona = mona.user
        let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
        let followers = InMemoryFollowerRepository(onCall: held.response)
        let page = Task { try await followers.page(of: .followers(of: octocat), at: nil) }
        await held.waitForRequests(1)
        held.answer(0, with: .success(Page(items: [mona])))
        #expect(try await page.value.items == [mona])
    }

    @Test func `hold the responses of favorites`() async throws {
        let held = ControlledResponses<InMemoryFavoriteRepository.Call, Page<Favorite>>()
        let favorites = InMemoryFavoriteRepository(onCall: held.response)
        held.answer(0, with: .success(Page(items: [Favorite(mona.user)])))
        #expect(try await favorites.ids() == [Favorite(mona.user).id])
    }

    @Test func `read a fixture`() throws {
        let mona = try Fixtures.gitHub["user-octocat"]
        let own = Fixtures(["user-mona": mona])
        let gitHub = try OfflineGitHub(data: Fixtures.gitHub.adding(own))
        #expect(gitHub.scenario == .normal)
    }

    @Test func `answer as the App Store`() async throws {
        let shop = OfflineAppStore()
        let apps = Container.production(on: shop.transport()).appRepository()
        let timer = try await apps.lookUp(AppStore.AppReference("1500000001"), in: AppStore.Storefront())
        #expect(timer.name == "Tea Timer")
    }

    @Test func `move a clock`() async throws {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .milliseconds(300)) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(300))
        try await task.value
    }

    @Test func `report changes`() async throws {
        let log = Monitor<[String]>([])
        let task = Task { log.withLock { $0.append("began") } }
        try await waitUntil { log.value.contains("began") }
        await task.value
    }

    @Test func `wait for what cannot be awaited`() async throws {
        let clock = TestClock()
        var configuration = Configuration()
        configuration.clock = clock
        let search = Container.offline(configuration: configuration).userSearchViewModel()
        search.query.text = "lunar"  // searches when the person pauses
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(300))
        try await waitUntil { search.state.content.status == .ready }
    }

    @Test func `meet a rate limit offline`() async {
        let container = Container.offline(.rateLimited(until: .now + 60))
        let model = container.followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        #expect(model.state.content.rows.isEmpty)
    }

    @Test func `let responses come in the wrong order`() async throws {
        let mona = ImageRequest(WebAddress(rawValue: "https://example.com/mona.png"))
        let hubot = ImageRequest(WebAddress(rawValue: "https://example.com/hubot.png"))
        let held = ControlledResponses<ImageRequest, EncodedImage>()
        let images = InMemoryImageRepository(onCall: held.response)
        async let first = images.image(for: mona)
        _ = await held.waitForRequests(1)
        async let second = images.image(for: hubot)
        _ = await held.waitForRequests(2)
        held.answer(1, with: .success(.drawn(for: "hubot")))
        held.answer(0, with: .success(.drawn(for: "mona")))
        #expect(try await [first, second] == [.drawn(for: "mona"), .drawn(for: "hubot")])
    }

    @Test func `script a server`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/works/OL1W.json", response: .json("{}"))
        server.on(.get, "/search.json", query: ["page": "2"], responses: [.status(500), .json("[]")])

        let client = HTTPClient(service: .json(baseURL: baseURL, userAgent: "Tests"), transport: server.transport())
        // Let the code under test use the client, then `try server.verify()`.
        let work = Endpoint<[String]>.json(.path("/works/OL1W.json")) { (response: [String: String], _) in
            Array(response.keys)
        }
        #expect(try await client.send(work).isEmpty)
        let search = Endpoint<[String]>.json(.path("/search.json"), query: [.init("page", "2")]) {
            (response: [String], _) in response
        }
        await #expect(throws: BrowseError.self) { try await client.send(search) }
        #expect(try await client.send(search).isEmpty)
        try server.verify()
    }

    @Test func `script an error of GitHub`() async throws {
        let server = ScriptedServer()
        server.on(.get, "/users/octocat", response: .status(403, headers: .gitHub))
        let users = Container.production(on: server.transport()).userRepository()
        await #expect(throws: BrowseError.self) { try await users.profile(of: GitHub.Login("octocat")) }
    }

    @Test func `fill the disk under favorites`() async throws {
        let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite"))
        var favorites = InMemoryFavoriteRepository()
        favorites.onCall = { call throws(BrowseError) in
            if case .add = call { throw full }
            return nil
        }
        let mona = Favorite(GitHub.User(id: GitHub.User.ID(rawValue: 1), login: GitHub.Login("mona")))
        let place = favorites
        await #expect(throws: full) { try await place.add(mona) }
        #expect(try await place.ids().isEmpty)
    }

    @Test func `use GitHub offline`() async throws {
        let gitHub = OfflineGitHub()
        let followers = Container.production(on: gitHub.transport()).followerRepository()
        #expect(try await followers.page(of: .followers(of: octocat), at: nil).items.count == 100)
    }
}

nonisolated extension GitHub.UserProfile {
    fileprivate static func sample(_ login: String) -> GitHub.UserProfile {
        let user = GitHub.User(id: GitHub.User.ID(rawValue: Int64(login.count)), login: GitHub.Login(login))
        return GitHub.UserProfile(user: user) { $0.memberSince = .now }
    }
}
