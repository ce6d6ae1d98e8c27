/// The rows of a response that couldn't be read: their number, and the reason for the first one.
public struct SkippedRows: Hashable, Sendable {
    /// The number of rows.
    public let count: Int
    /// The unreadable value of the first row, as in `items[3].login`; `nil` if it isn't known.
    public let first: BrowseError.DecodingFailure?

    /// Creates a summary of rows; by default, of none.
    public init(count: Int = 0, first: BrowseError.DecodingFailure? = nil) {
        self.count = count
        self.first = first
    }
}
