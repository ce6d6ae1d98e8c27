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

        /// Creates a page; used by repositories and tests.
        public init(page: Page<Element>, totalCount: Int, isIncomplete: Bool = false) {
            self.page = page
            self.totalCount = totalCount
            self.isIncomplete = isIncomplete
        }
    }
}

extension GitHub.SearchPage: Equatable where Element: Equatable {}

/// How far a search has been read.
///
/// GitHub refuses (422) a page that begins after ``GitHub/searchResultLimit``, whatever its links say. So the cursors of a
/// search carry how many results came before them.
struct SearchProgress {
    /// The repository's own cursor.
    let cursor: PageCursor?
    private let seenCount: Int

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
            seenCount = 0
            return
        }
        self.cursor = PageCursor(rawValue: String(text[space...].dropFirst()))
        seenCount = count
    }

    /// The page that was found here, with a cursor that counts on; it has none at the limit.
    func page<Element>(_ found: GitHub.SearchPage<Element>) -> GitHub.SearchPage<Element> {
        let seen = seenCount + found.page.items.count + found.page.skipped.count
        var next: PageCursor?
        if let cursor = found.page.next, seen < GitHub.searchResultLimit {
            next = PageCursor(rawValue: "\(seen) \(cursor.rawValue)")
        }
        var result = found
        result.page = Page(items: found.page.items, next: next, skipped: found.page.skipped)
        return result
    }
}
