import BrowseDomain
import Foundation

/// A time as an offset of the monotonic clock, for waits, and as a date, for servers and users.
struct RateLimitTime: Sendable {
    let date: Date
    /// The time since the creation of the bucket's queue.
    let offset: Duration

    /// Returns the time of a date.
    func at(_ date: Date) -> RateLimitTime {
        RateLimitTime(date: date, offset: offset + .clampedSeconds(date.timeIntervalSince(self.date)))
    }
}

/// The state of one rate-limit bucket of an account, and the number of its requests in flight.
struct RateLimitBudget: AdmissionRule {
    private typealias Pause = (limit: BrowseError.RateLimit, end: Duration)

    private var pause: Pause?
    /// The current period; `nil` if nothing was reported.
    private var period: RateLimitPeriod?
    /// The end of the period; `nil` if it has passed or is unknown.
    private var resetsAt: RateLimitTime?
    private var pending = 0
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// Returns the current time, given its offset.
    func time(at offset: Duration) -> RateLimitTime { RateLimitTime(date: now(), offset: offset) }

    mutating func admit(_ priority: LoadPriority, at now: Duration) -> Bool {
        if let pause, pause.end <= now { self.pause = nil }
        if let resetsAt, resetsAt.offset <= now {
            self.resetsAt = nil
            period?.pass()
        }
        guard pause == nil, hasRoom else { return false }
        pending += 1
        return true
    }

    func refusal(at now: Duration) -> (reason: BrowseError.RateLimit, end: Duration?) {
        let reset: Pause? = hasRoom ? nil : resetsAt.map { (.exhausted(until: $0.date), $0.offset) }
        let reasons = [pause, reset].compactMap(\.self).filter { $0.end > now }
        if let last = reasons.max(by: { $0.end < $1.end }) { return (last.limit, last.end) }
        // Requests in flight may exhaust the new period; their responses report its real values.
        return (.undecided(at: self.now()), nil)
    }

    /// Returns the public status; `nil` if nothing is known.
    func status(of bucket: String, at now: Duration) -> RateLimitStatus? {
        guard let period else { return nil }
        return RateLimitStatus(
            bucket: bucket,
            limit: period.limit,
            remaining: period.remaining,
            resetsAt: resetsAt?.date ?? self.now(),
            pausedUntil: isPaused(at: now) ? pause?.limit.retryAt : nil
        )
    }

    /// Whether requests are paused.
    private func isPaused(at now: Duration) -> Bool { pause.map { $0.end > now } ?? false }

    /// Whether a new budget would admit the same requests.
    func isIdle(at now: Duration) -> Bool {
        pending == 0 && !isPaused(at: now) && resetsAt.map { $0.offset <= now } ?? true
    }

    private var hasRoom: Bool { period.map { $0.remaining > pending } ?? true }

    /// Counts a request as no longer in flight.
    mutating func finish() { pending = max(0, pending - 1) }

    /// Pauses requests, unless a current pause ends later.
    mutating func startPause(_ limit: BrowseError.RateLimit, at now: RateLimitTime) {
        let end = now.at(limit.retryAt).offset
        if let pause, pause.end >= end { return }
        pause = (limit, end)
    }

    /// Updates the budget from a response.
    mutating func update(from reported: RateLimitHeaders, _ order: RateLimitOrder, at now: RateLimitTime) {
        var period = period ?? RateLimitPeriod(reported, number: order.number, now: now.date)
        guard self.period == nil || period.update(from: reported, order, now: now.date) else { return }
        self.period = period
        resetsAt = period.end.map(now.at)
    }
}
