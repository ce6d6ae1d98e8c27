package import BrowseDomain
package import Foundation
import Synchronization

/// Fails requests over a rate limit at once, with the time of the next attempt.
///
/// If a response reports in `X-RateLimit-…` headers that nothing remains of a bucket, its requests fail until the reset, and so they
/// do after a refusal, until the time that the service names. A secondary limit pauses all buckets of the account: for the time that the service
/// names, or for a minute, doubled each time up to 15 minutes. No request waits; to wait, sleep until
/// `BrowseError.RateLimit.retryAt`, and send it again.
///
/// One gate serves any number of accounts. A monotonic clock measures pauses, so setting the device's clock doesn't change them.
///
/// Source: GitHub's "Rate limits for the REST API".
package final class RateLimitGate: HTTPMiddleware {
    /// Sends after each response that can have changed a limit.
    let changes = Broadcast<Void>()
    private let service: HTTPClient.Service?
    private let now: @Sendable () -> Date
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(GateState())

    /// - Parameter service: Recognizes responses that mean an exhausted rate limit; `nil` recognizes status 429.
    package init(
        service: HTTPClient.Service? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.service = service
        self.now = now
        elapsed = clock.stopwatch()
    }

    /// Returns the known limits of an account, sorted by bucket; `nil` is the anonymous account.
    package func statuses(of account: String?) -> [RateLimitStatus] {
        let now = moment
        return state.withLock { $0.accounts[account]?.statuses(at: now) } ?? []
    }

    /// Forwards a request if its limit allows it; one without a bucket always.
    ///
    /// - Throws: `.rateLimited` if it isn't sent.
    package func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError)
        -> HTTPClient.Response
    {
        guard let bucket = request.bucket else { return try await next(request) }
        let now = moment
        let limit = state.withLock { $0.accounts[request.account]?.limit(of: bucket, at: now) }
        if let limit { throw .rateLimited(limit, request.info) }
        let response = try await next(request)
        learn(from: response, to: request, bucket)
        return response
    }

    /// Applies the limits in a body, whatever is known; so a wrong time is corrected.
    func update(from report: RateLimitReport, of account: String?) {
        let now = moment
        state.withLock { state in
            state.change(account, at: now) { account in
                for status in report.statuses {
                    let reported = RateLimitHeaders(status, serverDate: report.serverDate, now: now.date)
                    account.buckets[status.bucket] = nil
                    account.update(status.bucket, from: reported, at: now)
                }
            }
        }
        changes.send(())
    }

    private var moment: Moment { Moment(time: elapsed(), date: now()) }

    private func learn(from response: HTTPClient.Response, to request: HTTPClient.Request, _ bucket: String) {
        // `Authorization` sends no request with a token that is being replaced; its 401 isn't the service's.
        guard response.refusedGrant?.isRefused != true else { return }
        let now = moment
        // The count of another bucket than the endpoint's says nothing about it.
        let isOfBucket = (response.headers["X-RateLimit-Resource"] ?? bucket) == bucket
        let asksToWait = response.headers["Retry-After"] != nil
        let refusal = limit(in: response, to: request, at: now.date)
            .flatMap { isOfBucket || asksToWait || $0.kind == .secondary ? $0 : nil }
        let reported = isOfBucket ? RateLimitHeaders(response.headers, now: now.date) : nil
        state.withLock { state in
            state.change(request.account, at: now) { account in
                account.pause(bucket, after: refusal, at: now)
                if let reported { account.update(bucket, from: reported, at: now) }
            }
        }
        changes.send(())
    }

    /// Returns the limit that a response refuses a request with; `nil` if it doesn't.
    private func limit(in response: HTTPClient.Response, to request: HTTPClient.Request, at date: Date) -> BrowseError
        .RateLimit?
    {
        guard [403, 429].contains(response.status) else { return nil }
        let error =
            service?.error(for: response, info: request.info, now: date)
            ?? BrowseError(response, info: request.info, now: date)
        return if case .rateLimited(let limit, _) = error { limit } else { nil }
    }
}

/// A time since the creation of the gate, by the monotonic clock, and as a date.
private struct Moment {
    let time: Duration
    let date: Date
}

private struct GateState {
    /// The accounts by name.
    var accounts: [String?: Account] = [:]

    /// Changes an account; a new one can replace others.
    mutating func change(_ name: String?, at now: Moment, _ change: (inout Account) -> Void) {
        let limit = 1000
        if accounts[name] == nil, accounts.count >= limit {
            accounts = accounts.filter { !$0.value.isIdle(at: now) }
            if accounts.count >= limit, let other = accounts.keys.first { accounts[other] = nil }
        }
        change(&accounts[name, default: Account()])
    }
}

/// The limits of one account.
private struct Account {
    var buckets: [String: Period] = [:]
    /// The pauses after refusals, by bucket; that of `nil` is for all buckets.
    private var pauses: [String?: Hold] = [:]
    /// Multiplies the next pause whose time the service doesn't name.
    private var backOff = 1

    /// Whether a new account would allow the same requests.
    func isIdle(at now: Moment) -> Bool {
        pauses.values.allSatisfy { $0.end <= now.time } && buckets.values.allSatisfy { $0.hold(at: now) == nil }
    }

    func statuses(at now: Moment) -> [RateLimitStatus] {
        buckets.map { name, period in
            RateLimitStatus(
                bucket: name,
                limit: period.reported.limit,
                remaining: period.end > now.time ? period.reported.remaining : period.reported.limit,
                resetsAt: period.resetsAt,
                pausedUntil: pauses(of: name, at: now).map(\.limit.retryAt).max()
            )
        }
        .sorted { $0.bucket < $1.bucket }
    }

    /// Returns the limit that another request would exceed; `nil` if there is none.
    func limit(of bucket: String, at now: Moment) -> BrowseError.RateLimit? {
        let holds = pauses(of: bucket, at: now) + [buckets[bucket]?.hold(at: now)].compactMap(\.self)
        guard var last = holds.max(by: { $0.end < $1.end }) else { return nil }
        // By the current date, since the device's clock may have been set meanwhile.
        last.limit.retryAt = now.date.addingTimeInterval((last.end - now.time).timeInterval)
        return last.limit
    }

    mutating func update(_ bucket: String, from reported: RateLimitHeaders, at now: Moment) {
        // A service could report any number of buckets.
        guard buckets[bucket] != nil || buckets.count < 32 else { return }
        let new = Period(reported, at: now)
        buckets[bucket] = buckets[bucket].map { $0.updated(with: new, at: now) } ?? new
    }

    /// Pauses requests after a refusal; `nil` is another response.
    mutating func pause(_ bucket: String, after refusal: BrowseError.RateLimit?, at now: Moment) {
        let isPaused = pauses[nil].map { $0.end > now.time } ?? false
        guard var limit = refusal else {
            if !isPaused { backOff = 1 }
            return
        }
        // At least a second, since the device's clock can reach a reset before the service's does.
        var wait = max(.seconds(1), RateLimitHeaders.wait(until: limit.retryAt, now: now.date))
        // Refusals of requests that were in flight together count once.
        if limit.kind == .secondary, !limit.isServerTime, !isPaused {
            wait = min(wait * backOff, .seconds(900))
            backOff = min(backOff * 2, 16)
        }
        limit.retryAt = now.date.addingTimeInterval(wait.timeInterval)
        let (key, end) = (limit.kind == .primary ? bucket : nil, now.time + wait)
        if end > pauses[key]?.end ?? .zero { pauses[key] = (limit, end) }
    }

    private func pauses(of bucket: String, at now: Moment) -> [Hold] {
        [pauses[nil], pauses[bucket]].compactMap(\.self).filter { $0.end > now.time }
    }
}

/// A limit that refuses requests until a time.
private typealias Hold = (limit: BrowseError.RateLimit, end: Duration)

/// A report, with the end of its period.
private struct Period {
    let reported: RateLimitHeaders
    let end: Duration
    let resetsAt: Date

    init(_ reported: RateLimitHeaders, end: Duration? = nil, at now: Moment) {
        self.reported = reported
        self.end = end ?? now.time + reported.wait
        resetsAt = now.date.addingTimeInterval((self.end - now.time).timeInterval)
    }

    /// Returns the period after another report: the later one wins; within one, the lower count.
    func updated(with new: Period, at now: Moment) -> Period {
        var latest = new.reported
        // The clocks of servers that share a count differ by a second.
        guard latest.reset <= reported.reset + 2 else { return new }
        // The response of an earlier period is late.
        guard latest.reset >= reported.reset - 2, end > now.time else { return self }
        latest.remaining = min(latest.remaining, reported.remaining)
        latest.reset = max(latest.reset, reported.reset)
        // A slow transfer makes an end late, so the earliest is the most precise.
        let earliest = min(
            new.end + .seconds(latest.reset.timeIntervalSince(new.reported.reset)),
            end + .seconds(latest.reset.timeIntervalSince(reported.reset))
        )
        return Period(latest, end: earliest, at: now)
    }

    /// The limit if nothing remains; `nil` after the reset.
    func hold(at now: Moment) -> Hold? {
        guard reported.remaining == 0, end > now.time else { return nil }
        return (BrowseError.RateLimit(kind: .primary, retryAt: resetsAt, isServerTime: true), end)
    }
}

/// A rate limit as a service reports it, in `X-RateLimit-…` headers or in a body.
///
/// Source: GitHub's "Rate limits for the REST API".
struct RateLimitHeaders: Sendable {
    var limit: Int
    var remaining: Int
    /// The time of the reset by the server's clock, which identifies the period; at most a day from now.
    var reset: Date
    /// The time until the reset, 0 to a day.
    var wait: Duration

    /// Parses the headers of a response; `nil` if one is missing or invalid.
    init?(_ headers: HTTPHeaders, now: Date) {
        guard let limit = headers["X-RateLimit-Limit"].flatMap({ Int($0) }), limit >= 0,
            let remaining = headers["X-RateLimit-Remaining"].flatMap({ Int($0) }), remaining >= 0,
            let reset = headers["X-RateLimit-Reset"].flatMap(RetryAfter.reset)
        else { return nil }
        (self.limit, self.remaining) = (limit, remaining)
        (self.reset, wait) = Self.limited(reset, skew: RetryAfter.skew(headers, now: now), now: now)
    }

    /// Creates the rate limit in a body; `serverDate` is `nil` if unknown.
    init(_ status: RateLimitStatus, serverDate: Date?, now: Date) {
        (limit, remaining) = (status.limit, status.remaining)
        (reset, wait) = Self.limited(status.resetsAt, skew: RetryAfter.skew(serverDate, now: now), now: now)
    }

    private static func limited(_ reset: Date, skew: TimeInterval, now: Date) -> (Date, Duration) {
        (min(reset, now + RetryAfter.maxWait - skew), wait(until: reset + skew, now: now))
    }

    /// Returns the time until a local date, 0 to a day.
    ///
    /// A service can send any date: one in the past, one in another century, or one that isn't a number.
    static func wait(until date: Date, now: Date) -> Duration {
        .clampedSeconds(date.timeIntervalSince(now)).clamped(to: .zero...(.seconds(RetryAfter.maxWait)))
    }
}
