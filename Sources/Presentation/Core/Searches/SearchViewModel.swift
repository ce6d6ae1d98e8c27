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
