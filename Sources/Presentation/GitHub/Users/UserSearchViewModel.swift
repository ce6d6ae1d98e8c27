package import BrowseDomain
package import BrowseGitHubDomain
public import BrowsePresentation

/// A screen that searches for accounts as a person types, on GitHub or in the favorites.
@MainActor
public final class UserSearchViewModel: SearchViewModel {
    /// The title of the screen.
    public nonisolated static let title: Phrase = Phrase("users.title", "Users", ko: "사용자")

    /// The place to search. Both scopes share the text.
    public enum Scope: Hashable, Sendable {
        /// All of GitHub.
        case gitHub
        /// The favorites, without a request; blank text shows all.
        ///
        /// An `@` before a name is ignored, and the address of a profile means its name.
        case favorites
    }

    /// The text, and the place to search.
    public struct Query: Hashable, Sendable {
        /// The text that the person typed.
        public var text: String = ""
        /// The place to search.
        public var scope: Scope = .gitHub

        /// Creates an empty query.
        public init() {}

        /// Returns the fields of a query.
        static func fields(in texts: Texts) -> [QueryField<Query>] {
            let scopes = [
                ("github", texts(.gitHub), Scope.gitHub), ("favorites", texts(FavoriteListViewModel.title), .favorites),
            ]
            return [.text("q", texts(.searchText), \.text), .choice("scope", texts(.scope), \.scope, scopes)]
        }
    }

    /// The state of the screen; in the favorites, it has no hint and no number of results.
    ///
    /// An account that was found by its pasted address has no number of results either.
    public typealias State = SearchState<Query, UserRow>

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list in the current scope.
    public var list: ListControls<UserRow> { (state.query.scope == .gitHub ? search.results : saved).controls }

    private let store = StateStore(State(Query()))
    private let saved: ListController<UserRow>
    private let feed: FavoriteFeed<UserRow>
    private let search: SearchController<Query, GitHub.SearchText, UserRow>
    private let texts: Texts
    private let webHost: String

    /// Creates the screen; the host is that of GitHub's website, on which profiles have addresses.
    package init(
        repository: any GitHub.UserRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions,
        webHost: String = "github.com"
    ) {
        let texts = options.texts
        (self.texts, self.webHost) = (texts, webHost)
        let results = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            options: options.about(.gitHubSearch).withInput(),
            isShown: { $0.query.scope == .gitHub }
        )
        saved = ListController(in: store, at: \.content, notice: \.notice, options: options) {
            $0.query.scope == .favorites
        }
        feed = FavoriteFeed(favorites, in: saved) { favorite in
            // One that a newer version stored may not be decodable, but its title is the login.
            let user =
                favorite.value()
                ?? UserRow.id(of: favorite.id).map {
                    GitHub.User(id: $0, login: GitHub.Login(favorite.title), avatar: favorite.image)
                }
            return user.map { UserRow($0) }
        }
        search = SearchController(results, in: store, title: texts(Self.title), fields: Query.fields(in: texts)) {
            texts.summary(of: $0, isIncomplete: $1)
        } reading: { query, hint in
            texts.searchText(query.text, hint: &hint)
        } begin: { text in
            results.begin(.keepUntilResponse, empty: results.texts.noResults(for: text.text)) {
                cursor throws(BrowseError) in
                if !text.text.contains(" "), let login = ProfileAddress(in: text.text, host: webHost)?.login {
                    return Page(items: [try await repository.profile(of: login).user])
                }
                return try await repository.search(for: text, at: cursor)
            } row: {
                UserRow($0)
            }
        }
        store.addPart { state in
            if state.query.scope == .favorites { (state.hint, state.totalCount, state.summary) = (nil, nil, nil) }
        }
    }

    /// The text, and the place to search.
    ///
    /// Setting the text searches GitHub after a pause of 300 ms, or clears the results if it's
    /// blank; responses to earlier texts are dropped. The favorites are filtered at once. Another
    /// place is searched at once, unless its results are up to date.
    public var query: Query {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            guard newValue.scope == .favorites else { return search.query = newValue }
            store.update { [self] state in
                state.query = newValue
                // A search that waits for the pause must not query GitHub now.
                search.stopWaiting()
                filterSaved(newValue).keep()
            }
        }
    }

    /// Searches at once, from the first page, even if the results are shown already.
    ///
    /// On GitHub, blank text has a hint.
    public func submit() async {
        if state.query.scope == .gitHub { return await search.submit() }
        await store.load { filterSaved($0.query) }
    }

    private func filterSaved(_ query: Query) -> ScreenLoad {
        let text = TypedText(query.text).text
        let name = ProfileAddress(in: text, host: webHost)?.login?.rawValue ?? String(text.drop { "@＠".contains($0) })
        let query = FavoriteQuery(kinds: [.user], filter: name, order: .name)
        return feed.begin(query, empty: query.filter.isEmpty ? texts.noFavorites : texts.noMatches)
    }
}
