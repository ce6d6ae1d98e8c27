import BrowseDomain
import Foundation

/// A time as an offset of the monotonic clock, for waits, and as a date, for servers and users.
struct RateLimitTime: Sendable {
    let date: Date
    /// The time since the creation of the bucket's queue.
    let offset: Duration

    /// Returns the time of a date.
    func at(_ date: Date) -> RateLimitTime {
        RateLimitTime(date: date, offset: offset + .seconds(date.timeIntervalSince(self.date)))
    }

    func advanced(by seconds: TimeInterval) -> RateLimitTime { at(date.addingTimeInterval(seconds)) }
}

/// The state of one rate-limit bucket of an account, and the number of its requests in flight.
struct RateLimitBudget: AdmissionRule {
    /// A period without requests.
    struct Pause: Sendable {
        var kind: BrowseError.RateLimit.Kind
        var end: RateLimitTime
        var isServerTime: Bool

        var limit: BrowseError.RateLimit {
            BrowseError.RateLimit(kind: kind, retryAt: end.date, isServerTime: isServerTime)
        }
    }

    /// The wait in seconds if the local clock reaches the reset before the server does.
    static var retryInterval: TimeInterval { 1 }
    /// The maximum difference between reset times of one period, in seconds.
    private static var jitter: TimeInterval { 2 }

    private(set) var limit: Int?
    private(set) var remaining: Int?
    /// The time of the reset; `nil` if it has passed or is unknown.
    private(set) var resetsAt: RateLimitTime?
    private(set) var pause: Pause?
    private var pending = 0
    /// The earliest and latest reset time of this period by the server's clock, which distinguish periods.
    private var resets: ClosedRange<Date>?
    /// The smallest clock skew of this period's responses; larger ones include the time of transfer.
    private var skew: TimeInterval = 0
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Returns the current time, given its offset.
    func time(at offset: Duration) -> RateLimitTime { RateLimitTime(date: now(), offset: offset) }

    mutating func admit(_ priority: LoadPriority, at now: Duration) -> Bool {
        if let pause, pause.end.offset <= now { self.pause = nil }
        if let resetsAt, resetsAt.offset <= now {
            // At least one, since only a response reports the new limit.
            (self.resetsAt, remaining) = (nil, limit.map { max(1, $0) })
        }
        guard pause == nil, hasRoom else { return false }
        pending += 1
        return true
    }

    func refusal(at now: Duration) -> (reason: Pause, end: Duration?) {
        var reasons: [Pause] = []
        if let pause, pause.end.offset > now { reasons.append(pause) }
        if !hasRoom, let resetsAt, resetsAt.offset > now {
            reasons.append(Pause(kind: .primary, end: resetsAt, isServerTime: true))
        }
        if let last = reasons.max(by: { $0.end.offset < $1.end.offset }) { return (last, last.end.offset) }
        // Requests in flight may exhaust the new period; their responses report its real values.
        return (Pause(kind: .primary, end: time(at: now).advanced(by: Self.retryInterval), isServerTime: false), nil)
    }

    /// Returns the public status; `nil` if nothing is known.
    func status(of bucket: String, at now: Duration) -> RateLimitStatus? {
        guard let limit, let remaining else { return nil }
        return RateLimitStatus(
            bucket: bucket,
            limit: limit,
            remaining: remaining,
            resetsAt: resetsAt?.date ?? self.now(),
            pausedUntil: pause.flatMap { $0.end.offset > now ? $0.end.date : nil }
        )
    }

    /// Whether requests are paused.
    func isPaused(at now: Duration) -> Bool { pause.map { $0.end.offset > now } ?? false }

    /// Returns the limit if only an eighth of the requests is left, which others may have used already.
    func reserveLimit(at now: Duration) -> BrowseError.RateLimit? {
        guard let limit, let remaining, let resetsAt, resetsAt.offset > now, remaining <= limit / 8 else { return nil }
        return BrowseError.RateLimit(kind: .primary, retryAt: resetsAt.date, isServerTime: true)
    }

    private var hasRoom: Bool { remaining.map { $0 > pending } ?? true }

    /// Counts a request as no longer in flight.
    mutating func finish() { pending = max(0, pending - 1) }

    /// Pauses requests, unless a current pause ends later.
    mutating func startPause(_ pause: Pause) {
        if let known = self.pause, known.end.offset >= pause.end.offset { return }
        self.pause = pause
    }

    /// Updates the budget from a response.
    ///
    /// Responses arrive out of order, and the reset times of servers that share a count differ by a second. So within a period,
    /// the lowest remaining count and the latest reset apply. Reports of earlier periods are ignored, unless `isNewest`.
    mutating func update(from reported: RateLimitHeaders, at now: RateLimitTime, isNewest: Bool = false) {
        let reportedEnd = now.at(RetryAfter.localDate(reported.reset, skew: reported.skew, now: now.date))
        if let resets, !isNewest, reported.reset.timeIntervalSince(resets.lowerBound) <= Self.jitter,
            resetsAt != nil || reportedEnd.date.timeIntervalSince(now.date) <= Self.jitter
        {
            let isEarlier = reported.reset.timeIntervalSince(resets.upperBound) < -Self.jitter
            guard !isEarlier, resetsAt != nil else { return }
            remaining = min(remaining ?? .max, reported.remaining)
            skew = min(skew, reported.skew)
            self.resets = min(resets.lowerBound, reported.reset)...max(resets.upperBound, reported.reset)
        } else {
            (remaining, skew, resets) = (reported.remaining, reported.skew, reported.reset...reported.reset)
        }
        limit = reported.limit
        let end = resets.map { now.at(RetryAfter.localDate($0.upperBound, skew: skew, now: now.date)) } ?? reportedEnd
        // A local clock that is ahead would consider an empty budget reset.
        let isEarly = remaining == 0 && end.date < now.date.addingTimeInterval(Self.retryInterval)
        resetsAt = isEarly ? now.advanced(by: Self.retryInterval) : end
    }
}
