import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A screen that searches for code repositories as a person types.
@MainActor
public final class RepoSearchViewModel: SearchViewModel {
    /// The title of the screen.
    public nonisolated static let title: Phrase = .repos

    /// The text, and the order of the results.
    public struct Query: Hashable, Sendable {
        /// The text that the person typed.
        public var text: String = ""
        /// The property that results are sorted by.
        public var sort: GitHub.RepoSearch.Sort = .bestMatch
        /// The direction in which results are sorted; the best match has one direction only.
        public var order: GitHub.RepoSearch.Order = .descending

        /// Creates an empty query.
        public init() {}

        /// Returns the fields of a query.
        static func fields(in texts: Texts) -> [QueryField<Query>] {
            let sorts = [
                ("best", texts(.bestMatch), GitHub.RepoSearch.Sort.bestMatch), ("stars", texts(.stars), .stars),
                ("forks", texts(.forks), .forks), ("updated", texts(.updated), .updated),
            ]
            let orders = [
                ("desc", texts(.descending), GitHub.RepoSearch.Order.descending),
                ("asc", texts(.ascending), .ascending),
            ]
            return [
                .text("q", texts(.searchText), \.text), .choice("sort", texts(.sort), \.sort, sorts),
                .choice("order", texts(.order), \.order, orders),
            ]
        }
    }

    /// The state of the screen; a repository that has the pasted address has no number of results.
    public typealias State = SearchState<Query, RepoRow>

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<RepoRow> { search.results.controls }

    private let store = StateStore(State(Query()))
    private let search: SearchController<Query, GitHub.RepoSearch, RepoRow>

    /// Creates the screen; the host is that of GitHub's website, on which repositories have
    /// addresses.
    package init(
        repository: any GitHub.RepoRepository,
        session: GitHub.SessionManager,
        options: ScreenOptions,
        webHost: String = "github.com"
    ) {
        let options = options.about(.gitHubSearch).withInput()
        let texts = options.texts
        let results = ListController(in: store, at: \.content, notice: \.notice, options: options)
        results.markStars(of: session)
        search = SearchController(results, in: store, title: texts(Self.title), fields: Query.fields(in: texts)) {
            texts.summary(of: $0, isIncomplete: $1)
        } reading: { query, hint in
            texts.searchText(query.text, hint: &hint).map { text in
                // The best match has one order, so the other one would repeat the request.
                let order = query.sort == .bestMatch ? .descending : query.order
                return GitHub.RepoSearch(text: text, sort: query.sort, order: order)
            }
        } begin: { search in
            results.begin(.keepUntilResponse, empty: texts.noResults(for: search.text.text)) {
                cursor throws(BrowseError) in
                let text = search.text.text
                // A search finds no address. With other words, it's a part of their text.
                if !text.contains(" "), let repo = ProfileAddress(in: text, host: webHost)?.repo {
                    return Page(items: [try await repository.details(named: repo.name, of: repo.owner).repo])
                }
                return try await repository.search(search, at: cursor)
            } row: {
                RepoRow($0)
            }
        }
    }

    /// The text, and the order of the results.
    ///
    /// A pasted address of a repository, or of a page in it, finds the repository.
    ///
    /// Setting the text searches after a pause of 300 ms, or clears the results if it's blank.
    /// Setting ``Query/sort`` searches again at once, and so does setting ``Query/order``, unless
    /// the sort is the best match. Responses to earlier queries are dropped.
    public var query: Query {
        get { search.query }
        set { search.query = newValue }
    }

    /// Searches at once, from the first page, even if the results are shown already.
    ///
    /// Blank text has a hint.
    public func submit() async {
        await search.submit()
    }
}
