import BrowseDomain
import Synchronization

/// The total time limit of a request and its retries.
///
/// The time that the request waits for a rate limit isn't counted: the caller's patience bounds that.
final class RequestDeadline: Sendable {
    private let limit: Duration
    private let elapsed: @Sendable () -> Duration
    private let waited = Mutex(Duration.zero)

    // These aren't inlined, so that the frame of a request that waits has no room for the clock's values.

    /// Starts counting.
    @inline(never)
    init(_ limit: Duration, by clock: any Clock<Duration>) {
        self.limit = limit
        elapsed = clock.stopwatch()
    }

    /// The time left; zero or less once the limit has passed.
    var remaining: Duration {
        @inline(never) get { limit + waitedForRateLimit - elapsed() }
    }

    /// The total time that the request waited for a rate limit.
    var waitedForRateLimit: Duration { waited.withLock { $0 } }

    /// Excludes a wait for a rate limit from the time limit.
    func exclude(_ duration: Duration) {
        waited.withLock { $0 += duration }
    }
}

extension RequestDeadline: Hashable {
    static func == (one: RequestDeadline, other: RequestDeadline) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension HTTPRequest {
    /// The request with a total time limit.
    @inline(never)
    func starting(_ deadline: RequestDeadline) -> HTTPRequest {
        var limited = self
        limited.deadline = deadline
        return limited
    }

    /// The request with no more time for an exchange than is left until a deadline.
    ///
    /// - Throws: `.timedOut` when no time is left.
    @inline(never)
    func limited(to deadline: RequestDeadline) throws(BrowseError) -> HTTPRequest {
        let remaining = deadline.remaining
        guard remaining > .zero else { throw .timedOut(info) }
        guard remaining < limits.duration else { return self }
        var limited = self
        limited.limits.duration = remaining
        return limited
    }
}

extension Clock<Duration> {
    /// A function that returns the time since this call.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
