/// One page of a list, in the server's order.
public struct Page<Element: Sendable>: Sendable {
    /// The rows that could be read.
    public let items: [Element]
    /// Where the list goes on, or `nil` at its end.
    public let next: PageCursor?
    /// The rows that could not be read; they are left out of ``items`` and do not lose the page.
    public let skipped: [SkippedRow]

    /// Creates a page; used by repositories and tests.
    public init(items: [Element], next: PageCursor? = nil, skipped: [SkippedRow] = []) {
        self.items = items
        self.next = next
        self.skipped = skipped
    }
}

extension Page: Equatable where Element: Equatable {}

extension Page {
    /// The page with each row made into another.
    public func map<Row: Sendable>(_ row: (Element) throws -> Row) rethrows -> Page<Row> {
        Page<Row>(items: try items.map(row), next: next, skipped: skipped)
    }
}

/// A row of a response that could not be read, and why.
public struct SkippedRow: Hashable, Sendable {
    /// The row's place in the response, from 0.
    public let index: Int
    /// Where in the row and what was wrong, without any of the row's values.
    public let reason: String

    /// Creates a note about a row.
    public init(index: Int, reason: String) {
        self.index = index
        self.reason = reason
    }
}
