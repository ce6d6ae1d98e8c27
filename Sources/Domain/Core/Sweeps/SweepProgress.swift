#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The progress of a sweep; a sink encodes its position and counts as the checkpoint.
public struct SweepProgress: Hashable, Codable, Sendable {
    /// The list; see ``SweepSource/list``.
    public let list: String
    /// A nonsecret identifier of the account; `nil` for anonymous requests, and before the first page.
    public internal(set) var account: String?
    /// The next page; `nil` at the beginning and at the end.
    var next: PageCursor?
    /// The cursor after the last power of two of pages.
    ///
    /// If it recurs, the cursors form a cycle (Brent's algorithm).
    private var mark: PageCursor?
    /// Whether the pass has reached the end.
    public internal(set) var isComplete = false
    /// The number of the pass, from 1.
    public internal(set) var pass = 1
    /// The number of pages in this pass.
    public internal(set) var pageCount = 0
    /// The number of rows in the pages of this pass.
    private var seenCount = 0
    /// The number of stored rows.
    public internal(set) var rowCount = 0
    /// The number of rows that couldn't be read, in all passes; each transfer counts.
    public internal(set) var skippedCount = 0
    /// The number of rows in the list, or an upper bound; `nil` if unknown.
    public internal(set) var totalCount: Int?
    /// The estimated number of requests until the end; `nil` if unknown.
    public internal(set) var remainingRequests: Int?
    private static let describedGaps = 100
    /// The first gaps in this pass, at most 100.
    public internal(set) var gaps: [SweepGap] = []
    /// The number of all gaps in this pass.
    public internal(set) var gapCount = 0

    /// The number of pages requested in this run; automatic repetitions aren't counted.
    public internal(set) var requestCount = 0
    /// The rate limit; `nil` if unknown.
    public internal(set) var rateLimit: RateLimitStatus?
    /// The end of the wait for the rate limit; `nil` while requests are sent.
    public internal(set) var waitsUntil: Date?
    /// The average number of new rows per second in this run, without waits.
    public internal(set) var rowsPerSecond = 0.0
    /// The estimated end; `nil` if unknown.
    public internal(set) var expectedEnd: Date?
    /// The duration of all waits in this run.
    var waited = Duration.zero
    /// The longest time until a reset, in seconds; right after one, it's the period of the limit.
    private var period = 0.0

    /// The checkpoint, without the values of one run.
    private enum CodingKeys: String, CodingKey {
        case list, account, next, mark, isComplete, pass, pageCount, seenCount, rowCount, skippedCount, totalCount
        case remainingRequests, gaps, gapCount
    }

    init(list: String) {
        self.list = list
    }

    /// The completed fraction, 0 to 1; `nil` if the end isn't known.
    public var fraction: Double? {
        if isComplete { return 1 }
        guard let remainingRequests else { return nil }
        return pageCount == 0 ? 0 : Double(pageCount) / (Double(pageCount) + max(0, Double(remainingRequests)))
    }

    /// The error of a sweep that finds this checkpoint of another one.
    var otherSweep: SweepError { .otherSweep(list: list, account: account) }

    /// Removes the values of the run before, which a sink without an encoding keeps.
    mutating func startRun() {
        (requestCount, waitsUntil, rowsPerSecond, expectedEnd, waited, period) = (0, nil, 0, nil, .zero, 0)
    }

    /// Starts at the first page again.
    mutating func startPass() {
        (pass, next, mark, isComplete, pageCount, seenCount) = (pass + 1, nil, nil, false, 0, 0)
        (gaps, gapCount, remainingRequests) = ([], 0, nil)
    }

    /// Counts a requested page, except its rows; `nil` is one that hasn't changed since its last visit.
    mutating func add<Row>(_ page: SweepPage<Row>?, _ visit: SweepVisit) {
        // A repeated cursor ends the list.
        next = visit.next == mark ? nil : visit.next
        isComplete = next == nil
        requestCount += 1
        pageCount += 1
        if pageCount & (pageCount - 1) == 0 { mark = next }
        seenCount += visit.rowCount
        if let page {
            skippedCount += page.page.skipped.count
            totalCount = page.totalCount.map { max(0, $0) } ?? totalCount
            gaps += page.gaps.prefix(max(0, Self.describedGaps - gaps.count))
            gapCount += page.gaps.count
        }
        remainingRequests = isComplete ? 0 : page?.remainingRequests ?? requestsForTotal
    }

    private var requestsForTotal: Int? {
        guard let totalCount, seenCount > 0 else { return nil }
        let missing = max(0, Double(totalCount) - Double(seenCount))
        return max(1, Int(clamping: Int64(min((missing * Double(pageCount) / Double(seenCount)).rounded(.up), 1e15))))
    }

    /// Returns the progress after storing a number of new rows.
    func storing(_ count: Int) -> SweepProgress {
        var progress = self
        progress.rowCount += count
        return progress
    }

    /// Updates the pace and the expected end of a run, which has stored rows in a time without waits.
    ///
    /// - Parameter reserve: The number of requests of the rate limit that the run leaves.
    mutating func estimateEnd(rows: Int, in seconds: Double, reserve: Int, now: Date) {
        rowsPerSecond = seconds > 0 ? Double(rows) / seconds : 0
        guard let remainingRequests else { return expectedEnd = nil }
        let pace = max(0, seconds) / Double(requestCount)
        expectedEnd = now + Double(remainingRequests) * pace
        guard let rateLimit else { return }
        period = max(period, rateLimit.resetsAt.timeIntervalSince(now))
        // The requests that must wait for the first reset, and the number of full periods that they need after it.
        let late = Double(remainingRequests) - max(0, Double(rateLimit.remaining) - Double(reserve))
        guard late > 0 else { return }
        let perPeriod = max(1, Double(rateLimit.limit) - Double(reserve))
        let periods = ((late - 1) / perPeriod).rounded(.down)
        expectedEnd = rateLimit.resetsAt + periods * period + (late - periods * perPeriod) * pace
    }
}

/// The error of a sweep, which doesn't affect pages that are already stored.
public enum SweepError: Error, Hashable, Sendable {
    /// A request or the storage failed, or the sweep was canceled.
    case failed(BrowseError)
    /// The storage has the checkpoint of another list, or of another account.
    case otherSweep(list: String, account: String?)
    /// The file isn't as a sweep in this format left it, or was moved or deleted during the sweep.
    case foreignFile(name: String)
    /// Another sweep is using the file, in this process or in another one.
    case inUse(name: String)
    /// The server refuses the checkpoint's cursor (400, 404, 410, or 422); another pass helps.
    case cursorRefused(BrowseError.RequestInfo)
}
