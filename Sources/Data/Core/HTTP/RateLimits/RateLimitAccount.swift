import BrowseDomain
import Foundation
import Synchronization

/// The rate limits of one account of a service.
final class RateLimitAccount: Sendable {
    typealias Queue = RequestQueue<RateLimitBudget>

    /// The secondary limits of the account, which apply to all buckets.
    private struct SecondaryLimits {
        /// The number since the last success.
        var consecutive = 0
        /// The number of the last report of one.
        var lastReport = 0
        /// The limit that ends last; it may have passed.
        var latest: BrowseError.RateLimit?
    }

    private struct State {
        var queues: [String: Queue] = [:]
        /// The buckets named in responses that differ from the endpoint's own, by endpoint.
        var buckets: [String: String] = [:]
        var secondary = SecondaryLimits()
    }

    /// The maximum pause after a secondary limit in seconds, unless the server names a time.
    private static var maxPause: TimeInterval { 900 }
    private static var maxEndpoints: Int { 256 }

    private let service: HTTPClient.Service
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let state = Mutex(State())
    private let broadcast = Broadcast<[RateLimitStatus]>()
    /// The last statuses that were sent; the lock orders them.
    private let published = Mutex<[RateLimitStatus]>([])

    init(service: HTTPClient.Service, now: @escaping @Sendable () -> Date, clock: any Clock<Duration>) {
        self.service = service
        self.now = now
        self.clock = clock
    }

    /// The known budgets, sorted by bucket.
    var statuses: [RateLimitStatus] {
        state.withLock { $0.queues }.compactMap { bucket, queue in queue.rule.status(of: bucket, at: queue.now) }
            .sorted { $0.bucket < $1.bucket }
    }

    /// The known budgets, now and after each change; a slow listener gets only the newest.
    var changes: AsyncStream<[RateLimitStatus]> {
        published.withLock { published in
            send(&published)
            return broadcast.stream(.bufferingNewest(1), startingWith: published)
        }
    }

    /// Notifies the listeners if the budgets have changed.
    func publish() { if broadcast.hasListeners { published.withLock { send(&$0) } } }

    private func send(_ published: inout [RateLimitStatus]) {
        let statuses = statuses
        guard statuses != published else { return }
        published = statuses
        broadcast.send(statuses)
    }

    var waiting: Int { state.withLock { Array($0.queues.values) }.reduce(0) { $0 + $1.waiting } }

    /// Whether a new account would admit the same requests, and nobody listens.
    var isIdle: Bool {
        let (queues, latest) = state.withLock { (Array($0.queues.values), $0.secondary.latest) }
        // Later secondary limits are longer, until a while after the last one.
        if let latest, latest.retryAt.addingTimeInterval(Self.maxPause) > now() { return false }
        return !broadcast.hasListeners && queues.allSatisfy { $0.waiting == 0 && $0.rule.isIdle(at: $0.now) }
    }

    /// Returns the bucket of a request's budget; `nil` if it has none.
    func bucket(of request: HTTPRequest) -> String? {
        guard let declared = request.bucket else { return nil }
        return state.withLock { $0.buckets[request.endpoint] } ?? declared
    }

    func queue(for bucket: String) -> Queue {
        state.withLock { state in
            if let queue = state.queues[bucket] { return queue }
            let queue = Queue(RateLimitBudget(now: now), clock: clock, alarmsAreTimeLimits: false)
            if let limit = state.secondary.latest { Self.pause(queue, limit) }
            state.queues[bucket] = queue
            return queue
        }
    }

    /// Ends a request without a response, or whose response names another bucket.
    func finish(in bucket: String) { queue(for: bucket).update { budget, _ in budget.finish() } }

    private func canStore(_ bucket: String) -> Bool {
        state.withLock { $0.queues[bucket] != nil || $0.queues.count < RateLimitPeriod.maxBuckets }
    }

    /// Returns the bucket of the budget in a response, and stores it for later requests of the endpoint.
    private func bucket(named: String?, for request: HTTPRequest, insteadOf bucket: String) -> String {
        guard let named, named != bucket, canStore(named) else { return bucket }
        guard request.bucket != nil else { return named }
        let isStored = state.withLock { state in
            let hasRoom = state.buckets[request.endpoint] != nil || state.buckets.count < Self.maxEndpoints
            if hasRoom { state.buckets[request.endpoint] = named }
            return hasRoom
        }
        return isStored ? named : bucket
    }

    /// Updates the budgets and pauses from a response.
    ///
    /// - Parameter bucket: The bucket that admitted the request; `nil` for a request without one.
    func note(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        admittedBy bucket: String?,
        _ order: RateLimitOrder
    ) {
        let now = now()
        let reported = RateLimitHeaders(response.headers, now: now)
        var limit = service.rateLimit(of: response, now: now)
        if let known = limit, known.kind == .primary {
            limit?.retryAt = max(known.retryAt, now.addingTimeInterval(RateLimitPeriod.shortest))
        }
        // Headers that name no bucket describe the endpoint's own bucket.
        let name = RateLimitHeaders.bucket(response.headers) ?? reported.flatMap { _ in request.bucket }
        let named = self.bucket(named: name, for: request, insteadOf: bucket ?? RateLimitStatus.core)
        if bucket != nil {
            if let known = limit, known.kind == .secondary {
                pause(known, order)
            } else if limit == nil {
                state.withLock { state in
                    if order.sentAfter >= state.secondary.lastReport { state.secondary.consecutive = 0 }
                }
            }
        }
        // In one update, so that the request is counted once: as in flight before, in the server's count after.
        queue(for: named).update { [limit] budget, offset in
            let now = budget.time(at: offset)
            if named == bucket { budget.finish() }
            if let reported { budget.update(from: reported, order, at: now) }
            if let limit, limit.kind == .primary { budget.startPause(limit, at: now) }
        }
        if let bucket, named != bucket { finish(in: bucket) }
        publish()
    }

    /// Updates the budgets from the body of a response.
    func update(from report: RateLimitReport, _ order: RateLimitOrder) {
        for status in report.statuses where canStore(status.bucket) {
            let reported = RateLimitHeaders(status, serverDate: report.serverDate, now: now())
            queue(for: status.bucket).update { budget, offset in
                budget.update(from: reported, order, at: budget.time(at: offset))
            }
        }
        publish()
    }

    /// Pauses all buckets.
    private func pause(_ limit: BrowseError.RateLimit, _ order: RateLimitOrder) {
        let now = now()
        let (queues, limit) = state.withLock { state in
            var limits = state.secondary
            // Requests that were in flight together count once.
            if order.sentAfter >= limits.lastReport {
                limits.lastReport = order.number
                limits.consecutive = min(limits.consecutive + 1, 10)
            }
            var limit = limit
            if !limit.isServerTime {
                let wait = limit.retryAt.timeIntervalSince(now) * pow(2, Double(max(1, limits.consecutive) - 1))
                limit.retryAt = now.addingTimeInterval(min(wait, Self.maxPause))
            }
            // Also pauses buckets that are first used during the pause.
            if limit.retryAt > limits.latest?.retryAt ?? .distantPast { limits.latest = limit }
            state.secondary = limits
            return (Array(state.queues.values), limit)
        }
        for queue in queues { Self.pause(queue, limit) }
    }

    private static func pause(_ queue: Queue, _ limit: BrowseError.RateLimit) {
        queue.update { budget, offset in budget.startPause(limit, at: budget.time(at: offset)) }
    }
}

extension HTTPClient.Service {
    /// Returns the rate limit that a response reports as exhausted; `nil` if there is none.
    func rateLimit(of response: HTTPResponse, now: Date) -> BrowseError.RateLimit? {
        guard [403, 429].contains(response.status),
            case .rateLimited(var limit, _) = error(for: response, info: .init(endpoint: ""), now: now)
        else { return nil }
        // A service's own `failure` can return any date.
        let wait = limit.retryAt.timeIntervalSince(now)
        let longest = RetryAfter.maxWait
        if !(-longest...longest).contains(wait) {
            limit.retryAt = now + Duration.clampedSeconds(wait).timeInterval.clamped(to: -longest...longest)
        }
        return limit
    }
}
