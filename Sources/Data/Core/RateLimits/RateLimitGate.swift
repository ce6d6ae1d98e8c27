package import BrowseDomain
package import Foundation
import Synchronization

/// Fails requests over a rate limit at once, with the time of the next attempt.
///
/// If a response reports in `X-RateLimit-…` headers that nothing remains of a bucket, its requests
/// fail until the reset, and so they do after a refusal, until the time that the service names. A
/// secondary limit pauses all buckets of the account: for the time that the service names, or for a
/// minute, doubled each time up to 15 minutes. No request waits; to wait, sleep until
/// `BrowseError.RateLimit.retryAt`, and send it again.
///
/// The answer to a request that was sent later replaces an earlier one. When a person tries again,
/// the gate asks the service first, if that reports its limits, at most once in ten seconds.
///
/// One gate serves any number of accounts. A monotonic clock measures pauses, so setting the
/// device's clock doesn't change them.
///
/// Source: GitHub's "Rate limits for the REST API".
package final class RateLimitGate: HTTPMiddleware {
    /// Sends at first, and after each response that can have changed a limit.
    let changes = Broadcast<Void>(replaying: ())
    private let service: HTTPClient.Service?
    private let now: @Sendable () -> Date
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(GateState())

    /// - Parameter service: Recognizes responses that mean an exhausted rate limit; `nil`
    ///   recognizes status 429.
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
    package func send(
        _ request: HTTPClient.Request,
        next: @escaping Next
    ) async throws(BrowseError) -> HTTPClient.Response {
        guard let bucket = request.bucket else { return try await next(request) }
        if limit(of: bucket, request) != nil {
            let mayBeSent = await ask(instead: request, next)
            guard !Task.isCancelled else { throw .cancelled }
            if let limit = mayBeSent ? nil : self.limit(of: bucket, request) { throw .rateLimited(limit, request.info) }
        }
        let sent = beginRequest()
        let response = try await next(request)
        learn(from: response, to: request, bucket, sent: sent)
        return response
    }

    /// The number of a request that is about to be sent.
    func beginRequest() -> Int {
        state.withLock { state in
            state.sent += 1
            return state.sent
        }
    }

    /// Applies the limits in the body of a response, which ends pauses after earlier refusals.
    ///
    /// It says nothing about secondary limits. A copy of a shared cache has no effect.
    ///
    /// - Parameter sent: The number of the request; see ``beginRequest()``.
    func update(from report: RateLimitReport, of account: String?, sent: Int) {
        guard !report.isCopy else { return }
        let now = moment
        state.withLock { state in
            state.change(account, at: now) { account in
                for period in report.periods(at: now, sent: sent) {
                    account.endPause(of: period.reported.bucket, before: sent)
                    account.update(with: period, at: now, isReport: true)
                }
            }
        }
        changes.send(())
    }

    private var moment: Moment { (elapsed(), now()) }

    private func limit(of bucket: String, _ request: HTTPClient.Request) -> BrowseError.RateLimit? {
        let now = moment
        return state.withLock { $0.accounts[request.account]?.limit(of: bucket, at: now) }
    }

    /// Asks the service for its limits when a person tries again.
    ///
    /// - Returns: Whether the request itself must ask, because the service has no report.
    private func ask(instead request: HTTPClient.Request, _ next: Next) async -> Bool {
        guard request.options.isRetry, let service, let endpoint = service.rateLimitReport,
            let url = try? endpoint.url(below: service.baseURL, info: request.info)
        else { return false }
        let now = elapsed()
        let (isFirst, hasReport) = state.withLock { state in
            let last = state.accounts[request.account]?.lastQuestion
            if let last, now - last < .seconds(10) { return (false, true) }
            state.accounts[request.account]?.lastQuestion = now
            return (true, state.hasReport)
        }
        guard isFirst, hasReport else { return !hasReport }
        var question = request
        question.method = .get
        question.url = url
        question.body = nil
        question.endpoint = endpoint.name
        question.bucket = nil
        question.headers = service.headers
        question.headers.merge(endpoint.headers)
        let sent = beginRequest()
        guard let response = try? await next(question) else {
            // Without an answer, the next attempt asks again.
            state.withLock { $0.accounts[request.account]?.lastQuestion = nil }
            return false
        }
        if response.status == 200, let report = try? endpoint.decode(response) {
            update(from: report, of: request.account, sent: sent)
        }
        if response.status == 404 { state.withLock { $0.hasReport = false } }
        return response.status == 404
    }

    private func learn(
        from response: HTTPClient.Response,
        to request: HTTPClient.Request,
        _ bucket: String,
        sent: Int
    ) {
        // `Authorization` sends no request with a token that is being replaced; its 401 isn't the
        // service's.
        guard response.refusedGrant?.isRefused != true, response.doubt == nil else { return }
        let now = moment
        // The count of another bucket than the endpoint's says nothing about it.
        let isOfBucket = (response.headers["X-RateLimit-Resource"] ?? bucket) == bucket
        let asksToWait = response.headers["Retry-After"] != nil
        var refusal = limit(in: response, to: request, at: now.date)
        if !isOfBucket, !asksToWait, refusal?.kind != .secondary { refusal = nil }
        let report = isOfBucket ? RateLimitReport(of: bucket, inHeadersOf: response, at: now.date) : nil
        state.withLock { state in
            let latest = state.sent
            state.change(request.account, at: now) { [refusal] account in
                if let refusal {
                    account.pause(bucket, after: refusal, at: now, sent: sent, latest: latest)
                } else if response.status < 500 {
                    account.resume(bucket, at: now, sent: sent)
                }
                for period in report?.periods(at: now, sent: sent) ?? [] { account.update(with: period, at: now) }
            }
        }
        changes.send(())
    }

    /// Returns the limit that a response refuses a request with; `nil` if it doesn't.
    private func limit(
        in response: HTTPClient.Response,
        to request: HTTPClient.Request,
        at date: Date
    ) -> BrowseError.RateLimit? {
        // Of images, which no service describes.
        if service == nil, response.status == 503, let end = RetryAfter.date(response.headers, now: date) {
            return BrowseError.RateLimit(kind: .primary, retryAt: end, isServerTime: true)
        }
        // Not only of a 403 or 429: the service decides.
        guard response.status >= 400 else { return nil }
        let error =
            service?.error(for: response, info: request.info, now: date)
            ?? BrowseError(response, info: request.info, now: date)
        return if case .rateLimited(let limit, _) = error { limit } else { nil }
    }
}

/// A time since the creation of the gate, by the monotonic clock, and as a date.
private typealias Moment = (time: Duration, date: Date)

private struct GateState {
    /// The accounts by name.
    var accounts: [String?: Account] = [:]
    /// The number of requests so far.
    var sent = 0
    /// Whether the service has reported its limits, or wasn't asked.
    var hasReport = true

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
    /// The time of the last question by a person; `nil` if there was none.
    var lastQuestion: Duration?
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
        guard let last = holds.max(by: { $0.end < $1.end }) else { return nil }
        // By the current date, since the device's clock may have been set meanwhile.
        return modified(last.limit) { $0.retryAt = now.date.addingTimeInterval((last.end - now.time) / .seconds(1)) }
    }

    /// Takes over a count of the service; that of a report is exact.
    mutating func update(with new: Period, at now: Moment, isReport: Bool = false) {
        let bucket = new.reported.bucket
        // A service could report any number of buckets.
        guard buckets[bucket] != nil || buckets.count < 32 else { return }
        guard let old = buckets[bucket], !isReport || old.sent > new.sent else { return buckets[bucket] = new }
        buckets[bucket] = old.updated(with: new, at: now)
    }

    /// Ends pauses before a response that doesn't refuse its request, which was sent after them.
    mutating func resume(_ bucket: String, at now: Moment, sent: Int) {
        for key in [bucket, nil] { endPause(of: key, before: sent) }
        if pauses[nil].map({ $0.end <= now.time }) ?? true { backOff = 1 }
    }

    mutating func endPause(of key: String?, before sent: Int) {
        if let pause = pauses[key], pause.sent < sent { pauses[key] = nil }
    }

    /// Pauses requests after a refusal.
    ///
    /// - Parameter latest: The number of the latest request; those in flight don't end the pause.
    mutating func pause(
        _ bucket: String,
        after refusal: BrowseError.RateLimit,
        at now: Moment,
        sent: Int,
        latest: Int
    ) {
        let isPaused = pauses[nil].map { $0.end > now.time } ?? false
        var limit = refusal
        // At least a second, since the device's clock can reach a reset before the service's does.
        var wait = max(.seconds(1), RetryAfter.wait(until: limit.retryAt, now: now.date))
        // Refusals of requests that were in flight together count once.
        if limit.kind == .secondary, !limit.isServerTime, !isPaused {
            wait = min(wait * backOff, .seconds(900))
            backOff = min(backOff * 2, 16)
        }
        limit.retryAt = now.date.addingTimeInterval(wait / .seconds(1))
        let key = limit.kind == .primary ? bucket : nil
        let end = now.time + wait
        endPause(of: key, before: sent)
        if end > pauses[key]?.end ?? .zero { pauses[key] = (limit, end, latest) }
    }

    private func pauses(of bucket: String, at now: Moment) -> [Hold] {
        [pauses[nil], pauses[bucket]].compactMap(\.self).filter { $0.end > now.time }
    }
}

/// A limit that refuses requests until a time, and the number of the latest request before it.
private typealias Hold = (limit: BrowseError.RateLimit, end: Duration, sent: Int)

/// A report, with the end of its period.
private struct Period {
    /// The report; the time of its reset is by the server's clock, and identifies the period.
    var reported: RateLimitStatus
    var end: Duration
    var resetsAt: Date
    /// The number of the latest request that it was reported to.
    var sent: Int

    /// - Parameter skew: The seconds by which the local clock is ahead of the server's.
    init(_ reported: RateLimitStatus, skew: TimeInterval, at now: Moment, sent: Int) {
        let wait = RetryAfter.wait(until: reported.resetsAt + skew, now: now.date)
        self.reported = reported
        self.reported.resetsAt = min(reported.resetsAt, now.date + RetryAfter.maxWait - skew)
        self.sent = sent
        end = now.time + wait
        resetsAt = now.date + wait / .seconds(1)
    }

    /// Returns the period after another report.
    ///
    /// That of the request that was sent later wins; within one, the lower count.
    func updated(with new: Period, at now: Moment) -> Period {
        // The clocks of servers that share a count differ by a second.
        guard abs(new.reported.resetsAt.timeIntervalSince(reported.resetsAt)) <= 2 else {
            return new.sent > sent ? new : self
        }
        guard end > now.time else { return self }
        var latest = new
        latest.reported.remaining = min(new.reported.remaining, reported.remaining)
        latest.reported.resetsAt = max(new.reported.resetsAt, reported.resetsAt)
        // A slow transfer makes an end late, so the earliest is the most precise.
        latest.end = min(
            new.end + .seconds(latest.reported.resetsAt.timeIntervalSince(new.reported.resetsAt)),
            end + .seconds(latest.reported.resetsAt.timeIntervalSince(reported.resetsAt))
        )
        latest.resetsAt = now.date.addingTimeInterval((latest.end - now.time) / .seconds(1))
        latest.sent = max(sent, new.sent)
        return latest
    }

    /// The limit if nothing remains; `nil` after the reset.
    func hold(at now: Moment) -> Hold? {
        guard reported.remaining == 0, end > now.time else { return nil }
        return (BrowseError.RateLimit(kind: .primary, retryAt: resetsAt, isServerTime: true), end, sent)
    }
}

extension RateLimitReport {
    /// The reported periods; none in the copy of a shared cache.
    fileprivate func periods(at now: Moment, sent: Int) -> [Period] {
        let skew = RetryAfter.skew(serverDate, now: now.date)
        return isCopy ? [] : statuses.map { Period($0, skew: skew, at: now, sent: sent) }
    }
}
