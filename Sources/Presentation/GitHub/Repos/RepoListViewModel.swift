package import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A screen with the public repositories of an account, or the user's own or starred ones.
@MainActor
public final class RepoListViewModel: ListViewModel {
    /// The state of the screen, whose selection is the kind of list.
    public typealias State = PagedListState<GitHub.RepoList, RepoRow>

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    ///
    /// Refreshing the user's starred repositories also updates the stars in all other lists.
    public var list: ListControls<RepoRow> { pages.controls }

    private let store = StateStore(State())
    private let pages: ListController<RepoRow>
    private let marks: StarMarks
    private let repository: any GitHub.RepoRepository
    private let texts: Texts

    /// Creates the screen; ``show(_:)`` loads it.
    package init(
        repository: any GitHub.RepoRepository,
        favorites: any FavoriteRepository,
        session: GitHub.SessionManager,
        options: ScreenOptions
    ) {
        self.repository = repository
        let options = options.about(.gitHub)
        texts = options.texts
        pages = ListController(in: store, at: \.content, notice: \.notice, options: options)
        pages.markFavorites(in: favorites)
        marks = StarMarks(session: session, list: pages)
        store.addPart { [weak self] in self?.explainRefusal(&$0) }
    }

    /// Replaces the screen's content with another list, and loads its first page.
    public func show(_ list: GitHub.RepoList) async {
        let load = store.update { state in
            state = State()
            state.selection = list
            state.title =
                switch list {
                case .publicRepos(let login): texts(.publicReposTitle(login))
                case .own: texts(.ownReposTitle)
                case .starred: texts(.starredReposTitle)
                }
            marks.repoList = list
            return pages.begin(empty: texts.emptyList(list)) { [repository, marks] cursor throws(BrowseError) in
                let start = marks.stars.beginRead()
                return (start, try await repository.page(of: list, at: cursor))
            } accept: { [marks] response, provenance in
                marks.rows(of: response.1, readAt: response.0, from: provenance)
            }
        }
        await load()
    }

    /// Shows a list; if it's shown already, only calls `retry()`.
    ///
    /// Call it whenever the screen appears.
    public func showIfNeeded(_ list: GitHub.RepoList) async {
        if state.selection == list { await retry() } else { await show(list) }
    }

    /// If a list without rows failed because the session ended, shows why it ended.
    private func explainRefusal(_ state: inout State) {
        guard case .failed(.unauthorized) = pages.pagedList.phase, pages.pagedList.loadedCount == 0,
            let reason = marks.signOutReason
        else { return }
        state.content.status = .failed(texts.message(for: reason))
    }
}
