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

    init(_ checkpoint: SweepCheckpoint) {
        self.checkpoint = checkpoint
    }

    /// The completed fraction, 0 to 1; `nil` if the end isn't known.
    public var fraction: Double? {
        if checkpoint.isComplete { return 1 }
        guard let remainingRequests else { return nil }
        let count = checkpoint.pageCount
        return count == 0 ? 0 : Double(count) / Double(count + remainingRequests)
    }

    /// Updates the estimates.
    ///
    /// - Parameters:
    ///   - page: The last page; `nil` if it hasn't changed.
    ///   - rows: The number of rows stored in this run.
    ///   - seconds: The duration of this run without waits.
    ///   - usable: The number of requests that the rate limit still allows.
    ///   - now: The current time.
    mutating func estimate<Row>(
        after page: SweepPage<Row>?,
        rows: Int,
        in seconds: Double,
        usable: Int?,
        now: Date
    ) {
        remainingRequests = checkpoint.isComplete ? 0 : page?.remainingRequests ?? checkpoint.remainingRequests
        rowsPerSecond = seconds > 0 ? Double(rows) / seconds : 0
        guard let remainingRequests else { return expectedEnd = nil }
        let pace = seconds / Double(max(1, requestCount))
        expectedEnd = now + Double(remainingRequests) * pace
        guard let rateLimit, let usable, remainingRequests > usable else { return }
        // The length of a period isn't reported, so only one reset is considered.
        let late = rateLimit.resetsAt + Double(remainingRequests - usable) * pace
        expectedEnd = expectedEnd.map { max($0, late) }
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
