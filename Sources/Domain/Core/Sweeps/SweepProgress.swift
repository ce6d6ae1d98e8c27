#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The progress of a sweep after a page, or while it waits.
public struct SweepProgress: Hashable, Sendable {
    /// The stored position, with the numbers of pages and rows.
    public internal(set) var checkpoint: SweepCheckpoint
    /// The number of pages requested in this run; automatic repetitions aren't counted.
    public internal(set) var requestCount = 0
    /// The estimated number of requests until the end; `nil` if unknown.
    public internal(set) var remainingRequests: Int?
    /// The rate limit; `nil` if unknown.
    public internal(set) var rateLimit: RateLimitStatus?
    /// The end of the wait for the rate limit; `nil` while requests are sent.
    public internal(set) var waitsUntil: Date?
    /// The average number of new rows per second in this run, without waits.
    public internal(set) var rowsPerSecond = 0.0
    /// The estimated end; `nil` if unknown.
    public internal(set) var expectedEnd: Date?
    /// The longest time until a reset, in seconds; right after one, it's the period of the limit.
    private var period = 0.0

    init(_ checkpoint: SweepCheckpoint) {
        self.checkpoint = checkpoint
    }

    /// The completed fraction, 0 to 1; `nil` if the end isn't known.
    public var fraction: Double? {
        if checkpoint.isComplete { return 1 }
        guard let remainingRequests else { return nil }
        let count = Double(checkpoint.pageCount)
        return count == 0 ? 0 : count / (count + max(0, Double(remainingRequests)))
    }

    /// Updates the estimates.
    ///
    /// - Parameters:
    ///   - page: The last page; `nil` if it hasn't changed.
    ///   - rows: The number of rows stored in this run.
    ///   - seconds: The duration of this run without waits.
    ///   - reserve: The number of requests of the rate limit that it leaves; `nil` without a rate limit.
    ///   - now: The current time.
    mutating func estimate<Row>(
        after page: SweepPage<Row>?,
        rows: Int,
        in seconds: Double,
        reserve: Int?,
        now: Date
    ) {
        remainingRequests = checkpoint.isComplete ? 0 : page?.remainingRequests ?? checkpoint.remainingRequests
        rowsPerSecond = seconds > 0 ? Double(rows) / seconds : 0
        guard let remainingRequests else { return expectedEnd = nil }
        let pace = seconds / Double(max(1, requestCount))
        expectedEnd = now + Double(remainingRequests) * pace
        guard let rateLimit, let reserve else { return }
        period = max(period, rateLimit.resetsAt.timeIntervalSince(now))
        // The requests that must wait for the first reset, and the number of full periods that they need after it.
        let late = Double(remainingRequests) - max(0, Double(rateLimit.remaining) - Double(reserve))
        guard late > 0 else { return }
        let perPeriod = max(1, Double(rateLimit.limit) - Double(reserve))
        let periods = ((late - 1) / perPeriod).rounded(.down)
        expectedEnd = rateLimit.resetsAt + periods * period + (late - periods * perPeriod) * pace
    }

    /// Returns the progress during a wait for the rate limit; without an end, requests are sent again.
    func waiting(until end: Date?) -> SweepProgress {
        var progress = self
        progress.waitsUntil = end
        return progress
    }
}

/// The error of a sweep. Stored pages remain, and the sweep can be resumed.
public enum SweepError: Error, Hashable, Sendable {
    /// A request or the storage failed, or the sweep was canceled.
    case failed(BrowseError)
    /// The storage has the checkpoint of another list, or of another account.
    case otherSweep(found: SweepIdentity)
    /// A sweep didn't write the file, or another program has changed it since.
    case foreignFile(name: String)
    /// Another sweep is using the file, in this process or in another one.
    case inUse(name: String)
    /// The server refuses the checkpoint's cursor (400, 404, 410, or 422).
    ///
    /// ``SweepStart/again`` starts at the first page, and doesn't deliver known rows again.
    case cursorRefused(BrowseError.RequestInfo)
}

/// The page at which a sweep starts.
public enum SweepStart: Hashable, Sendable {
    /// The first page that isn't stored; after the end, nothing is loaded.
    case resume
    /// The first page, for another pass that delivers only rows that aren't stored.
    ///
    /// Pages that the server confirms by a validator (304) aren't transferred. Some services count them as requests.
    case again
}
