package import BrowseDomain

/// The pages of one list, with cursors that other lists refuse.
package struct RowPages<Element: Sendable> {
    private let rows: [Element]
    private let list: String
    private let size: Int
    private let endpoint: String

    /// Divides rows into pages.
    ///
    /// - Parameters:
    ///   - rows: All rows, in order.
    ///   - list: Identifies the list.
    ///   - size: The number of rows of a page; clamped to at least 1.
    ///   - endpoint: The endpoint in errors.
    package init(_ rows: [Element], of list: String, size: Int, endpoint: String) {
        self.rows = rows
        self.list = list
        self.size = max(1, size)
        self.endpoint = endpoint
    }

    /// Returns the page at a cursor; `nil` is the first page.
    package func page(at cursor: PageCursor?) throws(BrowseError) -> Page<Element> {
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
