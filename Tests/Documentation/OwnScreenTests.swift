import BrowseKit
import BrowseMocks
import TestLimits
import Testing

@MainActor
final class FavoritesFirstViewModel: ListViewModel {
    struct State: ListScreenState {
        var title = ""
        var content: ListState<UserRow> = ListState()
        var notice: Message?
        var onlyFavorites = false

        var rows: [UserRow] {
            let favorites = content.rows.filter(\.isFavorite)
            return onlyFavorites ? favorites : favorites + content.rows.filter { !$0.isFavorite }
        }
    }

    var states: States<State> { store.states }
    var list: ListControls<UserRow> { pages.controls }

    private let store = StateStore(State())
    private let pages: ListController<UserRow>
    private let repository: any GitHub.FollowerRepository

    init(repository: any GitHub.FollowerRepository, favorites: any FavoriteRepository, options: ScreenOptions) {
        self.repository = repository
        pages = ListController(in: store, at: \.content, notice: \.notice, options: options)
        pages.markFavorites(in: favorites)
    }

    var onlyFavorites: Bool {
        get { state.onlyFavorites }
        set { store.update { $0.onlyFavorites = newValue } }
    }

    func show(_ login: GitHub.Login) async {
        let empty = Message(kind: .empty, title: "No Followers", text: "No account follows \(login).")
        let load = store.update { state in
            state = State()
            return pages.begin(empty: empty) { [repository] cursor throws(BrowseError) in
                try await repository.page(of: .followers(of: login), at: cursor)
            } row: { user in
                UserRow(user)
            }
        }
        await load()
    }
}

@MainActor
private final class NewFollowersViewModel: ListViewModel {
    struct State: ListScreenState {
        var title = ""
        var content: ListState<UserRow> = ListState()
        var notice: Message?
    }

    var states: States<State> { store.states }
    var list: ListControls<UserRow> { pages.controls }

    let store = StateStore(State())
    let pages: ListController<UserRow>
    let repository: any GitHub.FollowerRepository
    let empty = Message(kind: .empty, title: "No New Followers", text: "The account follows all of its followers.")

    init(repository: any GitHub.FollowerRepository, options: ScreenOptions) {
        self.repository = repository
        pages = ListController(in: store, at: \.content, options: options)
    }
}

actor Following {
    private var known: Set<GitHub.User.ID>?

    func ids(
        of login: GitHub.Login,
        in repository: any GitHub.FollowerRepository
    ) async throws(BrowseError) -> Set<GitHub.User.ID> {
        if let known { return known }
        let ids = Set(try await repository.page(of: .following(by: login), at: nil).items.map(\.id))
        known = ids
        return ids
    }
}

extension NewFollowersViewModel {
    func show(_ login: GitHub.Login) async {
        let load = store.update { state in
            state = State()
            return pages.begin(empty: empty) {
                Following()
            } page: { [repository] cursor, following throws(BrowseError) in
                let known = try await following.ids(of: login, in: repository)
                let page = try await repository.page(of: .followers(of: login), at: cursor)
                return Page(items: page.items.filter { !known.contains($0.id) }, next: page.next)
            } row: { user in
                UserRow(user)
            }
        }
        await load()
    }
}

extension Container {
    var favoritesFirstViewModel: MainActorDependency<FavoritesFirstViewModel> {
        mainActorDependency { container in
            FavoritesFirstViewModel(
                repository: container.followerRepository(),
                favorites: container.favoriteRepository(),
                options: container.screenOptions()
            )
        }
    }
}

@MainActor
@Suite(.bounded) struct `A screen of an app` {
    @Test func `shows favorites first`() async {
        let model = Container.offline().favoritesFirstViewModel()
        await model.show(GitHub.Login("octocat"))
        let third = model.state.content.rows[2]
        await model.toggleFavorite(third.id)
        #expect(model.state.rows.first?.id == third.id)
        model.onlyFavorites = true
        #expect(model.state.rows.map(\.login) == [third.login])
    }
    @Test func `doesn't mix the values of the cache and of the server`() async {
        let users = (0..<6).map { GitHub.User(id: .init(rawValue: $0), login: GitHub.Login("user-\($0)")) }
        let fails = Monitor(true)
        let followers = FollowerRepositoryDouble(onPage: { [fails] list, cursor throws(BrowseError) in
            let isCached = LoadOptions.current.source == .cacheOnly
            // The server knows of another account that is followed.
            guard case .followers = list else { return Page(items: Array(users[(isCached ? 1 : 0)..<2])) }
            guard cursor != nil else { return Page(items: Array(users[0..<3]), next: PageCursor(page: 2)) }
            if fails.value { throw .timedOut(BrowseError.RequestInfo(endpoint: "GET /")) }
            return Page(items: Array(users[3..<6]))
        })
        let container = Container.offline()
        container.followerRepository.override { _ in followers }
        let model = NewFollowersViewModel(
            repository: container.followerRepository(),
            options: container.screenOptions()
        )
        await model.show(GitHub.Login("octocat"))
        #expect(model.state.content.rows.map(\.login.rawValue) == ["user-2"])
        await model.loadMore()
        guard case .failedMore = model.state.content.status else {
            Issue.record("\(model.state.content.status)")
            return
        }
        fails.withLock { $0 = false }
        await model.retry()
        #expect(model.state.content.rows.map(\.login.rawValue) == ["user-2", "user-3", "user-4", "user-5"])
    }
}
