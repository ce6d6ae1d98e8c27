import BrowseDomain

/// The total time limit of a request and its retries.
final class RequestDeadline: Hashable, Sendable {
    private let limit: Duration
    private let elapsed: @Sendable () -> Duration

    init(_ limit: Duration, by clock: any Clock<Duration>) {
        self.limit = limit
        elapsed = clock.stopwatch()
    }

    /// The time left; zero or negative after the limit.
    var remaining: Duration { limit - elapsed() }

    static func == (one: RequestDeadline, other: RequestDeadline) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension HTTPClient.Request {
    /// Returns the request with its exchange limited to the time until its deadline.
    ///
    /// - Throws: `.timedOut` if no time is left.
    func limitedToDeadline() throws(BrowseError) -> HTTPClient.Request {
        guard let deadline else { return self }
        let remaining = deadline.remaining
        guard remaining > .zero else { throw .timedOut(info) }
        guard remaining < limits.duration else { return self }
        var limited = self
        limited.limits.duration = remaining
        return limited
    }
}
