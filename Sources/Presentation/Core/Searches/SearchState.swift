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
    /// The localized number of results, and whether some of them are missing.
    ///
    /// It's `nil` with ``totalCount``, except in a search that shows only the first results of an
    /// unknown number.
    public var summary: String?
    /// The rows and the status of the list.
    public var content: ListState<Row> = ListState()
    /// A message beside the list, such as that a favorite couldn't be stored.
    public var notice: Message?

    /// Creates the state of a screen that shows nothing yet.
    public init(_ query: Query) { self.query = query }
}
