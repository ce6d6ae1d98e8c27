import BrowseDomain

/// The texts and choices that a person filters a Rick and Morty list by; blank texts are ignored.
public protocol RickAndMortyQuery: Hashable, Sendable {
    /// The query in the form that the repository takes.
    associatedtype Filter: Hashable, Sendable
    /// A row of the list.
    associatedtype Row: ListRow

    /// Creates an empty query, which matches everything.
    init()

    /// Creates the query of a filter.
    init(_ filter: Filter)

    /// The query in the form that the repository takes.
    var filter: Filter { get }

    /// Returns whether a choice differs from an earlier query's. Choices apply without a pause.
    func isChosen(after old: Self) -> Bool
}

extension RickAndMortyQuery {
    /// Returns `false`, since all parts are typed.
    public func isChosen(after old: Self) -> Bool { false }
}

/// A screen with the characters, episodes, or locations that match a filter; by default all.
///
/// Use its type aliases ``CharacterListViewModel``, ``EpisodeListViewModel``, and ``LocationListViewModel``.
@MainActor
public final class RickAndMortyListViewModel<Query: RickAndMortyQuery>: ListViewModel {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The title of the screen.
        public var title: String = ""
        /// The filter, as the person typed it.
        public var query: Query = Query()
        /// Whether a load begins after the pause.
        public var isWaiting: Bool = false
        /// The rows and the status of the list.
        public var content: ListState<Query.Row> = ListState()
        /// A message beside the list, such as that a favorite couldn't be stored.
        public var notice: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<Query.Row> { pages.controls }

    let pages: ListController<Query.Row>
    private let store = StateStore(State())
    private let debouncer: SearchDebouncer<Query.Filter>

    init<Item: Sendable>(
        _ title: Phrase,
        options: ScreenOptions,
        page: @escaping @Sendable (Query.Filter, PageCursor?) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item, Texts) -> Query.Row
    ) {
        let options = options.about(.rickAndMorty)
        let texts = options.texts
        pages = ListController(in: store, at: \.content, notice: \.notice, options: options)
        debouncer = SearchDebouncer(pages, in: store, isWaiting: \.isWaiting, clock: options.clock) { [pages] filter in
            let isFiltered = filter != Query().filter
            return pages.begin(empty: texts.nothing(isFiltered: isFiltered)) { cursor throws(BrowseError) in
                try await page(filter, cursor)
            } row: {
                row($0, texts)
            }
        }
        store.state.title = texts(title)
    }

    /// Shows the list from its first page, with a filter; the default matches everything.
    public func show(_ filter: Query.Filter = Query().filter) async {
        await show(Query(filter))
    }

    /// Shows everything; if a query is shown already, only retries a failed or canceled load.
    ///
    /// Call it whenever the screen appears.
    public func showIfNeeded() async {
        if pages.hasBegun { await retry() } else { await show() }
    }

    /// The filter; setting a choice reloads at once, setting text after a pause of 300 ms.
    ///
    /// Responses to earlier queries are dropped.
    public var query: Query {
        get { state.query }
        set {
            guard newValue != state.query else { return }
            store.update { state in
                let isChosen = newValue.isChosen(after: state.query)
                state.query = newValue
                debouncer.type(newValue.filter, waits: !isChosen)
            }
        }
    }

    /// Loads the first page at once, even if its rows are shown already.
    public func submit() async {
        await show(state.query)
    }

    /// Clears the filter without a pause.
    public func clearFilter() async {
        await show()
    }

    private func show(_ query: Query) async {
        let load = store.update { state in
            state.query = query
            return debouncer.submit(query.filter)
        }
        await load?()
    }
}
