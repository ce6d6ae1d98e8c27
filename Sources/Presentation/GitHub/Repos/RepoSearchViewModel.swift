public import BrowseDomain

/// The screen where code repositories are searched for as a person types.
@MainActor
public final class RepoSearchViewModel: ListViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What was typed.
        public var query: String = ""
        /// What results are ordered by.
        public var sort: GitHub.RepoSearch.Sort = .bestMatch
        /// In which direction.
        public var order: GitHub.RepoSearch.Order = .descending
        /// What is wrong with the text; `nil` when nothing is, or nothing was typed.
        public var hint: String?
        /// Whether a search begins when the person pauses.
        public var isWaiting: Bool = false
        /// How many results there are in all; `nil` before the first page.
        public var totalCount: Int?
        /// The count in words, with what of it cannot be seen.
        public var summary: String?
        /// The rows, and what the list is doing.
        public var content: ListState<RepoRow> = ListState()
        /// Something to tell beside the list, such as that a favorite could not be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list.
    public var list: ListControls<RepoRow> { results.controls }

    private let store = StateStore(State())
    private let results: ListController<RepoRow>
    private let totals = SearchTotals()
    private let debouncer: SearchDebouncer<GitHub.RepoSearch>
    private let texts: Texts

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - searchRepos: Finds code repositories.
    ///   - favorites: Where favorites are stored.
    ///   - session: Who is signed in, and what they have starred.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which a search begins.
    public init(
        searchRepos: GitHub.SearchRepos,
        favorites: any FavoriteRepository,
        session: GitHub.SessionManager,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.texts = texts
        results = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts.about(.gitHubSearch),
            policy: policy,
            prefetchDistance: prefetchDistance
        )
        results.markFavorites(in: favorites)
        let stars = results.markStars(in: session)
        debouncer = SearchDebouncer(results, clock: clock)
        debouncer.begin = { [results, totals] search in
            results.begin(search.text, totals: totals) { cursor throws(BrowseError) in
                try await searchRepos(search, at: cursor)
            } rows: { [weak stars] page, provenance in
                stars?.rows(of: page, from: provenance) ?? Page(items: [])
            }
        }
        store.addPart { [texts, totals, weak self] state in
            guard let self else { return }
            state.isWaiting = debouncer.isWaiting
            state.totalCount = results.hasBegun ? totals.count : nil
            state.summary = state.totalCount == nil ? nil : totals.summary(texts)
        }
    }

    /// What the person typed; setting it searches when they pause for 300 ms, or clears the results when it is blank.
    ///
    /// Responses to older texts are dropped.
    public var query: String {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            search(waits: true) { $0.query = newValue }
        }
    }

    /// What results are ordered by; setting it searches again at once.
    public var sort: GitHub.RepoSearch.Sort {
        get { state.sort }
        set { search(waits: false) { $0.sort = newValue } }
    }

    /// In which direction; setting it searches again at once.
    public var order: GitHub.RepoSearch.Order {
        get { state.order }
        set { search(waits: false) { $0.order = newValue } }
    }

    /// Searches at once, from the first page, also for a text whose results are there already.
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

    /// The search of a state; `nil` when it has none, with a hint if something is wrong with its text.
    private func search(_ state: inout State) -> GitHub.RepoSearch? {
        do throws(GitHub.SearchText.ValidationError) {
            state.hint = nil
            let text = try GitHub.SearchText(state.query)
            return GitHub.RepoSearch(text: text, sort: state.sort, order: state.order)
        } catch {
            state.hint = texts.hint(for: error)
            return nil
        }
    }
}
