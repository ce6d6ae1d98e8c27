/// Stores the rows of a ``Sweep``, page by page and in order.
///
/// `SweepFile` of BrowseData writes SQLite, JSON Lines, and CSV. A sink of your own must store the rows of a page and its
/// checkpoint in one step, or it receives the page again after a crash, with the same ``SweepProgress/pageCount``.
public protocol SweepSink<Row>: Sendable {
    /// The type of the rows.
    associatedtype Row: Sendable

    /// Excludes other processes until ``close()``, and returns the last checkpoint; `nil` before the first page.
    ///
    /// ``close()`` isn't called if this throws.
    ///
    /// - Throws: `SweepError`: `.inUse` if another sweep uses the storage.
    func open() async throws(SweepError) -> SweepProgress?

    /// Stores the rows with new identifiers, the visit of their page, and the checkpoint in one step.
    ///
    /// - Parameters:
    ///   - rows: The rows in the server's order. A list that changes repeats some of earlier pages.
    ///   - visit: The page, which replaces its last visit.
    ///   - checkpoint: Returns the checkpoint for a number of new rows.
    /// - Returns: The stored checkpoint.
    func store(
        _ rows: [(id: String, row: Row)],
        of visit: SweepVisit,
        checkpoint: @Sendable (_ newCount: Int) -> SweepProgress
    ) async throws(SweepError) -> SweepProgress

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

/// The version of a page, which the server can confirm in a second pass.
public struct SweepVisit: Hashable, Codable, Sendable {
    /// The cursor of the page; `nil` is the first page.
    public let cursor: PageCursor?
    /// The `ETag` of the page; `nil` if it must be loaded again.
    var validator: String?
    var next: PageCursor?
    var rowCount = 0
}

extension SweepVisit {
    init<Row>(_ page: SweepPage<Row>, at cursor: PageCursor?) {
        self.cursor = cursor
        next = page.page.next
        rowCount = page.page.items.count + page.page.skipped.count
        // Rows added after a full last page change only its link, which the tags of many servers don't cover. A page with gaps
        // can be complete the next time.
        validator = next == nil || !page.gaps.isEmpty ? nil : page.validator
    }
}
