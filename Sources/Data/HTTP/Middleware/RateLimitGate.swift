public import BrowseDomain
public import Foundation
import Synchronization

/// Holds back requests whose rate limit is exhausted, until the reset or the end of their patience.
///
/// Each account has a budget per bucket, learned from `X-RateLimit-…` headers and refusals. A secondary limit pauses all
/// buckets of the account: for the time that the service names, or for a minute, doubled each time up to 15 minutes. Waiters
/// are admitted by priority, then first come, first served, and only as many as the budget allows.
///
/// Processes that share a ``RateLimitStore`` stay within one budget.
///
/// Source: GitHub's "Rate limits for the REST API".
public final class RateLimitGate: HTTPMiddleware {
    typealias Queue = RequestQueue<RateLimitBudget>
    typealias Key = SharedRateLimits.Key

    /// An endpoint of an account.
    private struct Source: Hashable {
        let account: String?
        let endpoint: String
    }

    /// The secondary limits of an account.
    private struct SecondaryLimits {
        /// The number since the last success.
        var consecutive = 0
        var total = 0
        /// The limit that ends last; it may have passed.
        var latest: BrowseError.RateLimit?
    }

    private struct State {
        var queues: [Key: Queue] = [:]
        /// The buckets named in responses that differ from the endpoint's own.
        var buckets: [Source: String] = [:]
        var secondaryLimits: [String?: SecondaryLimits] = [:]
        /// The account of the last response, whose budgets are published.
        var publishedAccount: String?
    }

    private let service: HTTPClient.Service
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    let shared: SharedRateLimits?
    private let state = Mutex(State())
    private let broadcast = Broadcast<[RateLimitStatus]>(replaying: [])
    /// Serializes publishing, so that the newest budgets are published last.
    private let publishing = Mutex(())

    /// Creates the middleware without known budgets.
    ///
    /// - Parameters:
    ///   - service: Recognizes responses that mean an exhausted rate limit.
    ///   - store: The budgets that other processes or gates use too; `nil` counts only this gate's requests.
    ///   - storeTimeout: The longest wait for the store; see ``RateLimitStore/update(_:_:)``.
    ///   - now: Returns the current time, to interpret the service's times.
    ///   - clock: Measures waits.
    public init(
        service: HTTPClient.Service,
        store: (any RateLimitStore)? = nil,
        storeTimeout: Duration = .milliseconds(250),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.service = service
        self.now = now
        self.clock = clock
        shared = store.map {
            SharedRateLimits($0, service: service.baseURL, timeout: storeTimeout, clock: clock, now: now)
        }
    }

    /// The known budgets of the account that sent the last request, sorted by bucket.
    public var statuses: [RateLimitStatus] { broadcast.replayed ?? [] }

    /// The known budgets, now and after each change; a slow listener gets only the newest.
    public var changes: AsyncStream<[RateLimitStatus]> { broadcast.stream(.bufferingNewest(1)) }

    var waiting: Int { state.withLock { Array($0.queues.values) }.reduce(0) { $0 + $1.waiting } }

    /// Forwards the request when its budget allows.
    ///
    /// - Throws: `.rateLimited` if that exceeds the request's patience; `.cancelled` if the task is canceled.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard var key = key(for: request) else {
            let response = try await next(request)
            note(
                response,
                to: request,
                key: Key(account: request.account, bucket: RateLimitStatus.core),
                secondaryLimitsBefore: nil
            )
            return response
        }
        if let shared { return try await send(request, key, sharing: shared, next) }
        let priority = SharedPriority.current?.priority ?? request.options.priority
        if !queue(for: key).admitImmediately(priority) { key = try await enter(key, request) }
        let limits = secondaryLimitCount(of: request.account)
        do throws(BrowseError) {
            let response = try await next(request)
            note(response, to: request, key: key, secondaryLimitsBefore: limits)
            return response
        } catch {
            // It's unknown whether the server counted the request; the next response reports it.
            queue(for: key).update { budget, _ in budget.finish() }
            throw error
        }
    }

    /// Updates the budgets of the account that sent the last request, from a response body.
    ///
    /// `serverDate` is the time by the server's clock; `nil` if unknown.
    func update(from budgets: [RateLimitStatus], serverDate: Date?) {
        let account = state.withLock { $0.publishedAccount }
        for budget in budgets {
            let key = Key(account: account, bucket: budget.bucket)
            guard canStore(key) else { continue }
            let reported = RateLimitHeaders(budget, serverDate: serverDate, now: now())
            queue(for: key).update { budget, offset in
                budget.update(from: reported, at: budget.time(at: offset), isNewest: true)
            }
        }
        publish(account)
    }

    /// Waits until a budget allows a request.
    ///
    /// Not inlined: most requests are admitted immediately, and their frames need no space for waiting.
    ///
    /// - Returns: The key of the budget that admitted the request, which differs if the service named another bucket meanwhile.
    @inline(never)
    func enter(_ key: Key, _ request: HTTPRequest) async throws(BrowseError) -> Key {
        var key = key
        while true {
            try await wait(in: queue(for: key), request)
            guard let current = self.key(for: request), current != key else { return key }
            queue(for: key).update { budget, _ in budget.finish() }
            key = current
        }
    }

    private func wait(in queue: Queue, _ request: HTTPRequest) async throws(BrowseError) {
        let start = queue.now
        let deadline = request.deadline
        // Limited, since adding a very large patience overflows.
        let patience = min(request.patience - (deadline?.waitedForRateLimit ?? .zero), .seconds(1_000_000_000))
        let priority = SharedPriority.current(or: request.options.priority)
        let wait = RateLimitWait.current
        let outcome = await queue.enter(priority, until: start + patience) { budget in
            let (pause, end) = budget.refusal(at: start)
            ExchangeTrace.note(.waiting(.rateLimit(until: end.map { _ in pause.end.date })))
            wait?.report(pause.end.date, of: priority)
        }
        deadline?.exclude(queue.now - start)
        wait?.report(nil, of: priority)
        switch outcome {
        case .admitted: return
        case .refused(let pause): throw .rateLimited(pause.limit, request.info)
        case .cancelled: throw .cancelled
        }
    }
}

extension RateLimitGate {
    /// The maximum pause after a secondary limit in seconds, unless the server names a time.
    private static var maxPause: TimeInterval { 900 }
    /// The maximum number of buckets of an account; a server could send any number of names.
    private static var maxBuckets: Int { 32 }
    private static var maxEndpoints: Int { 256 }

    /// Returns the key of a request's budget; `nil` if it has none.
    private func key(for request: HTTPRequest) -> Key? {
        guard let declared = request.bucket else { return nil }
        let source = Source(account: request.account, endpoint: request.endpoint)
        return Key(account: request.account, bucket: state.withLock { $0.buckets[source] } ?? declared)
    }

    private func canStore(_ key: Key) -> Bool {
        state.withLock { state in
            state.queues[key] != nil || state.queues.keys.count { $0.account == key.account } < Self.maxBuckets
        }
    }

    func queue(for key: Key) -> Queue {
        state.withLock { state in
            if let queue = state.queues[key] { return queue }
            let queue = Queue(RateLimitBudget(now: now), clock: clock, alarmsAreTimeLimits: false)
            if let limit = state.secondaryLimits[key.account]?.latest { Self.pause(queue, limit) }
            state.queues[key] = queue
            return queue
        }
    }

    /// Returns the key of the budget in a response, and stores it for later requests of the endpoint.
    private func key(named bucket: String?, for request: HTTPRequest, insteadOf key: Key) -> Key {
        guard let bucket, bucket != key.bucket else { return key }
        let named = Key(account: key.account, bucket: bucket)
        guard canStore(named) else { return key }
        guard request.bucket != nil else { return named }
        let source = Source(account: key.account, endpoint: request.endpoint)
        let isStored = state.withLock { state in
            guard state.buckets[source] != nil || state.buckets.count < Self.maxEndpoints else { return false }
            state.buckets[source] = bucket
            return true
        }
        return isStored ? named : key
    }

    /// Updates the budgets and pauses from a response.
    ///
    /// `secondaryLimitsBefore` is the account's total when the request was sent; `nil` for a request without a budget.
    @discardableResult
    func note(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        key: Key,
        secondaryLimitsBefore: Int?
    ) -> (bucket: String, reported: RateLimitHeaders?, limit: BrowseError.RateLimit?) {
        let now = now()
        let reported = RateLimitHeaders(response.headers, now: now)
        var limit = service.rateLimit(of: response, now: now)
        // Headers that name no bucket describe the endpoint's own bucket.
        let bucket = RateLimitHeaders.bucket(response.headers) ?? reported.flatMap { _ in request.bucket }
        let named = self.key(named: bucket, for: request, insteadOf: key)
        if let secondaryLimitsBefore {
            if let known = limit, known.kind == .secondary {
                limit = pause(key.account, known, secondaryLimitsBefore: secondaryLimitsBefore)
            } else if limit == nil {
                state.withLock { state in
                    guard state.secondaryLimits[key.account]?.total == secondaryLimitsBefore else { return }
                    state.secondaryLimits[key.account]?.consecutive = 0
                }
            }
        }
        // In one update, so that the request is counted once: as in flight before, in the server's count after.
        queue(for: named).update { [limit] budget, offset in
            let now = budget.time(at: offset)
            if secondaryLimitsBefore != nil, named == key { budget.finish() }
            if let reported { budget.update(from: reported, at: now) }
            if let limit, limit.kind == .primary {
                let soonest = now.advanced(by: RateLimitBudget.retryInterval)
                let end = limit.retryAt < soonest.date ? soonest : now.at(limit.retryAt)
                budget.startPause(RateLimitBudget.Pause(kind: .primary, end: end, isServerTime: limit.isServerTime))
            }
        }
        if secondaryLimitsBefore != nil, named != key { queue(for: key).update { budget, _ in budget.finish() } }
        publish(key.account)
        return (named.bucket, reported, limit)
    }

    /// The number of secondary limits of an account so far.
    func secondaryLimitCount(of account: String?) -> Int { state.withLock { $0.secondaryLimits[account]?.total ?? 0 } }

    /// Pauses an account; returns the limit with the end of the pause.
    private func pause(
        _ account: String?,
        _ limit: BrowseError.RateLimit,
        secondaryLimitsBefore: Int
    ) -> BrowseError.RateLimit {
        let now = now()
        let (queues, limit) = state.withLock { state in
            var limits = state.secondaryLimits[account] ?? SecondaryLimits()
            // Requests that were in flight together count once.
            if limits.total == secondaryLimitsBefore {
                limits.total += 1
                limits.consecutive = min(limits.consecutive + 1, 10)
            }
            var limit = limit
            if !limit.isServerTime {
                let wait = limit.retryAt.timeIntervalSince(now) * pow(2, Double(max(1, limits.consecutive) - 1))
                limit.retryAt = now.addingTimeInterval(min(wait, Self.maxPause))
            }
            // Also pauses buckets that are first used during the pause.
            if limit.retryAt > limits.latest?.retryAt ?? .distantPast { limits.latest = limit }
            state.secondaryLimits[account] = limits
            return (state.queues.filter { $0.key.account == account }.values, limit)
        }
        for queue in queues { Self.pause(queue, limit) }
        return limit
    }

    static func pause(_ queue: Queue, _ limit: BrowseError.RateLimit) {
        queue.update { budget, offset in
            let end = budget.time(at: offset).at(limit.retryAt)
            budget.startPause(RateLimitBudget.Pause(kind: limit.kind, end: end, isServerTime: limit.isServerTime))
        }
    }

    func publish(_ account: String?) {
        publishing.withLock { _ in
            let queues = state.withLock { state in
                state.publishedAccount = account
                return state.queues.filter { $0.key.account == account }
            }
            let budgets = queues.compactMap { key, queue in queue.rule.status(of: key.bucket, at: queue.now) }
                .sorted { $0.bucket < $1.bucket }
            if budgets != broadcast.replayed { broadcast.send(budgets, isReplayed: true) }
        }
    }
}

extension HTTPClient.Service {
    /// Returns the rate limit that a response reports as exhausted; `nil` if there is none.
    func rateLimit(of response: HTTPResponse, now: Date) -> BrowseError.RateLimit? {
        guard [403, 429].contains(response.status),
            case .rateLimited(let limit, _) = error(
                for: response,
                info: BrowseError.RequestInfo(endpoint: ""),
                now: now
            )
        else { return nil }
        return limit
    }
}

extension Duration {
    /// The duration in seconds.
    var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
