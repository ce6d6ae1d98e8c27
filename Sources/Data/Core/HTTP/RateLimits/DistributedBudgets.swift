import BrowseDomain
import Foundation

/// The stored rate limits of an account, which all processes change.
///
/// A permit stands for a request in flight. Permits expire, so that a process that was killed doesn't occupy them.
struct DistributedBudgets: Codable, Hashable {
    /// The budget of a bucket.
    struct Budget: Codable, Hashable {
        var period: RateLimitPeriod
        /// The requests that ended without a response, which the service may have counted.
        var lostCount = 0
        /// The number of lost requests before the last report or reset, which no longer count.
        var includedLostCount = 0

        /// The requests that may be in flight at once.
        var room: Int { period.remaining - (lostCount - includedLostCount) }

        /// Starts an unknown period after the reset.
        mutating func pass() {
            period.pass()
            includedLostCount = lostCount
        }
    }

    /// A time without requests.
    struct Pause: Codable, Hashable {
        var end: Date
        var isSecondary: Bool
        var isServerTime: Bool

        init(_ limit: BrowseError.RateLimit) {
            (end, isSecondary, isServerTime) = (limit.retryAt, limit.kind == .secondary, limit.isServerTime)
        }

        var limit: BrowseError.RateLimit {
            BrowseError.RateLimit(kind: isSecondary ? .secondary : .primary, retryAt: end, isServerTime: isServerTime)
        }
    }

    private struct Permit: Codable, Hashable {
        var bucket: String
        var expires: Date
        /// The budget's ``Budget/lostCount`` when the request was reserved.
        var lostCount: Int
        /// The value of ``DistributedBudgets/lastReport`` when the request was reserved.
        var sentAfter: Int
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
    /// The time after a reset at which it has passed for all processes, in seconds.
    private static var margin: TimeInterval { 1 }
    /// The pauses' key for the whole account, which is no bucket's name.
    private static var account: String { "" }

    private(set) var budgets: [String: Budget] = [:]
    private(set) var pauses: [String: Pause] = [:]
    private var permits: [String: Permit] = [:]
    /// The number of reports so far.
    private var lastReport = 0

    init() {}

    /// Reads stored limits; unreadable ones are replaced, since responses report the limits again.
    init(stored data: Data?) {
        if let data, let stored = try? JSONDecoder().decode(Self.self, from: data), stored.isPlausible { self = stored }
    }

    /// Whether all numbers can be counted on; another program may have stored any.
    private var isPlausible: Bool {
        let counts = 0...(1 << 30)
        return counts.contains(lastReport)
            && permits.values.allSatisfy { counts.contains($0.lostCount) && counts.contains($0.sentAfter) }
            && budgets.values.allSatisfy { budget in
                budget.period.remaining >= 0 && budget.period.limit >= 0 && budget.period.lastReport <= lastReport
                    && counts.contains(budget.lostCount)
                    && (0...budget.lostCount).contains(budget.includedLostCount)
            }
    }

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
        if let end = budgets[bucket]?.period.end, end.addingTimeInterval(Self.margin) <= now {
            budgets[bucket]?.pass()
        }
        let budget = budgets[bucket]
        let used = permits.values.count { $0.bucket == bucket }
        guard used < budget?.room ?? Self.unknownLimit else {
            guard let budget, let end = budget.period.end, budget.period.remaining == 0 || used == 0 else {
                return .busy
            }
            return .refused(.exhausted(until: end))
        }
        permits[permit] = Permit(
            bucket: bucket,
            expires: expiry,
            lostCount: budget?.lostCount ?? 0,
            sentAfter: lastReport
        )
        return .admitted
    }

    /// Ends a request, with the limits that its response reports.
    ///
    /// - Parameters:
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
            update(bucket, from: reported, after: ended, now: now)
        } else if let ended {
            budgets[ended.bucket]?.lostCount += 1
        }
        guard let limit else { return }
        let key = limit.kind == .secondary ? Self.account : bucket
        if let known = pauses[key], known.end >= limit.retryAt { return }
        pauses[key] = Pause(limit)
    }

    /// Applies a report; the permit is `nil` if it has expired.
    private mutating func update(_ bucket: String, from reported: RateLimitHeaders, after permit: Permit?, now: Date) {
        lastReport += 1
        // Without a permit, it's unknown when the request was sent.
        let order = RateLimitOrder(sentAfter: permit?.sentAfter ?? -1, number: lastReport)
        guard var budget = budgets[bucket] else {
            guard makeRoom(now: now) else { return }
            budgets[bucket] = Budget(period: RateLimitPeriod(reported, number: order.number, now: now))
            return
        }
        guard budget.period.update(from: reported, order, now: now) else { return }
        if let permit, permit.bucket == bucket {
            budget.includedLostCount = min(max(budget.includedLostCount, permit.lostCount), budget.lostCount)
        }
        budgets[bucket] = budget
    }

    /// Makes room for a budget by removing those whose period has passed; returns `false` if there is none.
    private mutating func makeRoom(now: Date) -> Bool {
        guard budgets.count >= RateLimitPeriod.maxBuckets else { return true }
        budgets = budgets.filter { $0.value.period.end.map { $0.addingTimeInterval(Self.margin) > now } ?? false }
        return budgets.count < RateLimitPeriod.maxBuckets
    }
}
