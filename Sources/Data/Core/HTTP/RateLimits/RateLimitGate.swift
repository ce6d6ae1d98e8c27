public import BrowseDomain
public import Foundation
import Synchronization

/// Holds back requests whose rate limit is exhausted, until the reset or the end of their patience.
///
/// Each account has a budget per bucket, learned from `X-RateLimit-…` headers and refusals. A secondary limit pauses all
/// buckets of the account: for the time that the service names, or for a minute, doubled each time up to 15 minutes. Waiters
/// are admitted by priority, then first come, first served, and only as many as the budget allows.
///
/// One gate serves any number of accounts. Those without requests in flight are removed after their reset.
///
/// Processes that share a ``RateLimitStore`` stay within one budget.
///
/// Source: GitHub's "Rate limits for the REST API".
public final class RateLimitGate: HTTPMiddleware {
    private let accounts: RateLimitAccounts
    let shared: SharedRateLimits?

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
        accounts = RateLimitAccounts { RateLimitAccount(service: service, now: now, clock: clock) }
        shared = store.map {
            SharedRateLimits($0, service: service.baseURL, timeout: storeTimeout, clock: clock, now: now)
        }
    }

    /// Returns the known budgets of an account, sorted by bucket; `nil` is the anonymous account.
    public func statuses(of account: String?) -> [RateLimitStatus] { accounts.statuses(of: account) }

    /// Returns the known budgets of an account, now and after each change.
    ///
    /// A slow listener gets only the newest.
    package func changes(of account: String?) -> AsyncStream<[RateLimitStatus]> { accounts.changes(of: account) }

    var waiting: Int { accounts.waiting }
    /// The number of accounts in memory.
    var accountCount: Int { accounts.count }

    /// Forwards the request when its budget allows.
    ///
    /// - Throws: `.rateLimited` if that exceeds the request's patience; `.cancelled` if the task is canceled.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let account = accounts.enter(request.account)
        defer { accounts.leave(request.account) }
        guard var bucket = account.bucket(of: request) else { return try await sendUncounted(request, account, next) }
        if let shared { return try await send(request, bucket, of: account, sharing: shared, next) }
        let priority = SharedPriority.current?.priority ?? request.options.priority
        if !account.queue(for: bucket).admitImmediately(priority) {
            bucket = try await enter(bucket, of: account, request)
        }
        let sentAfter = accounts.lastReport
        do throws(BrowseError) {
            let response = try await next(request)
            account.note(response, to: request, admittedBy: bucket, accounts.order(sentAfter))
            return response
        } catch {
            // It's unknown whether the server counted the request; the next response reports it.
            account.queue(for: bucket).update { budget, _ in budget.finish() }
            throw error
        }
    }

    private func sendUncounted(
        _ request: HTTPRequest,
        _ account: RateLimitAccount,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let sentAfter = accounts.lastReport
        var response = try await next(request)
        account.note(response, to: request, admittedBy: nil, accounts.order(sentAfter))
        response.gateReceipt = RateLimitReceipt(account: request.account, sentAfter: sentAfter)
        return response
    }

    /// Updates the budgets of the account that sent a request, from the body of its response.
    func update(from report: RateLimitReport, _ receipt: RateLimitReceipt) {
        let account = accounts.enter(receipt.account)
        account.update(from: report, accounts.order(receipt.sentAfter))
        accounts.leave(receipt.account)
    }

    /// Waits until a budget allows a request.
    ///
    /// Not inlined: most requests are admitted immediately, and their frames need no space for waiting.
    ///
    /// - Returns: The bucket that admitted the request, which differs if the service named another one meanwhile.
    @inline(never)
    func enter(
        _ bucket: String,
        of account: RateLimitAccount,
        _ request: HTTPRequest
    ) async throws(BrowseError) -> String {
        var bucket = bucket
        while true {
            try await wait(in: account.queue(for: bucket), request)
            guard let current = account.bucket(of: request), current != bucket else { return bucket }
            account.queue(for: bucket).update { budget, _ in budget.finish() }
            bucket = current
        }
    }

    private func wait(in queue: RateLimitAccount.Queue, _ request: HTTPRequest) async throws(BrowseError) {
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
    /// Forwards an admitted request, and reports its response here and to the store.
    func forward(
        _ request: HTTPRequest,
        _ bucket: String,
        of account: RateLimitAccount,
        reservedBy permit: SharedRateLimits.Permit?,
        in shared: SharedRateLimits,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let sentAfter = accounts.lastReport
        do throws(BrowseError) {
            let response = try await next(request)
            let noted = account.note(response, to: request, admittedBy: bucket, accounts.order(sentAfter))
            if let permit {
                await shared.finish(permit, in: noted.bucket, reporting: noted.reported, limitedBy: noted.limit)
            }
            return response
        } catch {
            account.queue(for: bucket).update { budget, _ in budget.finish() }
            if let permit { await shared.finish(permit, in: bucket) }
            throw error
        }
    }
}

/// Says which request a response of ``RateLimitGate`` belongs to.
struct RateLimitReceipt: Hashable, Sendable {
    let account: String?
    /// See ``RateLimitOrder/sentAfter``.
    let sentAfter: Int
}

extension Duration {
    /// The duration in seconds.
    var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
