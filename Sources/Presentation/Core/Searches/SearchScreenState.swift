/// The state of a screen that shows the results of a query.
public protocol SearchScreenState<Row>: ListScreenState {
    /// The type of the query.
    associatedtype Query: Hashable & Sendable

    /// The query, as the person typed it.
    var query: Query { get }
    /// The fields of the query, in display order.
    var fields: [QueryField<Query>] { get }
    /// The reason why the text can't be searched for; `nil` if it can be, or if there is none.
    var hint: String? { get }
    /// The localized number of results; `nil` if it isn't known.
    var summary: String? { get }
    /// Whether a search begins after the pause.
    var isWaiting: Bool { get }
}

extension SearchScreenState {
    /// The default, `nil`: any text can be searched for.
    public var hint: String? { nil }
    /// The default, `nil`: the number of results isn't known.
    public var summary: String? { nil }
    /// The default, `false`: searches don't wait for a pause.
    public var isWaiting: Bool { false }
}
