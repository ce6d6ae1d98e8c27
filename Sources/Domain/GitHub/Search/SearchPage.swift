public import BrowseDomain

extension GitHub {
    /// The maximum number of results that GitHub returns for a search: 1,000.
    ///
    /// Source: GitHub's "REST API endpoints for search".
    package static let searchResultLimit: Int = 1000

    /// One page of search results.
    public struct SearchPage<Element: Sendable>: Sendable {
        /// The page of results; its total number includes results beyond GitHub's limit.
        public private(set) var page: Page<Element>
        /// Whether GitHub's search timed out and may have missed results.
        public var isIncomplete: Bool
        /// The page size (`per_page`), which counts toward GitHub's limit even if fewer results arrived.
        public var pageSize: Int

        /// Creates a page.
        ///
        /// A missing or too small page size is replaced by the number of rows.
        public init(page: Page<Element>, totalCount: Int, isIncomplete: Bool = false, pageSize: Int? = nil) {
            self.page = Page(items: page.items, next: page.next, skipped: page.skipped, totalCount: totalCount)
            self.page.isPartial = page.isPartial
            self.isIncomplete = isIncomplete
            self.pageSize = max(pageSize ?? 0, page.items.count + page.skipped.count)
        }

        /// The total number of results, including those beyond GitHub's limit.
        public var totalCount: Int { page.totalCount ?? 0 }
    }
}

extension GitHub.SearchPage: Equatable where Element: Equatable {}

/// The position in a search.
///
/// GitHub rejects (422) pages that start after `GitHub.searchResultLimit`, even if it links to them. It counts `page ×
/// per_page`, so an incomplete page counts as a full one. A search's cursors contain that count.
struct SearchProgress {
    /// The repository's own cursor.
    let cursor: PageCursor?
    private let countBefore: Int

    /// Parses a cursor from ``page(_:)``; `nil` is the beginning.
    ///
    /// Other cursors are passed to the repository unchanged.
    init(_ cursor: PageCursor?) {
        // Scalars, because the repository's text may begin with a mark that combines with the space.
        let text = (cursor?.rawValue ?? "").unicodeScalars
        guard let space = text.firstIndex(of: " "), let count = Int(String(text[..<space])),
            (0..<GitHub.searchResultLimit).contains(count)
        else {
            self.cursor = cursor
            countBefore = 0
            return
        }
        self.cursor = PageCursor(rawValue: String(text[space...].dropFirst()))
        countBefore = count
    }

    /// Returns a page with a cursor that includes the count; at the limit, it has no cursor.
    func page<Element>(_ found: GitHub.SearchPage<Element>) -> GitHub.SearchPage<Element> {
        let count = countBefore + found.pageSize
        var next: PageCursor?
        if let cursor = found.page.next, count < GitHub.searchResultLimit {
            next = PageCursor(rawValue: "\(count) \(cursor.rawValue)")
        }
        var page = Page(items: found.page.items, next: next, skipped: found.page.skipped)
        page.isPartial = found.page.isPartial
        return GitHub.SearchPage(
            page: page,
            totalCount: found.totalCount,
            isIncomplete: found.isIncomplete,
            pageSize: found.pageSize
        )
    }
}
