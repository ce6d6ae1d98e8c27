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

/// Tests searching while typing through all layers, with a server that counts requests.
@MainActor @Suite(.bounded)
struct `Search while typing, all layers` {
    private let clock = TestClock()
    private let server: LoopbackServer
    private let container: Container

    init() throws {
        let json = Array(
            """
            {"total_count":1,"incomplete_results":false,"items":[{"id":1,"login":"mona","type":"User"}]}
            """.utf8
        )
        server = try LoopbackServer { _ in
            LoopbackResponse(status: 200, headers: [("Content-Type", "application/json")], body: json)
        }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        container = Container(
            Configuration().with { [clock] in
                $0.locale = Locale(identifier: "en_US")
                $0.limits.duration = .seconds(100_000)
                $0.cacheByteLimit = 0
                $0.clock = clock
                $0.gitHub.url = url
            }
        )
        container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        container.gitHubTokenStore.override { _ in InMemoryTokenStore() }
        // The transport has its own clock for its time limit, so that only debounce pauses use the test's.
        container.transport.override { _ in HTTPClient.makeTransport() }
    }

    @Test func `sends at most one request per pause, and none for blank text`() async {
        let model = container.userSearchViewModel()
        var text = ""
        var pauses = 0
        for index in 1...20 {
            text += index % 5 == 0 ? " +" : "&"
            model.query.text = text
            await clock.waitForSleepers(1)
            let isPause = index == 4 || index == 11 || index == 20
            await clock.advance(by: .milliseconds(isPause ? 300 : 100))
            guard isPause else { continue }
            pauses += 1
            await model.until { $0.content.status == .ready && !$0.isWaiting }
            #expect(server.requests.count == pauses)
        }
        for blank in ["", " ", "\n"] {
            model.query.text = blank
            await model.submit()
        }
        await clock.advance(by: .seconds(10))
        #expect(server.requests.count == 3)
        #expect(
            server.requests.map { $0.target.prefix { $0 != "?" } } == [
                "/search/users", "/search/users", "/search/users",
            ]
        )
        #expect(model.state.content.rows.isEmpty)
    }

    @Test func `sends the typed text of a repository search, encoded once, with sort and order`() async {
        let model = container.repoSearchViewModel()
        model.query.sort = .stars
        model.query.order = .ascending
        model.query.text = " C++ a&b=c 하늘 100% #1 "
        await model.submit()
        #expect(
            server.requests.map(\.target) == [
                "/search/repositories?q=C%2B%2B%20a%26b%3Dc%20%ED%95%98%EB%8A%98%20100%25%20%231&sort=stars&order=asc"
                    + "&per_page=100"
            ]
        )
    }
}

/// Tests favorites on all screens, with a database file.
@MainActor @Suite(.bounded)
struct `Favorites, all layers` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "story-\(UUID().uuidString)")

    private func container(_ scenario: Scenario = .normal) -> Container {
        Container.offline(scenario, configuration: .localized().with { $0.storageFolder = folder })
    }

    @Test func `appear on all screens at once, survive a restart, and need no network`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = container()
        let search = container.userSearchViewModel()
        let followers = container.followerListViewModel()
        let profile = container.userProfileViewModel()
        let repos = container.repoSearchViewModel()
        let favorites = container.favoriteListViewModel()
        await favorites.show()
        await followers.show(.following(by: GitHub.Login("octocat")))
        await profile.show(GitHub.Login("haneul-kim"))
        search.query.text = "haneul"
        await search.submit()
        repos.query.text = "octocat"
        await repos.submit()

        // Added on one screen.
        let position = try #require(search.state.content.rows.firstIndex { $0.login.rawValue == "haneul-kim" })
        await search.toggleFavorite(search.state.content.rows[position].id)
        await repos.toggleFavorite(repos.state.content.rows[3].id)
        let repo = repos.state.content.rows[3].repo
        await favorites.until { $0.content.rows.map(\.favorite.title) == ["haneul-kim", repo.fullName] }
        #expect(favorites.state.sections.map(\.title) == ["H", "O"])
        await followers.until { $0.content.rows.filter(\.isFavorite).map(\.login.rawValue) == ["haneul-kim"] }
        await profile.until { $0.isFavorite }
        #expect(search.state.content.rows[position].isFavorite)

        // Removed on another screen, which adds one too.
        await profile.toggleFavorite()
        await search.until { !$0.content.rows[position].isFavorite }
        await favorites.until { $0.content.rows.count == 1 }
        await followers.until { $0.content.rows.allSatisfy { !$0.isFavorite } }

        // A restart without a network.
        let restarted = self.container(.offline)
        let restoredList = restarted.favoriteListViewModel()
        await restoredList.show()
        #expect(restoredList.state.content.rows.map(\.favorite) == [Favorite(repo)])
        await restoredList.setFavorite(restoredList.state.content.rows[0].id, to: false)
        await restoredList.until { if case .empty = $0.content.status { true } else { false } }
    }

    @Test func `are searched without a request in the search screen's favorites scope`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = container(.offline)
        _ = try await container.favoriteRepository().add(
            Favorite(GitHub.User(id: GitHub.User.ID(rawValue: 1), login: GitHub.Login("Ash")))
        )
        let search = container.userSearchViewModel()
        search.query.scope = .favorites
        search.query.text = "ash"
        let state = await search.until { $0.content.status == .ready }
        #expect(state.content.rows.map(\.login.rawValue) == ["Ash"])
    }
}
