/// A row of a response that couldn't be read.
public struct SkippedRow: Hashable, Sendable {
    /// The row's index in the response, from 0.
    public let index: Int
    /// The position and reason of the error, without the row's values.
    public let reason: String

    /// Creates a description of a row.
    public init(index: Int, reason: String) {
        self.index = index
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
        for row in rows { append(index: row.index, reason: row.reason) }
    }

    /// Counts a row, and describes it if it's one of the first.
    package mutating func append(index: Int, reason: @autoclosure () -> String) {
        count += 1
        if described.count < Self.describedLimit { described.append(SkippedRow(index: index, reason: reason())) }
    }

    /// Adds the rows of another response.
    public mutating func append(contentsOf others: SkippedRows) {
        described += others.described.prefix(Self.describedLimit - described.count)
        count += others.count
    }
}
