/// One page of a list, in the server's order.
public struct Page<Element: Sendable>: Sendable {
    /// The rows that could be read.
    public var items: [Element]
    /// The cursor of the next page; `nil` at the end of the list.
    public var next: PageCursor?
    /// The rows that couldn't be read, which ``items`` doesn't contain.
    public var skipped: SkippedRows
    /// The number of rows on all pages, as the server reports it; `nil` if it doesn't.
    public var totalCount: Int?
    /// Whether the service left out rows, such as those of organizations that require single
    /// sign-on.
    public var isPartial: Bool = false
    /// Whether the service's search timed out, and may have missed rows.
    public var isIncomplete: Bool = false
    /// The number of pages that the service's links announce behind this one; `nil` if unknown.
    ///
    /// With ``totalCount``, it shows whether a list is complete.
    public var pagesLeft: Int?
    /// Whether the service doesn't return more rows, although there are more.
    public var isLimited: Bool = false
    /// Whether rows may have moved to pages that were read before, because others were removed.
    public var isShifted: Bool = false

    /// Creates a page; an empty cursor, with which some services end a list, is `nil`.
    public init(items: [Element], next: PageCursor? = nil, skipped: SkippedRows = SkippedRows(), totalCount: Int? = nil)
    {
        self.items = items
        self.next = next?.rawValue.isEmpty == true ? nil : next
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
        page.isIncomplete = isIncomplete
        page.pagesLeft = pagesLeft
        page.isLimited = isLimited
        page.isShifted = isShifted
        return page
    }
}
