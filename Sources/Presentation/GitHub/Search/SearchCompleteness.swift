import BrowseDomain
import BrowseGitHubDomain
import BrowsePresentation

/// Whether GitHub's search timed out on a page that is shown.
@MainActor
final class SearchCompleteness {
    private(set) var isIncomplete = false

    /// Adds a response to a list; returns its page.
    func page<Item, Row>(of response: GitHub.SearchPage<Item>, in results: ListController<Row>?) -> Page<Item> {
        // A fresh first page replaces a cached one.
        let isFirst = results?.pagedList.pageCount == 0
        isIncomplete = response.isIncomplete || (isIncomplete && !isFirst)
        results?.isInterrupted = isIncomplete
        return response.page
    }
}
