import BrowseAppStoreDomain
import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded) struct `A favorite that was renamed` {
    private let favorites = InMemoryFavoriteRepository([
        .user(.sample(1, login: "mona")), .user(.sample(2, login: "octocat")), .user(.sample(3, login: "zoe")),
    ])

    private func favoriteList(_ order: FavoriteQuery.Order) async -> FavoriteListViewModel {
        let list = FavoriteListViewModel(favorites: favorites, kinds: FavoriteKind.gitHub, options: .english)
        list.query.order = order
        await list.show()
        return list
    }

    private func followers(
        _ users: [GitHub.User],
        favorites: (any FavoriteRepository)? = nil,
        provenance: Provenance = .fresh
    ) -> FollowerListViewModel {
        let repository = InMemoryFollowerRepository { _ in
            ProvenanceRecord.current?.note(provenance)
            return Page(items: users)
        }
        return FollowerListViewModel(repository, favorites: favorites ?? self.favorites)
    }

    private let renamed: [GitHub.User] = [.sample(9), .sample(1, login: "zz-mona"), .sample(3, login: "zoe")]

    @Test func `in a list shows its new name in the favorites, in its new place`() async {
        let byName = await favoriteList(.name)
        let byDate = await favoriteList(.added)
        await followers(renamed).show(.followers(of: GitHub.Login("octocat")))
        let names = await byName.until { $0.content.rows.last?.favorite.title == "zz-mona" }.content.rows
        #expect(names.map(\.favorite.title) == ["octocat", "zoe", "zz-mona"])
        #expect(names[2].route == .gitHub(.account(GitHub.User.ID(rawValue: 1), label: GitHub.Login("zz-mona"))))
        let dates = await byDate.until { $0.content.rows.first?.favorite.title == "zz-mona" }.content.rows
        #expect(dates.map(\.favorite.title) == ["zz-mona", "octocat", "zoe"])
    }

    @Test func `in details shows its new name in the favorites`() async {
        let list = await favoriteList(.name)
        let lisa = GitHub.UserProfile(user: .sample(1, login: "lisa"))
        let profile = UserProfileViewModel([lisa], favorites: favorites)
        await profile.show(GitHub.User.ID(rawValue: 1))
        await list.until { $0.content.rows.map(\.favorite.title) == ["lisa", "octocat", "zoe"] }
    }

    @Test func `is stored whatever its kind`() async throws {
        let old = GitHub.Repo.sample(4)
        let new = GitHub.Repo(id: old.id, name: "name", fullName: "new/name") { $0.owner = .sample(1, login: "new") }
        let id = AppStore.AppID(8, in: .unitedStates)
        let favorites = InMemoryFavoriteRepository([.repo(old), .app(AppStore.App(id: id, name: "Old"))])
        let list = FavoriteListViewModel(favorites: favorites, kinds: [], options: .english)
        list.query.order = .added
        await list.show()
        let page = AppDetailViewModel(
            repository: InMemoryAppRepository(apps: [AppStore.App(id: id, name: "New")]),
            options: .english.with(favorites)
        )
        await page.show(.id(id))
        let repository = InMemoryRepoRepository(repos: [new])
        let repos = RepoListViewModel(repository, favorites: favorites, session: .inMemory())
        await repos.show(.publicRepos(of: GitHub.Login("new")))
        await list.until { $0.content.rows.map(\.favorite.title) == ["new/name", "New"] }
    }

    @Test func `leaves or enters a filtered list by its new name`() async {
        let list = await favoriteList(.name)
        list.query.filter = "mona"
        await list.until { $0.content.rows.map(\.favorite.title) == ["mona"] }
        await followers([.sample(1, login: "lisa"), .sample(2, login: "mona-2")]).show(
            .followers(of: GitHub.Login("a"))
        )
        await list.until { $0.content.rows.map(\.favorite.title) == ["mona-2"] }
    }

    @Test(arguments: [Provenance.stale(since: .distantPast), .offline(since: .distantPast)])
    func `keeps its new name if an older response is shown`(provenance: Provenance) async throws {
        let updates = Monitor<[[Favorite]]>([])
        var hooked = favorites
        hooked.onCall = { call in
            if case .update(let favorites) = call { updates.withLock { $0.append(favorites) } }
            return nil
        }
        let list = followers(renamed, favorites: hooked, provenance: provenance)
        await list.show(.followers(of: GitHub.Login("octocat")))
        #expect(list.state.content.provenance == provenance)
        // Updates are stored in order, so the first one is that of the next load.
        let fresh = followers([.sample(2, login: "next")], favorites: hooked)
        await fresh.show(.followers(of: GitHub.Login("octocat")))
        try await waitUntil { !updates.value.isEmpty }
        #expect(updates.value == [[.user(.sample(2, login: "next"))]])
    }

    @Test(arguments: [Provenance.fresh, .revalidated])
    func `isn't waited for, and only favorites are stored`(provenance: Provenance) async throws {
        let held = ControlledResponses<[Favorite], Void>()
        var hooked = favorites
        hooked.onCall = { call throws(BrowseError) in
            if case .update(let favorites) = call { try await held.response(to: favorites) }
            return nil
        }
        let list = followers(renamed, favorites: hooked, provenance: provenance)
        await list.show(.followers(of: GitHub.Login("octocat")))
        #expect(list.state.content.rows.map(\.isFavorite) == [false, true, true])
        await held.waitForRequests(1)
        #expect(held.requests == [[.user(renamed[1]), .user(renamed[2])]])
        held.answer(0, with: .failure(.storageFailed(StorageFailure(reason: .full, file: "x"))))
        await list.refresh()
        #expect(list.state.notice == nil)
    }

    @Test func `isn't added again if it was removed meanwhile`() async throws {
        let held = ControlledResponses<Int, Void>()
        var hooked = favorites
        hooked.onCall = { call throws(BrowseError) in
            if case .update = call { try await held.response(to: 0) }
            return nil
        }
        let list = followers(renamed, favorites: hooked)
        await list.show(.followers(of: GitHub.Login("octocat")))
        await held.waitForRequests(1)
        await list.toggleFavorite(GitHub.User.ID(rawValue: 1))
        let favoriteList = await favoriteList(.added)
        held.answer(0, with: .success(()))
        await list.toggleFavorite(GitHub.User.ID(rawValue: 9))
        await favoriteList.until { $0.content.rows.count == 3 }
        #expect(favoriteList.state.content.rows.map(\.favorite.title) == ["octocat", "zoe", "user-9"])
    }
}
