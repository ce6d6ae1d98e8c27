/// One page of a list, in the server's order.
public struct Page<Element: Sendable>: Sendable {
    /// The rows that could be read.
    public var items: [Element]
    /// The cursor of the next page; `nil` at the end of the list.
    public let next: PageCursor?
    /// The rows that couldn't be read, which ``items`` doesn't contain.
    public let skipped: SkippedRows
    /// The number of rows on all pages, as the server reports it; `nil` if it doesn't.
    public let totalCount: Int?
    /// Whether the service left out rows, such as those of organizations that require single sign-on.
    public var isPartial: Bool = false

    /// Creates a page.
    public init(items: [Element], next: PageCursor? = nil, skipped: SkippedRows = [], totalCount: Int? = nil) {
        self.items = items
        self.next = next
        self.skipped = skipped
        self.totalCount = totalCount
    }
}

extension Page: Equatable where Element: Equatable {}

extension Page {
    /// Returns the page with each row transformed.
    public func map<Row: Sendable>(_ row: (Element) throws -> Row) rethrows -> Page<Row> {
        var page = Page<Row>(items: try items.map(row), next: next, skipped: skipped, totalCount: totalCount)
        page.isPartial = isPartial
        return page
    }
}
