/// One page of a list, in the server's order.
public struct Page<Element: Sendable>: Sendable {
    /// The rows that could be read.
    public let items: [Element]
    /// The cursor of the next page; `nil` at the end of the list.
    public let next: PageCursor?
    /// The rows that couldn't be read, which ``items`` doesn't contain.
    public let skipped: SkippedRows

    /// Creates a page.
    public init(items: [Element], next: PageCursor? = nil, skipped: SkippedRows = []) {
        self.items = items
        self.next = next
        self.skipped = skipped
    }
}

extension Page: Equatable where Element: Equatable {}

extension Page {
    /// Returns the page with each row transformed.
    @inlinable
    public func map<Row: Sendable>(_ row: (Element) throws -> Row) rethrows -> Page<Row> {
        Page<Row>(items: try items.map(row), next: next, skipped: skipped)
    }
}
