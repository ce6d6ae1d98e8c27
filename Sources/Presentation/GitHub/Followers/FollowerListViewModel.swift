package import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A screen with the followers of an account, or the accounts that it follows.
@MainActor
public final class FollowerListViewModel: ListViewModel {
    /// The state of the screen.
    public struct State: ListScreenState {
        /// The account and the direction; `nil` before ``FollowerListViewModel/show(_:)``.
        public var followList: GitHub.FollowList?
        /// The title of the screen.
        public var title: String = ""
        /// The text that the rows are filtered by; blank shows all.
        public var filter: String = ""
        /// The rows and the status of the list.
        public var content: ListState<UserRow> = ListState()
        /// A message beside the list, such as that a favorite couldn't be stored.
        public var notice: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<UserRow> { pages.controls }

    private let store = StateStore(State())
    private let pages: ListController<UserRow>
    private let repository: any GitHub.FollowerRepository
    private let options: ScreenOptions

    /// Creates the screen; ``show(_:)`` loads it.
    package init(repository: any GitHub.FollowerRepository, favorites: any FavoriteRepository, options: ScreenOptions) {
        self.repository = repository
        self.options = options.about(.gitHub).withInput()
        pages = ListController(in: store, at: \.content, notice: \.notice, options: self.options)
        pages.markFavorites(in: favorites)
    }

    /// Shows a list from its first page, and clears the filter.
    public func show(_ list: GitHub.FollowList) async {
        let texts = options.texts
        let load = store.update { state in
            state = State()
            state.followList = list
            state.title =
                switch list {
                case .followers(let login): texts(.followersTitle(login))
                case .following(let login): texts(.followingTitle(login))
                }
            filter(by: "")
            return pages.begin(empty: texts.emptyList(list)) { [repository] cursor throws(BrowseError) in
                try await repository.page(of: list, at: cursor)
            } allPages: { [repository, concurrency = options.pageConcurrency] cursor, receive throws(BrowseError) in
                try await repository.pages(of: list, from: cursor, concurrency: concurrency, receive: receive)
            } row: {
                UserRow($0)
            }
        }
        await load()
    }

    /// Shows a list; if it's shown already, only calls `retry()`.
    ///
    /// Call it whenever the screen appears.
    public func showIfNeeded(_ list: GitHub.FollowList) async {
        if state.followList == list { await retry() } else { await show(list) }
    }

    /// A part of the login, in any case; setting it filters the rows, including those of later pages.
    public var filter: String {
        get { state.filter }
        set {
            store.update { state in
                state.filter = newValue
                filter(by: newValue)
            }
        }
    }

    private func filter(by text: String) {
        pages.filter(containing: text) { $0.login.rawValue }
    }
}
