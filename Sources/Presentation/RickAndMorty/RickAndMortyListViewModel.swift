import BrowseDomain
@_spi(Services) public import BrowsePresentation
public import BrowseRickAndMortyDomain

/// A screen with the characters that match a filter; by default all.
public typealias CharacterListViewModel = RickAndMortyListViewModel<CharacterRow>
/// A screen with the episodes that match a filter; by default all.
public typealias EpisodeListViewModel = RickAndMortyListViewModel<EpisodeRow>
/// A screen with the locations that match a filter; by default all.
public typealias LocationListViewModel = RickAndMortyListViewModel<LocationRow>

/// A screen with the characters, episodes, or locations that match a filter; by default all.
@MainActor
public final class RickAndMortyListViewModel<Row: RickAndMortyRow>: SearchViewModel {
    /// The filter of the list.
    public typealias Filter = Row.Entity.Filter

    /// The state of the screen.
    public typealias State = SearchState<Filter, Row>

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<Row> { search.results.controls }

    private let store = StateStore(State(Filter()))
    private let search: SearchController<Filter, Filter, Row>

    /// Creates the screen; ``show(_:)`` loads it.
    package init(repository: any RickAndMorty.Repository<Row.Entity>, options: ScreenOptions) {
        let options = options.about(.rickAndMorty)
        let texts = options.texts
        let title = texts(Row.listTitle)
        let fields = Row.fields(in: texts)
        search = SearchController(in: store, title: title, fields: fields, options: options) { filter, hint in
            // The API's server refuses addresses of 2,000 bytes, and a character can take twelve.
            let excess = fields.reduce(-150) { $1.input == .text ? $0 + $1.value(in: filter).unicodeScalars.count : $0 }
            if excess > 0 { hint = texts(.searchTooLong(by: excess, limit: 150)) }
            return excess > 0 ? nil : filter
        } empty: { filter in
            filter == Filter() ? texts.noRows(.nothing) : texts.noMatches
        } page: { filter, cursor throws(BrowseError) in
            try await repository.page(of: filter, at: cursor)
        } row: {
            Row($0, texts: texts)
        }
    }

    /// Shows the list from its first page, with a filter; the default matches everything.
    public func show(_ filter: Filter = Filter()) async {
        await search.submit(filter)
    }

    /// Shows the query's matches when the screen appears; if they are shown, only calls `retry()`.
    public func showIfNeeded() async {
        if search.results.hasBegun { await retry() } else { await submit() }
    }

    /// The filter; setting a choice reloads at once, setting text after a pause of 300 ms.
    ///
    /// Responses to earlier queries are dropped. Texts of more than 150 characters together have a
    /// hint, and aren't sent.
    public var query: Filter {
        get { search.query }
        set { search.query = newValue }
    }

    /// Loads the first page at once, even if its rows are shown already.
    public func submit() async { await search.submit() }
}
