public import BrowseDomain

/// The screen with an account's public repositories, one's own, or those one has starred.
@MainActor
public final class RepoListViewModel: ListViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// Whose code repositories; `nil` before ``RepoListViewModel/show(_:)``.
        public var list: GitHub.RepoList?
        /// The screen's title.
        public var title: String = ""
        /// The rows, and what the list is doing.
        public var content: ListState<RepoRow> = ListState()
        /// Something to tell beside the list, such as that a favorite could not be stored.
        public var notice: Message?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list.
    ///
    /// Refreshing one's starred repositories also updates the stars that all other lists show.
    public var list: ListControls<RepoRow> { pages.controls }

    private let store = StateStore(State())
    private let pages: ListController<RepoRow>
    private let stars: StarMarks
    private let repository: any GitHub.RepoRepository
    private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    ///
    /// - Parameters:
    ///   - repository: Where code repositories come from.
    ///   - favorites: Where favorites are stored.
    ///   - session: Who is signed in, and what they have starred.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    public init(
        repository: any GitHub.RepoRepository,
        favorites: any FavoriteRepository,
        session: GitHub.SessionManager,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10
    ) {
        self.repository = repository
        self.texts = texts
        pages = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts,
            policy: policy,
            prefetchDistance: prefetchDistance
        )
        pages.markFavorites(in: favorites)
        stars = pages.markStars(in: session)
        store.addPart { [weak self] in self?.explainRefusal(&$0) }
    }

    /// Starts over with a list.
    public func show(_ list: GitHub.RepoList) async {
        let load = store.update { state in
            state = State()
            state.list = list
            state.title =
                switch list {
                case .publicRepos(let login): texts(.publicReposTitle(login))
                case .own: texts(.ownReposTitle)
                case .starred: texts(.starredReposTitle)
                }
            stars.repoList = list
            return pages.begin(empty: texts.emptyList(list)) { [repository] cursor throws(BrowseError) in
                try await repository.page(of: list, at: cursor)
            } accept: { [weak stars] page, provenance in
                stars?.rows(of: page, from: provenance) ?? Page(items: [])
            }
        }
        await load()
    }

    /// Without rows, a refusal is explained by why nobody is signed in.
    private func explainRefusal(_ state: inout State) {
        if case .failed(.unauthorized) = pages.list.phase, pages.list.loadedCount == 0, let reason = stars.signOutReason
        {
            state.content.status = .failed(texts.message(for: reason))
        }
    }
}
