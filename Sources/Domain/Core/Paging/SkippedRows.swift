/// A row of a response that couldn't be read.
public struct SkippedRow: Hashable, Sendable {
    /// The row's index in the response, from 0.
    public let index: Int
    /// The keys and indices of the unreadable value, as in `items[3].login`.
    public let codingPath: String
    /// The expectation that wasn't met, without the row's values.
    public let reason: String

    /// Creates a description of a row.
    public init(index: Int, codingPath: String = "", reason: String) {
        self.index = index
        self.codingPath = codingPath
        self.reason = reason
    }
}

/// The rows of a response that couldn't be read: their number, and descriptions of the first ones.
///
/// A server can send any number of such rows, so the others are only counted.
public struct SkippedRows: Hashable, Sendable, ExpressibleByArrayLiteral {
    static var describedLimit: Int { 100 }

    /// The first rows, at most 100.
    public private(set) var described: [SkippedRow] = []
    /// The number of all rows.
    public private(set) var count = 0

    /// Creates a collection of rows.
    public init(arrayLiteral rows: SkippedRow...) {
        for row in rows { append(row) }
    }

    /// Counts a row, and describes it if it's one of the first.
    package mutating func append(_ row: @autoclosure () -> SkippedRow) {
        count += 1
        if described.count < Self.describedLimit { described.append(row()) }
    }

    /// Adds the rows of another response.
    public mutating func append(contentsOf others: SkippedRows) {
        described += others.described.prefix(Self.describedLimit - described.count)
        count += others.count
    }
}
