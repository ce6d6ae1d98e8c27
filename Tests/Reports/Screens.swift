import BrowseData
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

/// The life of view models: windows, restarts, notices, and lists that are drawn from changes.
@MainActor
@Suite(.bounded)
struct `Reports about screens` {
    // Ranchero-Software/NetNewsWire#5043, pointfreeco/swift-composable-architecture#1989,
    // Automattic/pocket-casts-ios#1655
    @Test func `a view that is made again, and another window, share a request and nothing else`() async {
        let service = RowService(Array(1...3))
        service.hold(0)
        let isShared = Monitor(false)
        let printer = ExchangePrinter { line in
            if line.contains("shares an equal request") { isShared.withLock { $0 = true } }
        }
        // They don't read the cache first, which would be shared, too.
        let container = service.container { ($0.loadPolicy, $0.observers) = (.freshElseCached, [printer]) }
        let (one, other) = (container.followerListViewModel(), container.followerListViewModel())
        let first = Task { await one.show(.followers(of: .octocat)) }
        let second = Task { await other.show(.followers(of: .octocat)) }
        await service.waitForRequests(1)
        await isShared.wait { $0 }
        for await state in one.states {
            #expect(state.content.status == .loading && state.title == other.state.title)
            break
        }
        first.cancel()
        await first.value
        #expect(other.state.content.status == .loading)
        #expect(StateRecorder(of: other).states.first?.content.status == .loading)
        service.release()
        await second.value
        #expect(other.ids == [1, 2, 3] && service.sent.count == 1)
        let before = one.state
        #expect(other.select(GitHub.User.ID(rawValue: 2)) != nil && one.state == before)
    }

    /// unarbos/arbos#529, deejay-hub/timeline-lwc#43, frappe/frappe#21427
    @Test(arguments: [(1...5, 1), (1...150, 1), (1...150, 2)])
    func `a filter that hides all rows is named during a refresh, and after its failure`(
        ids: ClosedRange<Int>,
        page: Int
    ) async throws {
        let service = RowService(Array(ids))
        let list = await service.followers(in: service.container { $0.cacheByteLimit = 0 })
        list.filter = "zed"
        let hidden = try #require(list.state.content.layout.placeholder)
        service.answer("GET \(page)", with: .status(503))
        await service.hold({ await (page == 1 ? list.refresh() : list.loadMore()) }) {
            let layout = list.state.content.layout
            #expect(layout.placeholder == hidden && layout.footer == (page == 1 ? nil : .spinner))
        }
        let layout = list.state.content.layout
        #expect(layout.header?.action == .retry && layout.footer == hidden && layout.placeholder == nil)
    }

    /// nalexn/clean-architecture-swiftui#50, manaflow-ai/cmux#5310, paulgessinger/swift-paperless#600
    @Test func `a view model that is thrown away sends nothing, and is released`() async throws {
        let container = Container.offline()
        let shown = await container.profile()
        for round in 1...20 {
            weak var detail: UserProfileViewModel?
            weak var list: RepoListViewModel?
            weak var account: AccountViewModel?
            do {
                let (profile, repos) = (container.userProfileViewModel(), container.repoListViewModel())
                let user = container.gitHubAccountViewModel()
                (detail, list, account) = (profile, repos, user)
                if round > 10 {
                    await profile.show(.octocat)
                    await repos.show(.publicRepos(of: .octocat))
                    await user.show()
                }
            }
            #expect(detail == nil && list == nil && account == nil, "round \(round)")
        }
        try await container.addFavorite(583_231, "octocat")
        try await waitUntil { shown.state.content.isFavorite == true }
    }

    /// Ranchero-Software/NetNewsWire#4943, Ranchero-Software/NetNewsWire#872
    @Test func `a favorite that is removed in its detail leaves the list, and comes back to its place`() async throws {
        let container = Container.offline()
        for (id, login) in [(5, "octavia"), (583_231, "octocat"), (6, "octopus"), (7, "zo")] {
            try await container.addFavorite(id, login)
        }
        let list = await container.favorites()
        list.query.filter = "oct"
        try await waitUntil { list.state.content.rows.count == 3 }
        let detail = await container.profile()
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

    // android/architecture-samples#663, simtop/BillionBeers#76,
    // pointfreeco/swift-composable-architecture#625
    @Test func `restored searches load by themselves, without a request for anything else`() async throws {
        let service = RowService()
        let container = service.container()
        let (repos, users) = (container.repoSearchViewModel(), container.userSearchViewModel())
        repos.query.sort = .stars
        repos.query.text = "ipa"
        users.query.scope = .favorites
        users.query.text = "swift"
        try await waitUntil { !repos.state.isWaiting && repos.state.content.status != .loading }
        try await waitUntil { users.state.content.status.message?.kind == .noMatches }
        let queries = service.server.requests.map { [$0.url.path(), $0.item("q"), $0.item("sort")] }
        #expect(queries == [["/search/repositories", "ipa", "stars"]])
        repos.query.text = "ipa "
        repos.query.text = ""
        #expect(repos.state.content.status == .idle && service.sent.count == 1)
    }

    /// pointfreeco/swift-composable-architecture#3433
    @Test func `the same failure twice can be shown twice`() async throws {
        let service = RowService(Array(1...3))
        let list = await service.followers(in: service.container { $0.cacheByteLimit = 0 })
        service.answer("GET 1", with: .offline)
        let failures = Monitor<[Bool]>([])
        let reader = Task {
            for await state in list.states { failures.withLock { $0.append(state.content.layout.header != nil) } }
        }
        for count in 1...2 {
            try await service.hold({ await list.refresh() }) { try await waitUntil { failures.value.last == false } }
            try await waitUntil { failures.value.count(where: \.self) == count }
        }
        #expect(list.ids == [1, 2, 3])
        reader.cancel()
    }

    /// signalapp/Signal-iOS#4151, coredevices/mobileapp#330
    @Test(arguments: [59.0, 60, 3599, 86_400, 104_430, -3600])
    func `the age of a stored copy is a moment, which needs no clock`(age: Double) {
        let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt, now: { .reports })
        let date = Date(timeIntervalSince1970: 1_799_938_330 - age)
        let text = texts.age(of: .offline(since: date)) ?? ""
        #expect(!text.contains("now") && !text.contains("ago") && !text.contains("in 1"), "\(text)")
        #expect(text.contains("2027") || text.contains("Jan"), "\(text)")
    }

    /// buresdv/Cork#8
    @Test func `an empty list is empty, also after a refresh`() async {
        let container = RowService().container()
        #expect(await container.repos(for: "r").state.content.status.message?.kind == .empty)
        let list = await container.followers(of: "nobody")
        await list.refresh()
        #expect(list.state.content.status.message?.kind == .empty)
    }

    /// planetary-social/nos#1296
    @Test func `two previews share nothing`() async throws {
        let services = (OfflineServices(), OfflineServices())
        let (one, other) = (Container.offline(services.0), Container.offline(services.1))
        try await one.gitHubSession().signIn(with: Credentials(token: services.0.gitHub.token(for: .octocat)))
        try await one.addFavorite(5, "ann")
        await other.gitHubSession().start()
        let favorites = await other.favorites()
        #expect(favorites.state.content.rows.isEmpty && other.gitHubSession().current == .signedOut(.noSession))
        #expect(one.gitHubSession().current.user != nil)
        #expect(one.gitHubTokenStore() is InMemoryTokenStore)
        #expect(one.favoriteRepository() is InMemoryFavoriteRepository)
    }
}
