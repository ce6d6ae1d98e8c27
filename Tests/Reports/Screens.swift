import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")

/// The life of view models: windows, restarts, notices, and lists that are drawn from changes.
@MainActor
@Suite(.bounded)
struct `Reports about screens` {
    private let clock = TestClock()
    private let server: ScriptedServer
    private let now = Monitor(Date(timeIntervalSince1970: 1_800_000_000))

    init() { server = ScriptedServer(clock: clock) }

    private func container() -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
        }
        (configuration.clock, configuration.retries) = (ImmediateClock(), .never)
        configuration.now = { [now] in now.value }
        return .production(on: server.transport(), configuration: configuration)
    }

    private nonisolated func users(_ ids: some Sequence<Int>, next: Int? = nil) -> ScriptedServer.Response {
        var headers = HTTPHeaders.gitHub
        if let next {
            let url = "https://api.github.com/user/1/followers?per_page=100&page=\(next)"
            headers["Link"] = "<\(url)>; rel=\"next\""
        }
        let rows = ids.map { #"{"id":\#($0),"login":"u\#($0)","type":"User"}"# }.joined(separator: ",")
        return .json("[\(rows)]", headers: headers)
    }

    // MARK: Appearing again

    /// Dimillian/IceCubesApp#1935, mozilla-lockwise/lockwise-ios#846, arcboxlabs/arcbox-desktop#349
    @Test func `a list that appears again changes nothing, and a filter is cleared once`() async {
        server.on(.get, "/users/octocat/followers", response: users(1...100, next: 2))
        server.on(.get, "/user/1/followers", query: ["page": "2"], response: users(101...200, next: 3))
        server.on(.get, "/user/1/followers", query: ["page": "3"], response: users(201...300))
        let list = container().followerListViewModel()
        await list.show(.followers(of: octocat))
        for id in [100, 200] { await list.rowAppeared(GitHub.User.ID(rawValue: Int64(id))) }
        let all = list.state.content.rows
        list.filter = "u25"
        let rows = list.state.content.rows
        #expect(all.count == 300 && rows.count == 11 && list.select(GitHub.User.ID(rawValue: 250)) != nil)
        now.withLock { $0 += 5 }
        await list.showIfNeeded(.followers(of: octocat))
        #expect(list.state.content.rows.change(since: rows) == .none && list.filter == "u25")
        list.filter = "u25"
        list.filter = ""
        #expect(list.state.content.rows == all && list.state.filter.isEmpty)
        list.filter = "zzz"
        guard case .noMatches(let message) = list.state.content.status else { Issue.record("\(list.state)"); return }
        #expect(message.text == "Nothing matches the filter." && message.action == .clearFilter)
        await list.perform(.clearFilter)
        #expect(list.state.content.rows == all && server.requests.count == 3)
    }

    // Ranchero-Software/NetNewsWire#5043, pointfreeco/swift-composable-architecture#1989
    /// Automattic/pocket-casts-ios#1655
    @Test func `a view that is made again, and another window, share a request and nothing else`() async throws {
        server.on(.get, "/users/octocat/followers", times: .any, response: users(1...3).delayed(by: .seconds(1)))
        let container = container()
        let (one, other) = (container.followerListViewModel(), container.followerListViewModel())
        let first = Task { await one.show(.followers(of: octocat)) }
        let second = Task { await other.show(.followers(of: octocat)) }
        await clock.waitForSleepers(1)
        for await state in one.states {
            #expect(state.content.status == .loading && state.title == other.state.title)
            break
        }
        first.cancel()
        await first.value
        #expect(other.state.content.status == .loading)
        let new = StateRecorder(of: other)
        #expect(new.states.first?.content.status == .loading)
        await clock.run { await second.value }
        #expect(other.state.content.rows.count == 3 && server.requests.count == 1)
        let before = one.state
        #expect(other.select(GitHub.User.ID(rawValue: 2)) != nil && one.state == before)
    }

    /// nalexn/clean-architecture-swiftui#50, manaflow-ai/cmux#5310, paulgessinger/swift-paperless#600
    @Test func `a view model that is thrown away sends nothing, and is released`() async throws {
        let container = Container.offline()
        let shown = container.userProfileViewModel()
        await shown.show(octocat)
        let counts = container.favoriteRepository()
        for round in 1...20 {
            weak var detail: UserProfileViewModel?
            weak var list: RepoListViewModel?
            weak var account: AccountViewModel?
            do {
                let models = (
                    container.userProfileViewModel(), container.repoListViewModel(), container.gitHubAccountViewModel()
                )
                detail = models.0
                list = models.1
                account = models.2
                if round > 10 {
                    await models.0.show(octocat)
                    await models.1.show(.publicRepos(of: octocat))
                    await models.2.show()
                }
            }
            #expect(detail == nil && list == nil && account == nil, "round \(round)")
        }
        _ = try await counts.add(Favorite(GitHub.User(id: GitHub.User.ID(rawValue: 583_231), login: octocat)))
        try await waitUntil { shown.state.content.isFavorite == true }
    }

    /// Ranchero-Software/NetNewsWire#4943, Ranchero-Software/NetNewsWire#872
    @Test func `a favorite that is removed in its detail leaves the list, and comes back to its place`() async throws {
        let container = Container.offline()
        for (id, login) in [(5, "octavia"), (583_231, "octocat"), (6, "octopus"), (7, "zo")] {
            let user = GitHub.User(id: GitHub.User.ID(rawValue: Int64(id)), login: GitHub.Login(login))
            _ = try await container.favoriteRepository().add(Favorite(user))
        }
        let (list, detail) = (container.favoriteListViewModel(), container.userProfileViewModel())
        await list.show()
        list.query.filter = "oct"
        try await waitUntil { list.state.content.rows.count == 3 }
        await detail.show(octocat)
        let before = list.state
        await detail.setFavorite(to: false)
        try await waitUntil { list.state.content.rows.count == 2 }
        #expect(detail.state.content.details != nil && detail.state.content.isFavorite == false)
        let without = list.state
        await detail.setFavorite(to: true)
        try await waitUntil { list.state.content.rows.count == 3 }
        #expect(list.state.content.rows.map(\.favorite.title) == before.content.rows.map(\.favorite.title))
        #expect(list.state.sections == before.sections)
        #expect(list.state.content.rows.change(since: without.content.rows) != .reset)
    }

    // MARK: Restarts

    // android/architecture-samples#663, simtop/BillionBeers#76
    /// pointfreeco/swift-composable-architecture#625
    @Test func `restored searches load by themselves, without a request for anything else`() async throws {
        let json = #"{"total_count": 1, "incomplete_results": false, "items": []}"#
        let searches = server.on(.get, "/search/repositories", times: .any, response: .json(json, headers: .gitHub))
        let container = container()
        let (repos, users) = (container.repoSearchViewModel(), container.userSearchViewModel())
        repos.query.sort = .stars
        repos.query.text = "ipa"
        users.query.scope = .favorites
        users.query.text = "swift"
        try await waitUntil { !repos.state.isWaiting && repos.state.content.status != .loading }
        try await waitUntil { users.state.content.status.message?.kind == .noMatches }
        let queries = searches.requests.compactMap { $0.url.query() }
        #expect(queries.allSatisfy { $0.contains("q=ipa") && $0.contains("sort=stars") }, "\(queries)")
        #expect(searches.requests.count == 1 && server.requests.count == 1)
        repos.query.text = "ipa "
        repos.query.text = ""
        #expect(repos.state.content.status == .idle && server.requests.count == 1)
    }

    // MARK: Notices

    /// pointfreeco/swift-composable-architecture#3433
    @Test func `the same failure twice can be shown twice`() async throws {
        let list = container().followerListViewModel()
        server.on(.get, "/users/octocat/followers", times: .exactly(1), response: users(1...3))
        let lost = ScriptedServer.Response.failure(.notConnectedToInternet).delayed(by: .seconds(1))
        server.on(.get, "/users/octocat/followers", times: .any, response: lost)
        server.on(.get, "/user/1/followers", times: .any, response: lost)
        await list.show(.followers(of: octocat))
        let seen = Monitor<[Bool]>([])
        let reader = Task {
            for await state in list.states {
                if case .failedRefresh = state.content.status {
                    seen.withLock { $0.append(true) }
                } else {
                    seen.withLock { $0.append(false) }
                }
            }
        }
        for count in 1...2 {
            await clock.run { await list.refresh() }
            try await waitUntil { seen.value.count(where: \.self) == count }
        }
        #expect(list.state.content.rows.count == 3)
        reader.cancel()
    }

    /// signalapp/Signal-iOS#4151, coredevices/mobileapp#330
    @Test(arguments: [59.0, 60, 3599, 86_400, 104_430, -3600])
    func `the age of a stored copy is a moment, which needs no clock`(age: Double) {
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)
        let date = Date(timeIntervalSince1970: 1_799_938_330 - age)
        let text = texts.age(of: .offline(since: date)) ?? ""
        #expect(!text.contains("now") && !text.contains("ago") && !text.contains("in 1"), "\(text)")
        #expect(text.contains("2027") || text.contains("Jan"), "\(text)")
    }

    // MARK: Lists

    /// apptekstudios/ASCollectionView#80, buresdv/Cork#8
    @Test func `no row is there twice, and an empty list is empty`() async {
        server.on(.get, "/users/octocat/followers", response: users([1, 2, 2, 3], next: 2))
        server.on(.get, "/user/1/followers", query: ["page": "2"], response: users([3, 4, 1]))
        let container = container()
        let list = container.followerListViewModel()
        await list.show(.followers(of: octocat))
        let before = list.state.content.rows
        await list.loadMore()
        #expect(list.state.content.rows.map(\.id.rawValue) == [1, 2, 3, 4])
        guard case .update(let update) = list.state.content.rows.change(since: before) else {
            Issue.record("\(list.state)")
            return
        }
        #expect(update.appended == 3..<4 && update.updated.isEmpty && update.removed.isEmpty && update.inserted.isEmpty)
        let json = #"{"total_count": 0, "incomplete_results": false, "items": []}"#
        server.on(.get, "/search/repositories", times: .any, response: .json(json, headers: .gitHub))
        server.on(.get, "/users/nobody/followers", times: .any, response: users([]))
        let (search, empty) = (container.repoSearchViewModel(), container.followerListViewModel())
        search.query.text = "r"
        await search.submit()
        await empty.show(.followers(of: GitHub.Login("nobody")))
        await empty.refresh()
        for status in [search.state.content.status] { if case .empty = status {} else { Issue.record("\(status)") } }
        if case .empty = empty.state.content.status {} else { Issue.record("\(empty.state.content.status)") }
    }

    /// planetary-social/nos#1296
    @Test func `two previews share nothing`() async throws {
        let services = (OfflineServices(), OfflineServices())
        let (one, other) = (Container.offline(services.0), Container.offline(services.1))
        try await one.gitHubSession().signIn(with: Credentials(token: services.0.gitHub.token(for: octocat)))
        let user = GitHub.User(id: GitHub.User.ID(rawValue: 5), login: GitHub.Login("ann"))
        _ = try await one.favoriteRepository().add(Favorite(user))
        await other.gitHubSession().start()
        let favorites = other.favoriteListViewModel()
        await favorites.show()
        #expect(favorites.state.content.rows.isEmpty && other.gitHubSession().current == .signedOut(.noSession))
        #expect(one.gitHubSession().current.user != nil)
        let store = one.gitHubTokenStore()
        #expect(store is InMemoryTokenStore && one.favoriteRepository() is InMemoryFavoriteRepository)
    }
}
