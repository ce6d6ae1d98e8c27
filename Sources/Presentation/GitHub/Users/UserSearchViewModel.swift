public import BrowseDomain

/// The screen where accounts are searched for as a person types, on GitHub or among the favorites.
@MainActor
public final class UserSearchViewModel: ListViewModel {
    /// Where to search; both share the text.
    public enum Scope: Hashable, Sendable, CaseIterable {
        /// All of GitHub.
        case gitHub
        /// What is kept; it never asks the network, and a blank text shows all.
        case favorites
    }

    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What was typed.
        public var query: String = ""
        /// Where to search.
        public var scope: Scope = .gitHub
        /// What is wrong with the text; `nil` when nothing is, or nothing was typed.
        public var hint: String?
        /// Whether a search begins when the person pauses.
        public var isWaiting: Bool = false
        /// How many results there are in all; `nil` before the first page and among the favorites.
        public var totalCount: Int?
        /// The count in words, with what of it cannot be seen.
        public var summary: String?
        /// The rows, and what the list is doing.
        public var content: ListState<UserRow> = ListState()
        /// Something to tell beside the list, such as that a favorite could not be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list of the scope.
    public var list: ListControls<UserRow> { state.scope == .gitHub ? results.controls : saved.controls }

    private let store = StateStore(State())
    private let results: ListController<UserRow>
    private let saved: ListController<UserRow>
    private let feed: FavoriteFeed<UserRow>
    private let totals = SearchTotals()
    private let debouncer: SearchDebouncer<GitHub.SearchText>
    private let texts: Texts

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - searchUsers: Finds accounts on GitHub.
    ///   - favorites: Where favorites are stored.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    ///   - prefetchDistance: How close to the end a visible row must be for the next page to be loaded, in rows.
    ///   - clock: Measures the pause after which a search begins.
    public init(
        searchUsers: GitHub.SearchUsers,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.texts = texts
        let tracker = FavoriteTracker(repository: favorites)
        results = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts.about(.gitHubSearch),
            policy: policy,
            prefetchDistance: prefetchDistance
        ) {
            $0.scope == .gitHub
        }
        results.markFavorites(by: tracker)
        saved = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts,
            prefetchDistance: prefetchDistance
        ) {
            $0.scope == .favorites
        }
        feed = FavoriteFeed(favorites, tracker: tracker, list: saved, readsAll: true) { favorite in
            favorite.value(as: GitHub.User.self).map { UserRow($0) }
        }
        debouncer = SearchDebouncer(results, clock: clock)
        debouncer.begin = { [results, totals] text in
            results.begin(text, totals: totals) { cursor throws(BrowseError) in
                try await searchUsers(matching: text, at: cursor)
            } rows: { page, _ in
                page.map { UserRow($0) }
            }
        }
        store.addPart { [weak self] in self?.write(to: &$0) }
    }

    /// What the person typed; setting it searches when they pause for 300 ms, or clears the results when it is blank.
    ///
    /// Responses to older texts are dropped. Among the favorites it filters at once.
    public var query: String {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            store.update { state in
                state.query = newValue
                search(&state, waits: true)
            }
        }
    }

    /// Where to search; setting it searches for the same text there, unless its results are there already.
    public var scope: Scope {
        get { state.scope }
        set {
            guard newValue != state.scope else { return }
            store.update { state in
                state.scope = newValue
                search(&state, waits: false)
            }
        }
    }

    /// Searches at once, from the first page, also for a text whose results are there already.
    public func submit() async {
        let load = store.update { state in
            switch state.scope {
            case .gitHub: debouncer.submit(text(&state))
            case .favorites: filterSaved(state)
            }
        }
        await load?()
    }
}

extension UserSearchViewModel {
    private func search(_ state: inout State, waits: Bool) {
        switch state.scope {
        case .gitHub: debouncer.type(text(&state), waits: waits)
        case .favorites:
            // A search that waits for a pause would query GitHub after the person turned away from it.
            debouncer.stopWaiting()
            feed.runInBackground(filterSaved(state))
        }
    }

    /// The text as a search; `nil` when it is none, with a hint if something is wrong with it.
    private func text(_ state: inout State) -> GitHub.SearchText? {
        do throws(GitHub.SearchText.ValidationError) {
            state.hint = nil
            return try GitHub.SearchText(state.query)
        } catch {
            state.hint = texts.hint(for: error)
            return nil
        }
    }

    private func filterSaved(_ state: State) -> ListLoad {
        let query = FavoriteQuery(kinds: [.user], filter: state.query.trimmed, order: .name)
        return feed.begin(query, empty: query.filter.isEmpty ? texts.noFavorites : texts.noMatches)
    }

    private func write(to state: inout State) {
        let isGitHub = state.scope == .gitHub
        if !isGitHub { state.hint = nil }
        state.isWaiting = isGitHub && debouncer.isWaiting
        state.totalCount = isGitHub && results.hasBegun ? totals.count : nil
        state.summary = state.totalCount == nil ? nil : totals.summary(texts)
    }
}
