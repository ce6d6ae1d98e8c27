import BrowseDomain
import Foundation

/// The place of a rate limit's report among other events.
struct RateLimitOrder: Sendable {
    /// The number of the last report that arrived before the request was sent.
    let sentAfter: Int
    /// The number of the report, in order of arrival.
    let number: Int
}

/// The limit of a bucket in one period, learned from reports that arrive out of order.
///
/// A report is newer than the last one applied if its request was sent after that one arrived. Only a newer report can replace a
/// period with one that ends earlier, so late responses don't, but a reset time that was wrong, or a clock that went back, is
/// corrected by the next request.
///
/// Within a period, an older report can only lower the remaining count, and the latest reset time applies: the clocks of servers
/// that share a count differ by a second.
struct RateLimitPeriod: Sendable {
    /// The maximum difference between reset times of one period, in seconds.
    private static var jitter: TimeInterval { 2 }
    /// The maximum time of a transfer in seconds; if the skew differs by more, a clock was set.
    private static var maxTransfer: TimeInterval { 60 }
    /// The minimum time from a report to the reset in seconds.
    ///
    /// The local clock can reach the reset before the server's does.
    static var shortest: TimeInterval { 1 }
    /// The maximum number of an account's buckets; a server could send any number of names.
    static var maxBuckets: Int { 32 }

    /// The maximum number of requests.
    private(set) var limit: Int
    private(set) var remaining: Int
    /// The local time of the reset; `nil` once it has passed.
    private(set) var end: Date?
    /// The number of the last report that was applied.
    private(set) var lastReport: Int
    /// The earliest and the latest reset time by the server's clock.
    private var earliestReset: Date
    private var latestReset: Date
    /// The smallest clock skew; larger ones include the time of transfer.
    private var skew: TimeInterval

    /// Creates a period from its first report.
    init(_ reported: RateLimitHeaders, number: Int, now: Date) {
        limit = reported.limit
        remaining = reported.remaining
        lastReport = number
        (earliestReset, latestReset, skew) = (reported.reset, reported.reset, reported.skew)
        setEnd(now)
    }

    /// Applies a report, or starts its period; returns `false` if the report is outdated.
    mutating func update(from reported: RateLimitHeaders, _ order: RateLimitOrder, now: Date) -> Bool {
        let isNewer = order.sentAfter >= lastReport
        if end != nil, isOfThisPeriod(reported) {
            remaining = isNewer ? reported.remaining : min(remaining, reported.remaining)
            limit = reported.limit
            (earliestReset, latestReset) = (min(earliestReset, reported.reset), max(latestReset, reported.reset))
            skew = min(skew, reported.skew)
            lastReport = max(lastReport, order.number)
            setEnd(now)
        } else {
            let isLater = reported.reset.timeIntervalSince(earliestReset) > Self.jitter
            guard isNewer || isLater else { return false }
            self = RateLimitPeriod(reported, number: max(lastReport, order.number), now: now)
        }
        return true
    }

    /// Starts an unknown period after the reset.
    mutating func pass() {
        end = nil
        // At least one, since only a response reports the new limit.
        remaining = max(1, limit)
    }

    private func isOfThisPeriod(_ reported: RateLimitHeaders) -> Bool {
        reported.reset.timeIntervalSince(latestReset) >= -Self.jitter
            && reported.reset.timeIntervalSince(earliestReset) <= Self.jitter
            && abs(reported.skew - skew) <= Self.maxTransfer
    }

    private mutating func setEnd(_ now: Date) {
        end = max(RetryAfter.localDate(latestReset, skew: skew, now: now), now.addingTimeInterval(Self.shortest))
    }
}

extension BrowseError.RateLimit {
    /// The limit of a period without remaining requests.
    static func exhausted(until reset: Date) -> Self { Self(kind: .primary, retryAt: reset, isServerTime: true) }

    /// The limit while the responses of requests in flight decide whether requests remain.
    static func undecided(at now: Date) -> Self {
        Self(kind: .primary, retryAt: now.addingTimeInterval(RateLimitPeriod.shortest), isServerTime: false)
    }
}
