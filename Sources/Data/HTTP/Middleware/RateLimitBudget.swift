import BrowseDomain
import Foundation

/// A time by both clocks: waits are measured by the monotonic one, dates are for people and servers.
struct RateLimitTime: Sendable {
    let date: Date
    /// The time since the creation of the bucket's queue.
    let offset: Duration

    /// The time at which the clock would show a date.
    func at(_ date: Date) -> RateLimitTime {
        RateLimitTime(date: date, offset: offset + .seconds(date.timeIntervalSince(self.date)))
    }

    /// A later time.
    func advanced(by seconds: TimeInterval) -> RateLimitTime { at(date.addingTimeInterval(seconds)) }
}

/// What is known of one bucket of an account's rate limit, and how many requests of it are in flight.
struct RateLimitBudget: AdmissionRule {
    /// A time during which nothing is sent.
    struct Closing: Sendable {
        var kind: BrowseError.RateLimit.Kind
        var end: RateLimitTime
        var isServerTime: Bool

        var limit: BrowseError.RateLimit {
            BrowseError.RateLimit(kind: kind, retryAt: end.date, isServerTime: isServerTime)
        }
    }

    /// The wait between requests, in seconds, while the server's count has ended here but not there.
    static var pause: TimeInterval { 1 }
    /// How far the reset times of one count may be apart, in seconds.
    private static var jitter: TimeInterval { 2 }

    private(set) var limit: Int?
    private(set) var remaining: Int?
    /// When the count ends; `nil` when it has ended, or isn't known.
    private(set) var resetsAt: RateLimitTime?
    private(set) var closing: Closing?
    /// The requests in flight.
    private var pending = 0
    /// The first and the last reset time that the server has named for this count, by its clock; they tell counts apart.
    private var resets: ClosedRange<Date>?
    /// The smallest skew of the count's responses: the others took longer.
    private var skew: TimeInterval = 0
    private let now: @Sendable () -> Date

    /// - Parameter now: The current time.
    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The time by both clocks.
    func time(at offset: Duration) -> RateLimitTime { RateLimitTime(date: now(), offset: offset) }

    mutating func admit(_ priority: LoadPriority, at now: Duration) -> Bool {
        if let closing, closing.end.offset <= now { self.closing = nil }
        if let resetsAt, resetsAt.offset <= now {
            // At least one, since only a response reports the new count.
            (self.resetsAt, remaining) = (nil, limit.map { max(1, $0) })
        }
        guard closing == nil, hasRoom else { return false }
        pending += 1
        return true
    }

    func refusal(at now: Duration) -> (reason: Closing, end: Duration?) {
        var reasons: [Closing] = []
        if let closing, closing.end.offset > now { reasons.append(closing) }
        if !hasRoom, let resetsAt, resetsAt.offset > now {
            reasons.append(Closing(kind: .primary, end: resetsAt, isServerTime: true))
        }
        if let last = reasons.max(by: { $0.end.offset < $1.end.offset }) { return (last, last.end.offset) }
        // Requests in flight fill a new count; their responses tell how it really is.
        return (Closing(kind: .primary, end: time(at: now).advanced(by: Self.pause), isServerTime: false), nil)
    }

    /// What is known, for people; `nil` when nothing is.
    func published(as bucket: String, at now: Duration) -> RateLimitStatus? {
        guard let limit, let remaining else { return nil }
        return RateLimitStatus(
            bucket: bucket,
            limit: limit,
            remaining: remaining,
            resetsAt: resetsAt?.date ?? self.now(),
            pausedUntil: closing.flatMap { $0.end.offset > now ? $0.end.date : nil }
        )
    }

    private var hasRoom: Bool { remaining.map { $0 > pending } ?? true }

    /// A request is no longer in flight.
    mutating func finish() { pending = max(0, pending - 1) }

    /// Sends nothing until a time; a later one that is known already stays.
    mutating func close(_ closing: Closing) {
        if let known = self.closing, known.end.offset >= closing.end.offset { return }
        self.closing = closing
    }

    /// Learns what a response reports.
    ///
    /// Responses overtake each other, and servers that share a count are a second apart: within one count the least that
    /// remains and the latest reset are true, and an earlier count tells nothing.
    ///
    /// - Parameter isNewest: Whether everything that was reported before is older.
    mutating func learn(_ told: RateLimitHeaders, at now: RateLimitTime, isNewest: Bool = false) {
        let toldEnd = now.at(RetryAfter.localDate(told.reset, skew: told.skew, now: now.date))
        if let resets, !isNewest, told.reset.timeIntervalSince(resets.lowerBound) <= Self.jitter,
            resetsAt != nil || toldEnd.date.timeIntervalSince(now.date) <= Self.jitter
        {
            let isEarlier = told.reset.timeIntervalSince(resets.upperBound) < -Self.jitter
            guard !isEarlier, resetsAt != nil else { return }
            remaining = min(remaining ?? .max, told.remaining)
            skew = min(skew, told.skew)
            self.resets = min(resets.lowerBound, told.reset)...max(resets.upperBound, told.reset)
        } else {
            (remaining, skew, resets) = (told.remaining, told.skew, told.reset...told.reset)
        }
        limit = told.limit
        let end = resets.map { now.at(RetryAfter.localDate($0.upperBound, skew: skew, now: now.date)) } ?? toldEnd
        // A clock that is ahead here would take an empty budget for full.
        let isEarly = remaining == 0 && end.date < now.date.addingTimeInterval(Self.pause)
        resetsAt = isEarly ? now.advanced(by: Self.pause) : end
    }
}
