import BrowseKit
import BrowseMocks
import TestLimits
import Testing

nonisolated extension Phrase {
    static func noFollowers(of login: GitHub.Login) -> Phrase {
        Phrase("members.none", "No account follows \(login.rawValue).", ko: "팔로워가 없는 계정: \(login.rawValue)")
    }
}

@MainActor
final class FavoritesFirstViewModel: ListViewModel {
    struct State: ListScreenState {
        var title = ""
        var content: ListState<UserRow> = ListState()
        var notice: Message?
        var login: GitHub.Login?
        var onlyFavorites = false

        var rows: [UserRow] { content.rows.filter(\.isFavorite) + content.rows.filter { !$0.isFavorite } }
    }

    var states: States<State> { store.states }
    var list: ListControls<UserRow> { pages.controls }

    private let store = StateStore(State())
    private let pages: ListController<UserRow>
    private let repository: any GitHub.FollowerRepository
    private let texts: Texts

    init(repository: any GitHub.FollowerRepository, options: ScreenOptions) {
        self.repository = repository
        texts = options.texts
        pages = ListController(in: store, at: \.content, notice: \.notice, options: options)
    }

    var onlyFavorites: Bool {
        get { state.onlyFavorites }
        set {
            store.update { [self] state in
                state.onlyFavorites = newValue
                pages.update { newValue ? $0.filter { $0.isFavorite } : $0.filter(nil) }
            }
        }
    }

    /// The action of the message that no row is a favorite.
    func clearFilter() async { onlyFavorites = false }

    func showIfNeeded(_ login: GitHub.Login) async {
        if state.login == login { await retry() } else { await show(login) }
    }

    func show(_ login: GitHub.Login) async {
        let empty = texts.noRows(.noFollowers(of: login))
        await store.load { state in
            state = State()
            (state.login, state.title) = (login, login.rawValue)
            pages.update { $0.filter(nil) }
            return pages.begin(empty: empty) { [repository] cursor throws(BrowseError) in
                try await repository.page(of: .followers(of: login), at: cursor)
            } row: { user in
                UserRow(user)
            }
        }
    }
}

@MainActor
extension Container {
    func favoritesFirstViewModel() -> FavoritesFirstViewModel {
        FavoritesFirstViewModel(repository: followerRepository(), options: screenOptions(for: .gitHub))
    }
}

@MainActor
extension Container {
    func memberListViewModel() -> PagedListViewModel<GitHub.Login, UserRow> {
        let repository = followerRepository()
        let options = screenOptions(for: .gitHub)
        return PagedListViewModel(options: options) { login in
            login.rawValue
        } empty: { login in
            options.texts.noRows(.noFollowers(of: login))
        } filtering: { row in
            row.login.rawValue
        } page: { login, cursor throws(BrowseError) in
            try await repository.page(of: .followers(of: login), at: cursor)
        } row: { user in
            UserRow(user)
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
        await model.showIfNeeded(GitHub.Login("octocat"))
        #expect(model.state.onlyFavorites && model.state.title == "octocat")
        await model.toggleFavorite(third.id)
        #expect(model.state.rows.isEmpty && model.state.content.status.message?.action == .loadAll)
        await model.loadAll()
        await model.perform(.clearFilter)
        #expect(model.state.rows.count == model.state.content.loadedCount)
        await model.showIfNeeded(GitHub.Login("lonely"))
        #expect(model.state.content.status.message?.text == "No account follows lonely.")
    }

    @Test func `needs no view model of its own for a plain list`() async {
        let services = OfflineServices()
        services.gitHub.scenario = .serverError
        let model = Container.offline(services).memberListViewModel()
        await model.showIfNeeded(GitHub.Login("octocat"))
        #expect(model.state.content.status.message?.kind == .serverFailure)
        services.gitHub.scenario = .normal
        await model.showIfNeeded(GitHub.Login("octocat"))
        #expect(model.state.title == "octocat" && model.state.content.rows.count == 100)
        await model.loadMore()
        await model.showIfNeeded(GitHub.Login("octocat"))
        #expect(model.state.content.rows.count == 200)
        let row = model.state.content.rows[0]
        model.filter = row.login.rawValue
        #expect(model.state.content.rows.contains { $0.id == row.id } && model.state.content.rows.count < 200)
        model.filter = ""
        await model.toggleFavorite(row.id)
        #expect(model.state.content.rows[0].isFavorite)
        await model.showIfNeeded(GitHub.Login("lonely"))
        #expect(model.state.content.status.message?.text == "No account follows lonely.")
        #expect(model.state.selection == GitHub.Login("lonely"))
    }

    @Test func `starts over when another account is in use`() async throws {
        let container = Container.offline()
        let model = container.memberListViewModel()
        model.pages.restartOnAccountChange(of: container.gitHubSession())
        await model.show(GitHub.Login("octocat"))
        let states = model.states.every
        await container.gitHubSignInViewModel().signIn(withToken: "gho_offline_octocat_1")
        for await state in states where state.content.rows.isEmpty { break }
        for await state in model.states where !state.content.rows.isEmpty { break }
    }

    @Test func `names the service in its messages`() async {
        let services = OfflineServices()
        services.gitHub.script.on(
            .get,
            "/users/octocat/followers",
            response: .status(401, headers: ["X-GitHub-Request-Id": "1"])
        )
        let model = Container.offline(services).favoritesFirstViewModel()
        await model.show(GitHub.Login("octocat"))
        #expect(model.state.content.status.message?.text == "GitHub requires you to sign in to continue.")
    }
}
