extension GitHub {
    /// How many results of a search GitHub hands out: 1,000, however many there are.
    ///
    /// Source: GitHub's "REST API endpoints for search".
    public static let searchResultLimit: Int = 1000

    /// One page of what a search found.
    public struct SearchPage<Element: Sendable>: Sendable {
        /// The results that can be read, and where they go on.
        public var page: Page<Element>
        /// How many results there are in all, also those that GitHub does not hand out.
        public var totalCount: Int
        /// Whether GitHub ran out of time and may have found less than there is.
        public var isIncomplete: Bool
        /// The number of results that this page counts as: GitHub's `per_page`, even if it returned fewer.
        public var capacity: Int

        /// Creates a page; used by repositories and tests.
        ///
        /// If the capacity is `nil`, or less than the number of the page's rows, the rows are counted.
        public init(page: Page<Element>, totalCount: Int, isIncomplete: Bool = false, capacity: Int? = nil) {
            self.page = page
            self.totalCount = totalCount
            self.isIncomplete = isIncomplete
            self.capacity = max(capacity ?? 0, page.items.count + page.skipped.count)
        }
    }
}

extension GitHub.SearchPage: Equatable where Element: Equatable {}

/// The position in a search.
///
/// GitHub refuses (422) a page that starts after ``GitHub/searchResultLimit``, whatever its links say. It counts
/// `page × per_page`, so a page with gaps counts as a full one. The cursors of a search carry that count.
struct SearchProgress {
    /// The repository's own cursor.
    let cursor: PageCursor?
    private let countBefore: Int

    /// Reads a cursor that ``page(_:)`` made; `nil` is the beginning.
    ///
    /// Any other goes to the repository as it is, which knows best whether it can use it.
    init(_ cursor: PageCursor?) {
        // Scalars and not characters: what the repository wrote may begin with a mark that would join the space.
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

    /// The page that was found here, with a cursor that counts on; it has none at the limit.
    func page<Element>(_ found: GitHub.SearchPage<Element>) -> GitHub.SearchPage<Element> {
        let count = countBefore + found.capacity
        var next: PageCursor?
        if let cursor = found.page.next, count < GitHub.searchResultLimit {
            next = PageCursor(rawValue: "\(count) \(cursor.rawValue)")
        }
        var result = found
        result.page = Page(items: found.page.items, next: next, skipped: found.page.skipped)
        return result
    }
}
