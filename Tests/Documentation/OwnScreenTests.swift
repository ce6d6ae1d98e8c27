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
}
