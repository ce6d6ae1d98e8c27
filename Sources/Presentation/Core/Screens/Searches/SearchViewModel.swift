/// A view model whose screen shows the results of a query.
///
/// Make a form from the fields in its state, and set the query as a person types:
///
/// ```swift
/// search.query = field.setting(text, in: search.query)
/// ```
@MainActor
public protocol SearchViewModel: ListViewModel where State: SearchScreenState {
    /// The query.
    ///
    /// Setting it updates the results of screens that search while a person types, or clears them
    /// if there is nothing to search for; ``submit()`` searches on every screen. Screens that send
    /// a request for each query wait for a pause of 300 ms if only text changes. Responses to
    /// earlier queries are dropped.
    var query: State.Query { get set }

    /// Loads the first page of results at once, even if its rows are shown already.
    func submit() async
}

extension SearchViewModel {
    /// Clears all fields that can be empty, and searches at once.
    public func clearFilter() async {
        query = state.fields.reduce(query) { $1.setting("", in: $0) }
        await submit()
    }
}

/// The state of a screen that shows the results of a query, for screens without a state of their
/// own.
public struct SearchState<Query: Hashable & Sendable, Row: ListRow>: SearchScreenState {
    /// The localized title of the screen.
    public var title: String = ""
    /// The query, as the person typed it.
    public var query: Query
    /// The fields of the query, in display order.
    public var fields: [QueryField<Query>] = []
    /// The reason why the text can't be searched for; `nil` if there is none.
    ///
    /// Blank text has none until it's submitted.
    public var hint: String?
    /// Whether a search begins after the pause.
    public var isWaiting: Bool = false
    /// The number of results on the server; `nil` if it isn't known.
    public var totalCount: Int?
    /// The localized number of results, and whether some of them are missing; `nil` with
    /// ``totalCount``.
    public var summary: String?
    /// The rows and the status of the list.
    public var content: ListState<Row> = ListState()
    /// A message beside the list, such as that a favorite couldn't be stored.
    public var notice: Message?

    /// Creates the state of a screen that shows nothing yet.
    public init(_ query: Query) { self.query = query }
}
