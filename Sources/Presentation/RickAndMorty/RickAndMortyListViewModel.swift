import BrowseDomain

/// What a person looks for in a list of the Rick and Morty API, as they typed it; blank texts are nothing.
public protocol RickAndMortyQuery: Hashable, Sendable {
    /// The query as the repository takes it.
    associatedtype Filter: Hashable, Sendable
    /// A row of the list.
    associatedtype Row: ListRow

    /// The query that everything passes.
    init()

    /// The query of a filter.
    init(_ filter: Filter)

    /// The query as the repository takes it.
    var filter: Filter { get }
    /// Whether everything passes.
    var isEmpty: Bool { get }

    /// Whether the query differs from another in what was chosen instead of typed; a choice doesn't wait for a pause.
    func isChosen(after old: Self) -> Bool
}

extension RickAndMortyQuery {
    /// Everything is typed.
    public func isChosen(after old: Self) -> Bool { false }
}

/// The screen with all characters, episodes, or locations, or those that a person looks for.
///
/// ``CharacterListViewModel``, ``EpisodeListViewModel``, and ``LocationListViewModel`` are its names.
@MainActor
public final class RickAndMortyListViewModel<Search: RickAndMortyQuery>: ListViewModel {
    /// What the person looks for.
    public typealias Query = Search
    /// A row of the list.
    public typealias Row = Search.Row

    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// The screen's title.
        public var title: String = ""
        /// What the person looks for.
        public var query: Query = Query()
        /// Whether a load begins when the person pauses.
        public var isWaiting: Bool = false
        /// The rows, and what the list is doing.
        public var content: ListState<Row> = ListState()
        /// Something to tell beside the list, such as that a favorite could not be stored.
        public var notice: Message?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list.
    public var list: ListControls<Row> { pages.controls }

    let pages: ListController<Row>
    private let store = StateStore(State())
    private let debouncer: SearchDebouncer<Search.Filter>

    /// Creates the screen; showing a filter fills it.
    init<Item: Sendable>(
        title: String,
        texts: Texts,
        policy: LoadPolicy,
        prefetchDistance: Int,
        clock: any Clock<Duration>,
        page: @escaping @Sendable (Search.Filter, PageCursor?) async throws(BrowseError) -> Page<Item>,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) {
        pages = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts,
            policy: policy,
            prefetchDistance: prefetchDistance
        )
        debouncer = SearchDebouncer(pages, clock: clock)
        debouncer.begin = { [pages] filter in
            let isFiltered = !Query(filter).isEmpty
            return pages.begin(empty: texts.nothing(isFiltered: isFiltered)) { cursor throws(BrowseError) in
                try await page(filter, cursor)
            } row: {
                row($0)
            }
        }
        store.state.title = title
        store.addPart { [weak debouncer] in $0.isWaiting = debouncer?.isWaiting ?? false }
    }

    /// Starts over with everything that passes a filter.
    public func show(_ filter: Search.Filter) async {
        await show(Query(filter))
    }

    /// Starts over with everything.
    public func show() async {
        await show(Query())
    }

    /// What the person looks for; setting it starts over: texts count when the person pauses for 300 ms, choices at once.
    ///
    /// Responses to earlier queries are dropped. An empty query shows everything.
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

    /// Loads the query at once, from the first page, also when its results are there already.
    public func submit() async {
        await show(state.query)
    }

    /// Shows everything, at once.
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
