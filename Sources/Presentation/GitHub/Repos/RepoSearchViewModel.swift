package import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A screen that searches for code repositories as a person types.
@MainActor
public final class RepoSearchViewModel: ListViewModel, StarringList {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The text that the person typed.
        public var query: String = ""
        /// The property that results are sorted by.
        public var sort: GitHub.RepoSearch.Sort = .bestMatch
        /// The direction in which results are sorted.
        public var order: GitHub.RepoSearch.Order = .descending
        /// The reason why the text can't be searched for; `nil` for valid or blank text.
        public var hint: String?
        /// Whether a search begins after the pause.
        public var isWaiting: Bool = false
        /// The number of results on GitHub; `nil` before the first page.
        public var totalCount: Int?
        /// The localized number of results, and whether some of them are missing; `nil` before the first page.
        public var summary: String?
        /// The rows and the status of the list.
        public var content: ListState<RepoRow> = ListState()
        /// A message beside the list, such as that a star couldn't be stored.
        public var notice: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<RepoRow> { results.controls }
    /// The stars of the rows.
    public let stars: StarControls

    private let store = StateStore(State())
    private let results: ListController<RepoRow>
    private let debouncer: SearchDebouncer<GitHub.RepoSearch>
    private let texts: Texts

    package init(
        searchRepos: GitHub.SearchRepos,
        favorites: any FavoriteRepository,
        session: GitHub.SessionManager,
        options: ScreenOptions
    ) {
        let options = options.about(.gitHubSearch)
        texts = options.texts
        results = ListController(in: store, at: \.content, notice: \.notice, options: options)
        results.markFavorites(in: favorites)
        let marks = results.markStars(in: session)
        stars = StarControls(marks: marks)
        let totals = SearchTotals(of: results, in: store, count: \.totalCount, summary: \.summary)
        debouncer = SearchDebouncer(results, in: store, isWaiting: \.isWaiting, clock: options.clock) { search in
            totals.begin(search.text) { cursor throws(BrowseError) in
                try await searchRepos(search, at: cursor)
            } rows: {
                marks.rows(of: $0, from: $1)
            }
        }
    }

    /// The text that the person typed.
    ///
    /// Setting it searches after a pause of 300 ms, or clears the results if it's blank. Responses to earlier texts are dropped.
    public var query: String {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            search(waits: true) { $0.query = newValue }
        }
    }

    /// The property that results are sorted by; setting it searches again at once.
    public var sort: GitHub.RepoSearch.Sort {
        get { state.sort }
        set { search(waits: false) { $0.sort = newValue } }
    }

    /// The direction in which results are sorted; setting it searches again at once.
    public var order: GitHub.RepoSearch.Order {
        get { state.order }
        set { search(waits: false) { $0.order = newValue } }
    }

    /// Searches at once, from the first page, even if the results are shown already.
    public func submit() async {
        let load = store.update { debouncer.submit(search(&$0)) }
        await load?()
    }

    private func search(waits: Bool, _ change: (inout State) -> Void) {
        store.update { state in
            change(&state)
            debouncer.type(search(&state), waits: waits)
        }
    }

    private func search(_ state: inout State) -> GitHub.RepoSearch? {
        texts.searchText(state.query, hint: &state.hint).map {
            // The best match has one order, so the other one would repeat the request.
            GitHub.RepoSearch(text: $0, sort: state.sort, order: state.sort == .bestMatch ? .descending : state.order)
        }
    }
}
