import BrowseCoreMocks
import BrowseDomain
import BrowseGitHubDomain

extension Page {
    /// Returns a page of search results, of which GitHub returns the first 1,000.
    static func results(
        _ found: [Element],
        of search: String,
        size: Int,
        endpoint: String,
        at cursor: PageCursor?
    ) throws(BrowseError) -> Page {
        let rows = Array(found.prefix(GitHub.searchResultLimit))
        var page = try RowPages(rows, of: search, size: size, endpoint: endpoint).page(at: cursor)
        page.totalCount = found.count
        page.isLimited = page.next == nil && rows.count < found.count
        return page
    }
}
