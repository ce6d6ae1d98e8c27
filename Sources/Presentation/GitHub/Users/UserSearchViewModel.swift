@_spi(Services) package import BrowseDomain
package import BrowseGitHubDomain
public import BrowsePresentation

/// A screen that searches for accounts as a person types, on GitHub or in the favorites.
@MainActor
public final class UserSearchViewModel: ListViewModel {
    /// The place to search. Both scopes share the text.
    public enum Scope: Hashable, Sendable, CaseIterable {
        /// All of GitHub.
        case gitHub
        /// The favorites, without a request; blank text shows all.
        case favorites
    }

    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The text that the person typed.
        public var query: String = ""
        /// The place to search.
        public var scope: Scope = .gitHub
        /// The reason why the text can't be searched for; `nil` for valid or blank text.
        public var hint: String?
        /// Whether a search begins after the pause.
        public var isWaiting: Bool = false
        /// The number of results on GitHub; `nil` before the first page, and in the favorites.
        public var totalCount: Int?
        /// The localized number of results, and whether some of them are missing; `nil` with ``totalCount``.
        public var summary: String?
        /// The rows and the status of the list.
        public var content: ListState<UserRow> = ListState()
        /// A message beside the list, such as that a favorite couldn't be stored.
        public var notice: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list in the current scope.
    public var list: ListControls<UserRow> { state.scope == .gitHub ? results.controls : saved.controls }

    private let store = StateStore(State())
    private let results: ListController<UserRow>
    private let saved: ListController<UserRow>
    private let feed: FavoriteFeed<UserRow>
    private let debouncer: SearchDebouncer<GitHub.SearchText>
    private let texts: Texts

    package init(searchUsers: GitHub.SearchUsers, favorites: any FavoriteRepository, options: ScreenOptions) {
        texts = options.texts
        results = ListController(in: store, at: \.content, notice: \.notice, options: options.about(.gitHubSearch)) {
            $0.scope == .gitHub
        }
        saved = ListController(in: store, at: \.content, notice: \.notice, options: options.uncached) {
            $0.scope == .favorites
        }
        feed = FavoriteFeed(favorites, in: saved, marking: results) { favorite in
            favorite.value(as: GitHub.User.self).map { UserRow($0) }
        }
        let totals = SearchTotals(of: results, in: store, count: \.totalCount, summary: \.summary)
        debouncer = SearchDebouncer(results, in: store, isWaiting: \.isWaiting, clock: options.clock) { text in
            totals.begin(text) { cursor throws(BrowseError) in
                try await searchUsers(matching: text, at: cursor)
            } rows: { page, _ in
                page.map { UserRow($0) }
            }
        }
        store.addPart { state in
            if state.scope == .favorites { (state.hint, state.totalCount, state.summary) = (nil, nil, nil) }
        }
    }

    /// The text that the person typed.
    ///
    /// Setting it searches GitHub after a pause of 300 ms, or clears the results if it's blank; responses to earlier texts are
    /// dropped. The favorites are filtered at once.
    public var query: String {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            search(waits: true) { $0.query = newValue }
        }
    }

    /// The place to search; setting it searches there at once, unless its results are up to date.
    public var scope: Scope {
        get { state.scope }
        set {
            guard newValue != state.scope else { return }
            search(waits: false) { $0.scope = newValue }
        }
    }

    /// Searches at once, from the first page, even if the results are shown already.
    public func submit() async {
        let load = store.update { state in
            switch state.scope {
            case .gitHub: debouncer.submit(texts.searchText(state.query, hint: &state.hint))
            case .favorites: filterSaved(state)
            }
        }
        await load?()
    }

    private func search(waits: Bool, _ change: (inout State) -> Void) {
        store.update { state in
            change(&state)
            switch state.scope {
            case .gitHub: debouncer.type(texts.searchText(state.query, hint: &state.hint), waits: waits)
            case .favorites:
                // A search that waits for the pause must not query GitHub now.
                debouncer.stopWaiting()
                filterSaved(state).keep()
            }
        }
    }

    private func filterSaved(_ state: State) -> ScreenLoad {
        let query = FavoriteQuery(kinds: [.user], filter: state.query.trimmed, order: .name)
        return feed.begin(query, empty: query.filter.isEmpty ? texts.noFavorites : texts.noMatches)
    }
}
