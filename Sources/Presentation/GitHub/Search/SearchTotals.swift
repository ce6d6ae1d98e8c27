import BrowseDomain

/// The totals that GitHub reports with each page of a search.
@MainActor
final class SearchTotals {
    /// How many results there are in all; `nil` before the first page.
    private(set) var count: Int?

    private var isIncomplete = false

    /// Forgets the totals of an earlier search.
    func reset() {
        (count, isIncomplete) = (nil, false)
    }

    /// Takes the totals of a page.
    func add<Element>(_ response: GitHub.SearchPage<Element>, isFirst: Bool) {
        count = response.totalCount
        // A fresh first page replaces a cached one.
        isIncomplete = (!isFirst && isIncomplete) || response.isIncomplete
    }

    /// The localized count, with what of it can't be seen; `nil` before the first page.
    func summary(_ texts: Texts) -> String? {
        count.map { texts.summary(of: $0, isIncomplete: isIncomplete) }
    }
}

extension ListController {
    /// Starts over with the results of a search, and counts them.
    func begin<Item: Sendable>(
        _ text: GitHub.SearchText,
        totals: SearchTotals,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<Item>,
        rows: @escaping @MainActor @Sendable (Page<Item>, Provenance) -> Page<Row>
    ) -> ListLoad {
        totals.reset()
        return begin(empty: texts.noResults(for: text.text), fetch: fetch) { [weak self] response, provenance in
            totals.add(response, isFirst: self?.list.pageCount == 0)
            return rows(response.page, provenance)
        }
    }
}
