import BrowseDomain
import BrowseGitHubDomain
import BrowsePresentation

/// The totals that GitHub reports with each page of a search.
@MainActor
final class SearchTotals<Row: ListRow> {
    private let results: ListController<Row>
    /// The number of results; `nil` before the first page.
    private var count: Int?
    private var isIncomplete = false

    init<Query>(of results: ListController<Row>, in store: StateStore<SearchState<Query, Row>>) {
        self.results = results
        store.addPart { [self, texts = results.texts] state in
            let count = results.hasBegun ? count : nil
            state.totalCount = count
            state.summary = count.map { texts.summary(of: $0, isIncomplete: isIncomplete) }
        }
    }

    /// Starts over with the results of a search.
    func begin<Item: Sendable>(
        _ text: GitHub.SearchText,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<Item>,
        rows: @escaping @MainActor @Sendable (Page<Item>, Provenance) -> Page<Row>
    ) -> ScreenLoad {
        (count, isIncomplete) = (nil, false)
        let empty = results.texts.noResults(for: text.text)
        return results.begin(empty: empty, fetch: fetch) { [weak self] response, provenance in
            self?.add(response)
            return rows(response.page, provenance)
        }
    }

    private func add<Item>(_ response: GitHub.SearchPage<Item>) {
        count = response.totalCount
        // A fresh first page replaces a cached one.
        isIncomplete = (results.pagedList.pageCount > 0 && isIncomplete) || response.isIncomplete
    }
}
