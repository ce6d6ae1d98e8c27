import BrowseDomain
import Synchronization

/// The total time limit of a request and its retries.
///
/// Waits for rate limits don't count; the caller's longest wait limits them.
final class RequestDeadline: Hashable, Sendable {
    private let limit: Duration
    private let elapsed: @Sendable () -> Duration
    private let waited = Mutex(Duration.zero)

    init(_ limit: Duration, by clock: any Clock<Duration>) {
        self.limit = limit
        elapsed = clock.stopwatch()
    }

    /// The time left; zero or negative after the limit.
    var remaining: Duration { limit + waitedForRateLimit - elapsed() }

    /// The total time that the request has waited for rate limits.
    var waitedForRateLimit: Duration { waited.withLock { $0 } }

    /// Excludes a wait for a rate limit from the time limit.
    func exclude(_ duration: Duration) { waited.withLock { $0 += duration } }

    static func == (one: RequestDeadline, other: RequestDeadline) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension HTTPRequest {
    /// Returns the request with its exchange limited to the time until its deadline.
    ///
    /// - Throws: `.timedOut` if no time is left.
    func limitedToDeadline() throws(BrowseError) -> HTTPRequest {
        guard let deadline else { return self }
        let remaining = deadline.remaining
        guard remaining > .zero else { throw .timedOut(info) }
        guard remaining < limits.duration else { return self }
        var limited = self
        limited.limits.duration = remaining
        return limited
    }
}

extension Clock<Duration> {
    /// Returns a function that returns the time since this call.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
