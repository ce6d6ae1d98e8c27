import BrowseDomain

/// Rows cut into pages, with cursors that are good for one list only.
struct RowPages<Element: Sendable> {
    private let rows: [Element]
    private let list: String
    private let size: Int
    private let endpoint: String

    /// Cuts rows into pages.
    ///
    /// - Parameters:
    ///   - rows: All of them, in order.
    ///   - list: What tells this list from others.
    ///   - size: How many rows a page has; below 1 is raised to that.
    ///   - endpoint: Who is asked, for errors.
    init(_ rows: [Element], of list: String, size: Int, endpoint: String) {
        self.rows = rows
        self.list = list
        self.size = max(1, size)
        self.endpoint = endpoint
    }

    /// The page at a cursor; `nil` is the first.
    func page(at cursor: PageCursor?) throws(BrowseError) -> Page<Element> {
        guard !Task.isCancelled else { throw .cancelled }
        var start = 0
        if let cursor {
            guard let offset = Int(cursor.rawValue.prefix { $0 != " " }), self.cursor(at: offset) == cursor,
                rows.indices.contains(offset)
            else { throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: endpoint)) }
            start = offset
        }
        let end = start + min(size, rows.count - start)
        return Page(items: Array(rows[start..<end]), next: end < rows.count ? self.cursor(at: end) : nil)
    }

    private func cursor(at offset: Int) -> PageCursor {
        PageCursor(rawValue: "\(offset) of \(list)")
    }
}
