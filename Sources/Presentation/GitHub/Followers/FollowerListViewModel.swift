public import BrowseDomain

/// The screen with the followers of an account, or those it follows, page by page.
@MainActor
public final class FollowerListViewModel: ListViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Whose followers, or whom they follow; `nil` before ``FollowerListViewModel/show(_:)``.
        public var list: GitHub.FollowList?
        /// The screen's title.
        public var title: String = ""
        /// What the person filters by; empty shows all.
        public var filter: String = ""
        /// The rows, and what the list is doing.
        public var content: ListState<UserRow> = ListState()
        /// Something to tell beside the list, such as that a favorite could not be stored.
        public var notice: Message?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list.
    public var list: ListControls<UserRow> { pages.controls }

    private let store = StateStore(State())
    private let pages: ListController<UserRow>
    private let repository: any GitHub.FollowerRepository
    private let texts: Texts
    private let pageConcurrency: Int

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where followers come from.
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - pageConcurrency: How many pages ``loadAll()`` may have in flight at once, 1 to 100.
    public init(
        repository: any GitHub.FollowerRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        pageConcurrency: Int = 4
    ) {
        self.repository = repository
        self.texts = texts
        self.pageConcurrency = pageConcurrency
        pages = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts,
            policy: policy,
            prefetchDistance: prefetchDistance
        )
        pages.markFavorites(in: favorites)
    }

    /// Starts over with a list: its title, no filter, no rows, then its first page.
    public func show(_ list: GitHub.FollowList) async {
        let load = store.update { state in
            state = State()
            state.list = list
            state.title =
                switch list {
                case .followers(let login): texts(.followersTitle(login))
                case .following(let login): texts(.followingTitle(login))
                }
            pages.filter(nil)
            return pages.begin(empty: texts.emptyList(list)) { [repository] cursor throws(BrowseError) in
                try await repository.page(of: list, at: cursor)
            } row: {
                UserRow($0)
            }
        }
        await load()
    }

    /// Loads every remaining page, several at a time where the server tells how many there are.
    ///
    /// Rows appear as their pages arrive, in order. It waits for a page that is in flight first. After a cancellation or a
    /// failure the rows stay, and `loadMore()`, `retry()`, or this method continue after them.
    public func loadAll() async {
        guard let list = state.list else { return }
        await pages.loadAll { [repository, pageConcurrency] cursor, receive throws(BrowseError) in
            try await repository.pages(of: list, from: cursor, concurrency: pageConcurrency, receive: receive)
        } row: {
            UserRow($0)
        }
    }

    /// A part of the login, in any case; setting it filters the rows that are loaded and those that will be.
    public var filter: String {
        get { state.filter }
        set {
            store.update { state in
                state.filter = newValue
                let match = TextMatch(newValue)
                guard !match.matchesEverything else { return pages.filter(nil) }
                pages.filter { match.matches($0.login.rawValue) }
            }
        }
    }
}
