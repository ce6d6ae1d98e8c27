import BrowseDomain
import Foundation

/// The stored rate limits of an account, which all processes change.
///
/// A permit stands for a request in flight. Permits expire, so that a process that was killed doesn't occupy them.
struct SharedBudgets: Codable, Hashable {
    /// The budget of a bucket.
    struct Budget: Codable, Hashable {
        var limit: Int
        var remaining: Int
        /// The reset by the server's clock, which identifies the period.
        var reset: Date
        /// The local time of the reset; `nil` once it has passed.
        var end: Date?
        /// The requests that ended without a response, which the service may have counted.
        var lostCount = 0
        /// How many of them ended before the request that was reported last, so that ``remaining`` includes them.
        var includedLostCount = 0

        /// The requests that may be in flight at once.
        var room: Int { remaining - (lostCount - includedLostCount) }
    }

    /// A period without requests.
    struct Pause: Codable, Hashable {
        var end: Date
        var isSecondary: Bool
        var isServerTime: Bool

        var limit: BrowseError.RateLimit {
            BrowseError.RateLimit(kind: isSecondary ? .secondary : .primary, retryAt: end, isServerTime: isServerTime)
        }
    }

    private struct Permit: Codable, Hashable {
        var bucket: String
        var expires: Date
        /// The budget's ``Budget/lostCount`` when the request was reserved.
        var lostCount: Int
    }

    /// The result of a reservation.
    enum Outcome: Hashable {
        case admitted
        /// The responses of requests in flight decide.
        case busy
        case refused(BrowseError.RateLimit)
    }

    /// The number of requests in flight while a budget is unknown.
    static var unknownLimit: Int { 4 }
    /// The maximum difference between reset times of one period, in seconds.
    private static var jitter: TimeInterval { 2 }
    /// The time after a reset at which it has passed for all processes, in seconds.
    private static var margin: TimeInterval { 1 }
    /// The pauses' key for the whole account, which is no bucket's name.
    private static var account: String { "" }

    private(set) var budgets: [String: Budget] = [:]
    private(set) var pauses: [String: Pause] = [:]
    private var permits: [String: Permit] = [:]

    /// Reserves a request of a bucket, if its budget allows.
    ///
    /// - Parameters:
    ///   - permit: The identifier of the permit, which ``finish(_:in:reporting:limitedBy:now:)`` returns.
    ///   - expiry: The time after which the permit no longer counts.
    mutating func reserve(_ permit: String, in bucket: String, until expiry: Date, now: Date) -> Outcome {
        for (id, permit) in permits where permit.expires <= now {
            permits[id] = nil
            budgets[permit.bucket]?.lostCount += 1
        }
        pauses = pauses.filter { $0.value.end > now }
        if let pause = [pauses[Self.account], pauses[bucket]].compactMap(\.self).max(by: { $0.end < $1.end }) {
            return .refused(pause.limit)
        }
        var budget = budgets[bucket]
        if let known = budget, let end = known.end, end.addingTimeInterval(Self.margin) <= now {
            // At least one, since only a response reports the new limit.
            budget = Budget(limit: known.limit, remaining: max(1, known.limit), reset: known.reset, end: nil)
            budgets[bucket] = budget
        }
        let used = permits.values.count { $0.bucket == bucket }
        guard used < budget?.room ?? Self.unknownLimit else {
            guard let budget, let end = budget.end, budget.remaining == 0 || used == 0 else { return .busy }
            return .refused(BrowseError.RateLimit(kind: .primary, retryAt: end, isServerTime: true))
        }
        permits[permit] = Permit(bucket: bucket, expires: expiry, lostCount: budget?.lostCount ?? 0)
        return .admitted
    }

    /// Ends a request, with the limits that its response reports.
    ///
    /// - Parameters:
    ///   - permit: The permit of the request.
    ///   - bucket: The bucket that the response names.
    ///   - reported: The response's headers; `nil` without a response.
    ///   - limit: The limit that the response reports as exhausted.
    mutating func finish(
        _ permit: String,
        in bucket: String,
        reporting reported: RateLimitHeaders?,
        limitedBy limit: BrowseError.RateLimit?,
        now: Date
    ) {
        let ended = permits.removeValue(forKey: permit)
        if let reported {
            update(bucket, from: reported, after: ended?.bucket == bucket ? ended?.lostCount ?? 0 : 0, now: now)
        } else if let ended {
            budgets[ended.bucket]?.lostCount += 1
        }
        guard let limit else { return }
        let key = limit.kind == .secondary ? Self.account : bucket
        let end = max(limit.retryAt, now.addingTimeInterval(Self.margin))
        if let known = pauses[key], known.end >= end { return }
        pauses[key] = Pause(end: end, isSecondary: limit.kind == .secondary, isServerTime: limit.isServerTime)
    }

    private mutating func update(
        _ bucket: String,
        from reported: RateLimitHeaders,
        after lostCount: Int,
        now: Date
    ) {
        let end = max(
            RetryAfter.localDate(reported.reset, skew: reported.skew, now: now),
            now.addingTimeInterval(Self.margin)
        )
        var new = Budget(limit: reported.limit, remaining: reported.remaining, reset: reported.reset, end: end)
        if let known = budgets[bucket] {
            let difference = reported.reset.timeIntervalSince(known.reset)
            // Reports of earlier periods don't count.
            guard difference > Self.jitter || difference >= -Self.jitter && known.end != nil else { return }
            new.lostCount = known.lostCount
            new.includedLostCount = max(known.includedLostCount, lostCount)
            if difference <= Self.jitter, let knownEnd = known.end {
                // Responses arrive out of order.
                new.remaining = min(known.remaining, reported.remaining)
                (new.reset, new.end) = (max(known.reset, reported.reset), max(knownEnd, end))
            }
        }
        budgets[bucket] = new
    }
}
