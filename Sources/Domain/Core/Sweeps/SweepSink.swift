/// Stores the rows of a ``Sweep``, page by page and in order.
///
/// `SweepFile` of BrowseData writes SQLite, JSON Lines, and CSV. A sink of your own must store the rows of a page and its
/// checkpoint in one step, or it receives the page again after a crash; ``SweepBatch/number`` identifies it.
public protocol SweepSink<Row>: Sendable {
    /// The type of the rows.
    associatedtype Row: Sendable

    /// Excludes other processes until ``close()``, and returns the last checkpoint; `nil` before the first page.
    ///
    /// ``close()`` isn't called if this throws.
    ///
    /// - Throws: `SweepError`: `.inUse` if another sweep uses the storage.
    func open() async throws(SweepError) -> SweepCheckpoint?

    /// Stores the rows with new identifiers and the checkpoint in one step.
    ///
    /// - Returns: The number of new rows.
    func store(_ batch: SweepBatch<Row>) async throws(SweepError) -> Int

    /// Returns the last visit of a page.
    ///
    /// The default is `nil`, so that a second pass loads every page completely.
    func visit(at cursor: PageCursor?) async throws(SweepError) -> SweepVisit?

    /// Ends the use of the storage.
    func close() async
}

extension SweepSink {
    /// The default, `nil`: the storage remembers no visits.
    public func visit(at cursor: PageCursor?) async throws(SweepError) -> SweepVisit? { nil }
}

/// The rows of a page, and the checkpoint to store with them.
public struct SweepBatch<Row: Sendable>: Sendable {
    /// The rows in the server's order, with identifiers.
    ///
    /// A list that changes repeats some of earlier pages.
    public let rows: [(id: String, row: Row)]
    /// The cursor of the page; `nil` is the first page.
    public let cursor: PageCursor?
    /// The visit to remember for a second pass; `nil` if the page can't be confirmed.
    public let visit: SweepVisit?
    private let checkpoint: SweepCheckpoint

    /// Creates a batch; the checkpoint doesn't count its rows yet.
    init(rows: [(id: String, row: Row)], at cursor: PageCursor?, visit: SweepVisit?, _ checkpoint: SweepCheckpoint) {
        self.rows = rows
        self.cursor = cursor
        self.visit = visit
        self.checkpoint = checkpoint
    }

    /// The number of the page in its pass, from 1.
    public var number: Int { checkpoint.pageCount }

    /// Returns the checkpoint after storing a number of new rows.
    public func checkpoint(storing count: Int) -> SweepCheckpoint {
        var checkpoint = checkpoint
        checkpoint.rowCount += count
        checkpoint.duplicateCount += rows.count - count
        return checkpoint
    }
}

/// A page's validator, and its next page.
public struct SweepVisit: Hashable, Sendable {
    /// The `ETag` of the page.
    public var validator: String
    /// The next page; `nil` at the end.
    public var next: PageCursor?

    /// Creates a visit.
    public init(validator: String, next: PageCursor?) {
        self.validator = validator
        self.next = next
    }
}

extension PageCursor: Codable {}

/// The position of a sweep, with its counts.
public struct SweepCheckpoint: Hashable, Codable, Sendable {
    /// The identity of the list.
    public internal(set) var identity: SweepIdentity
    /// The next page; `nil` at the beginning and at the end.
    public internal(set) var next: PageCursor?
    /// Whether the pass has reached the end.
    public internal(set) var isComplete = false
    /// The cursor after the last power of two of pages.
    ///
    /// If it recurs, the cursors form a cycle (Brent's algorithm).
    var mark: PageCursor?
    /// The number of the pass, from 1.
    public internal(set) var pass = 1
    /// The number of pages in this pass.
    public internal(set) var pageCount = 0
    /// The number of pages in the last complete pass.
    var lastPassPageCount: Int?
    /// The number of rows in the pages of this pass.
    var seenCount = 0
    /// The number of stored rows.
    public internal(set) var rowCount = 0
    /// The number of rows that were delivered before, and not stored again.
    public internal(set) var duplicateCount = 0
    /// The number of rows that couldn't be read.
    public internal(set) var skippedCount = 0
    /// The number of rows in the list, or an upper bound; `nil` if unknown.
    public internal(set) var totalCount: Int?
    /// The first gaps, at most 100.
    public internal(set) var gaps: [SweepGap] = []
    /// The number of all gaps.
    public internal(set) var gapCount = 0

    init(_ identity: SweepIdentity) {
        self.identity = identity
    }

    /// Starts at the first page again.
    mutating func startPass() {
        if isComplete { lastPassPageCount = pageCount }
        (pass, next, mark, isComplete, pageCount, seenCount) = (pass + 1, nil, nil, false, 0, 0)
        (gaps, gapCount) = ([], 0)
    }

    /// Counts a page; `nil` is one that hasn't changed.
    mutating func add<Row>(_ page: SweepPage<Row>?, next: PageCursor?) {
        (self.next, isComplete) = (next, next == nil)
        pageCount += 1
        if pageCount & (pageCount - 1) == 0 { mark = next }
        guard let page else { return }
        seenCount += page.page.items.count + page.page.skipped.count
        skippedCount += page.page.skipped.count
        totalCount = page.totalCount.map { max(0, $0) } ?? totalCount
        gaps += page.gaps.prefix(max(0, 100 - gaps.count))
        gapCount += page.gaps.count
    }

    /// The estimated number of requests until the end of the pass; `nil` if unknown.
    var remainingRequests: Int? {
        if isComplete { return 0 }
        if let lastPassPageCount { return max(1, lastPassPageCount - pageCount) }
        guard let totalCount, pageCount > 0, seenCount > 0 else { return nil }
        let missing = max(0, Double(totalCount) - Double(seenCount))
        return max(1, Int(clamping: Int64(min((missing * Double(pageCount) / Double(seenCount)).rounded(.up), 1e15))))
    }
}
