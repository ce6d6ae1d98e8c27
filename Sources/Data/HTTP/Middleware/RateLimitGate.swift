public import BrowseDomain
public import Foundation
import Synchronization

/// Sends nothing into an exhausted rate limit: requests wait until its reset, or fail at once with that time, as their
/// patience says.
///
/// Each account has a budget per bucket, learned from the headers of every response (`X-RateLimit-…`) and from refusals. A
/// secondary limit closes all buckets of the account: for the time that the service names, or for a minute, doubled each
/// time it happens again, up to 15 minutes. Waiters are admitted by priority, then first come, first served, and only as
/// many as the budget has room for.
///
/// Source: GitHub's "Rate limits for the REST API".
public final class RateLimitGate: HTTPMiddleware {
    private typealias Queue = RequestQueue<RateLimitBudget>

    private struct Key: Hashable {
        let account: String?
        let bucket: String
    }

    /// An account's kind of request.
    private struct Source: Hashable {
        let account: String?
        let endpoint: String
    }

    /// How often an account met a secondary limit.
    private struct Strikes {
        /// Without a success in between.
        var inRow = 0
        var total = 0
        /// The one that lasts the longest; it may have passed.
        var limit: BrowseError.RateLimit?
    }

    private struct State {
        var queues: [Key: Queue] = [:]
        /// The buckets that the service counts requests in, where it isn't the one that the endpoint declares.
        var buckets: [Source: String] = [:]
        var strikes: [String?: Strikes] = [:]
        /// The account of the last response, whose budgets are published.
        var published: String?
    }

    private let service: HTTPClient.Service
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let state = Mutex(State())
    private let broadcast = Broadcast<[RateLimitStatus]>(replaying: [])
    /// Locked while budgets are published, so that the newest are published last.
    private let publishing = Mutex(())

    /// Creates the middleware; nothing is known yet.
    ///
    /// - Parameters:
    ///   - service: Recognizes responses that mean an exhausted rate limit.
    ///   - now: The current time, for times that the service names.
    ///   - clock: Measures waits.
    public init(
        service: HTTPClient.Service,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.service = service
        self.now = now
        self.clock = clock
    }

    /// The known budgets of the account that sent the last request, by bucket.
    public var statuses: [RateLimitStatus] { broadcast.replayed ?? [] }

    /// The known budgets, now and after each change; a slow listener gets the newest.
    public var changes: AsyncStream<[RateLimitStatus]> { broadcast.stream(.bufferingNewest(1)) }

    /// The number of requests that wait.
    var waiting: Int { state.withLock { Array($0.queues.values) }.reduce(0) { $0 + $1.waiting } }

    /// Hands the request on once its budget has room.
    ///
    /// - Throws: `.rateLimited` when it has none within the request's patience; `.cancelled` when the task is canceled.
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
                strikesBefore: nil
            )
            return response
        }
        let priority = SharedPriority.current?.priority ?? request.options.priority
        if !queue(for: key).admitAtOnce(priority) { key = try await enter(key, request) }
        let strikes = state.withLock { $0.strikes[request.account]?.total ?? 0 }
        do throws(BrowseError) {
            let response = try await next(request)
            note(response, to: request, key: key, strikesBefore: strikes)
            return response
        } catch {
            // Whether the server has counted it isn't known; the next response tells.
            queue(for: key).update { budget, _ in budget.finish() }
            throw error
        }
    }

    /// Learns budgets that the service reported in a body; they are of the account that sent the last request.
    ///
    /// - Parameter serverDate: The time by the server's clock; `nil` when it isn't known.
    func learn(_ budgets: [RateLimitStatus], serverDate: Date?) {
        let account = state.withLock { $0.published }
        for budget in budgets {
            let key = Key(account: account, bucket: budget.bucket)
            guard canStore(key) else { continue }
            let told = RateLimitHeaders(budget, serverDate: serverDate, now: now())
            queue(for: key).update { budget, offset in
                budget.learn(told, at: budget.time(at: offset), isNewest: true)
            }
        }
        publish(account)
    }

    /// Waits until the budget of a key has room.
    ///
    /// Not inlined, since most requests are admitted at once, and then need no room for it in their frames.
    ///
    /// - Returns: The key of the budget that admitted the request; another one if the service meanwhile named another bucket.
    @inline(never)
    private func enter(_ key: Key, _ request: HTTPRequest) async throws(BrowseError) -> Key {
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
        // Bounded, since adding an endless patience overflows.
        let patience = min(request.patience - (deadline?.waitedForRateLimit ?? .zero), .seconds(1_000_000_000))
        let priority = SharedPriority.current(or: request.options.priority)
        let wait = RateLimitWait.current
        let outcome = await queue.enter(priority, until: start + patience) { budget in
            let (closing, end) = budget.refusal(at: start)
            ExchangeTrace.note(.waiting(.rateLimit(until: end.map { _ in closing.end.date })))
            wait?.report(closing.end.date, of: priority)
        }
        deadline?.exclude(queue.now - start)
        wait?.report(nil, of: priority)
        switch outcome {
        case .admitted: return
        case .refused(let closing): throw .rateLimited(closing.limit, request.info)
        case .cancelled: throw .cancelled
        }
    }
}

extension RateLimitGate {
    /// The longest time that a secondary limit closes without a time from the server, in seconds.
    private static var longestClosing: TimeInterval { 900 }
    /// The most buckets of an account, and the most endpoints whose bucket is stored: a server could invent names.
    private static var mostBuckets: Int { 32 }
    private static var mostEndpoints: Int { 256 }

    /// The budget that a request draws on; `nil` when it draws on none.
    private func key(for request: HTTPRequest) -> Key? {
        guard let declared = request.bucket else { return nil }
        let source = Source(account: request.account, endpoint: request.endpoint)
        return Key(account: request.account, bucket: state.withLock { $0.buckets[source] } ?? declared)
    }

    private func canStore(_ key: Key) -> Bool {
        state.withLock { state in
            state.queues[key] != nil || state.queues.keys.count { $0.account == key.account } < Self.mostBuckets
        }
    }

    private func queue(for key: Key) -> Queue {
        state.withLock { state in
            if let queue = state.queues[key] { return queue }
            let queue = Queue(RateLimitBudget(now: now), clock: clock, alarmsAreTimeLimits: false)
            if let limit = state.strikes[key.account]?.limit { Self.close(queue, limit) }
            state.queues[key] = queue
            return queue
        }
    }

    /// The budget that a response reports on, and to which the endpoint's next requests belong: the server knows best.
    private func key(named bucket: String?, for request: HTTPRequest, insteadOf key: Key) -> Key {
        guard let bucket, bucket != key.bucket else { return key }
        let named = Key(account: key.account, bucket: bucket)
        guard canStore(named) else { return key }
        guard request.bucket != nil else { return named }
        let source = Source(account: key.account, endpoint: request.endpoint)
        let isStored = state.withLock { state in
            guard state.buckets[source] != nil || state.buckets.count < Self.mostEndpoints else { return false }
            state.buckets[source] = bucket
            return true
        }
        return isStored ? named : key
    }

    /// Learns from a response what remains, and whether to send nothing for a time.
    ///
    /// - Parameters:
    ///   - key: The budget that the request drew on.
    ///   - strikesBefore: How often the account had met a secondary limit when the request was sent; `nil` when it drew on
    ///     no budget.
    private func note(_ response: HTTPResponse, to request: HTTPRequest, key: Key, strikesBefore: Int?) {
        let now = now()
        let told = RateLimitHeaders(response.headers, now: now)
        let limit = service.rateLimit(of: response, now: now)
        // Headers that name no bucket are of the one that the endpoint declares.
        let bucket = RateLimitHeaders.bucket(response.headers) ?? told.flatMap { _ in request.bucket }
        let named = self.key(named: bucket, for: request, insteadOf: key)
        if let strikesBefore {
            if let limit, limit.kind == .secondary {
                close(key.account, limit, strikesBefore: strikesBefore)
            } else if limit == nil {
                state.withLock { state in
                    if state.strikes[key.account]?.total == strikesBefore { state.strikes[key.account]?.inRow = 0 }
                }
            }
        }
        // In one step: before it, the request counts as in flight, and after it, the server has counted it.
        queue(for: named).update { budget, offset in
            let now = budget.time(at: offset)
            if strikesBefore != nil, named == key { budget.finish() }
            if let told { budget.learn(told, at: now) }
            if let limit, limit.kind == .primary {
                let pause = now.advanced(by: RateLimitBudget.pause)
                let end = limit.retryAt < pause.date ? pause : now.at(limit.retryAt)
                budget.close(RateLimitBudget.Closing(kind: .primary, end: end, isServerTime: limit.isServerTime))
            }
        }
        if strikesBefore != nil, named != key { queue(for: key).update { budget, _ in budget.finish() } }
        publish(key.account)
    }

    /// Closes all buckets of an account after a secondary limit.
    private func close(_ account: String?, _ limit: BrowseError.RateLimit, strikesBefore: Int) {
        let now = now()
        let (queues, limit) = state.withLock { state in
            var strikes = state.strikes[account] ?? Strikes()
            // Requests that were in flight together count once.
            if strikes.total == strikesBefore {
                strikes.total += 1
                strikes.inRow = min(strikes.inRow + 1, 10)
            }
            var limit = limit
            if !limit.isServerTime {
                let wait = limit.retryAt.timeIntervalSince(now) * pow(2, Double(max(1, strikes.inRow) - 1))
                limit.retryAt = now.addingTimeInterval(min(wait, Self.longestClosing))
            }
            // For buckets that are first used while it lasts.
            if limit.retryAt > strikes.limit?.retryAt ?? .distantPast { strikes.limit = limit }
            state.strikes[account] = strikes
            return (state.queues.filter { $0.key.account == account }.values, limit)
        }
        for queue in queues { Self.close(queue, limit) }
    }

    private static func close(_ queue: Queue, _ limit: BrowseError.RateLimit) {
        queue.update { budget, offset in
            let end = budget.time(at: offset).at(limit.retryAt)
            budget.close(RateLimitBudget.Closing(kind: limit.kind, end: end, isServerTime: limit.isServerTime))
        }
    }

    /// Publishes what is known of an account.
    private func publish(_ account: String?) {
        publishing.withLock { _ in
            let queues = state.withLock { state in
                state.published = account
                return state.queues.filter { $0.key.account == account }
            }
            let budgets = queues.compactMap { key, queue in queue.rule.published(as: key.bucket, at: queue.now) }
                .sorted { $0.bucket < $1.bucket }
            if budgets != broadcast.replayed { broadcast.send(budgets, isReplayed: true) }
        }
    }
}

extension HTTPClient.Service {
    /// The wait that a response asks for; `nil` when it asks for none.
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
