public import BrowseDomain
public import Foundation
import Synchronization

/// Holds back requests whose rate limit is exhausted, until the reset or the end of their wait.
///
/// Each account has a budget per bucket, learned from `X-RateLimit-…` headers and refusals. A secondary limit pauses all
/// buckets of the account: for the time that the service names, or for a minute, doubled each time up to 15 minutes. Waiters
/// are admitted by priority, then first come, first served, and only as many as the budget allows.
///
/// One gate serves any number of accounts. Idle ones are removed when others are added.
///
/// Processes that share a ``RateLimitStore`` stay within one budget.
///
/// Source: GitHub's "Rate limits for the REST API".
public final class RateLimitGate: HTTPMiddleware {
    private let accounts: RateLimitAccounts
    private let distributed: DistributedRateLimits?

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
        distributed = store.map {
            DistributedRateLimits($0, service: service.baseURL, timeout: storeTimeout, clock: clock, now: now)
        }
    }

    /// Returns the known budgets of an account, sorted by bucket; `nil` is the anonymous account.
    public func statuses(of account: String?) -> [RateLimitStatus] { accounts.statuses(of: account) }

    /// Returns the known budgets of an account, now and after each change.
    ///
    /// A slow listener gets only the newest.
    package func changes(of account: String?) -> AsyncStream<[RateLimitStatus]> { accounts.changes(of: account) }

    var waiting: Int { accounts.waiting }
    var accountCount: Int { accounts.count }

    /// Forwards the request when its budget allows.
    ///
    /// - Throws: `.rateLimited` if that exceeds the request's longest wait; `.cancelled` if the task is canceled.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let account = accounts.enter(request.account)
        defer { accounts.leave(request.account) }
        var bucket = account.bucket(of: request)
        if let current = bucket {
            if let distributed { return try await send(request, current, of: account, with: distributed, next) }
            bucket = try await admit(request, to: current, of: account)
        }
        return try await forward(request, bucket, of: account, next)
    }

    /// Forwards a request that the store has to allow, too.
    @inline(never)
    private func send(
        _ request: HTTPRequest,
        _ bucket: String,
        of account: RateLimitAccount,
        with distributed: DistributedRateLimits,
        _ next: Next
    ) async throws(BrowseError) -> HTTPResponse {
        var bucket = bucket
        while true {
            bucket = try await admit(request, to: bucket, of: account)
            switch try await reserve(request, bucket, of: account, in: distributed, next) {
            case .reserved(let permit): return try await forward(request, bucket, of: account, reservedBy: permit, next)
            case .sent(let response): return response
            // The refusal paused this gate's budget, so the next attempt waits or fails.
            case .refused: continue
            }
        }
    }

    /// Returns the bucket that admits a request, after a wait if necessary.
    private func admit(
        _ request: HTTPRequest,
        to bucket: String,
        of account: RateLimitAccount
    ) async throws(BrowseError) -> String {
        if canEnterImmediately(bucket, of: account, request) { return bucket }
        return try await enter(bucket, of: account, request)
    }

    /// Forwards a request, and reports its response here and to the store.
    ///
    /// - Parameters:
    ///   - bucket: The bucket that admitted the request; `nil` for a request without one.
    ///   - permit: The reservation in the store, if there is one.
    func forward(
        _ request: HTTPRequest,
        _ bucket: String?,
        of account: RateLimitAccount,
        reservedBy permit: DistributedRateLimits.Permit? = nil,
        _ next: Next
    ) async throws(BrowseError) -> HTTPResponse {
        let sentAfter = accounts.lastReport
        do throws(BrowseError) {
            let response = try await next(request)
            return await noted(response, to: request, bucket, of: account, permit, sentAfter)
        } catch {
            if let bucket { await noteFailure(in: bucket, of: account, permit) }
            throw error
        }
    }

    // Not inlined, so that their frames use no memory while a request is in flight.

    @inline(never)
    private func canEnterImmediately(_ bucket: String, of account: RateLimitAccount, _ request: HTTPRequest) -> Bool {
        account.queue(for: bucket)
            .admitImmediately(CoalescedPriority.current?.priority ?? request.options.priority)
    }

    @inline(never)
    private func noted(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        _ bucket: String?,
        of account: RateLimitAccount,
        _ permit: DistributedRateLimits.Permit?,
        _ sentAfter: Int
    ) async -> HTTPResponse {
        var response = response
        let noted = account.note(response, to: request, admittedBy: bucket, accounts.order(sentAfter))
        if bucket == nil { response.gateReceipt = RateLimitReceipt(account: request.account, sentAfter: sentAfter) }
        if let permit {
            await distributed?.finish(permit, in: noted.bucket, reporting: noted.reported, limitedBy: noted.limit)
        }
        return response
    }

    /// It's unknown whether the server counted the request; the next response reports it.
    @inline(never)
    private func noteFailure(
        in bucket: String,
        of account: RateLimitAccount,
        _ permit: DistributedRateLimits.Permit?
    ) async {
        account.finish(in: bucket)
        if let permit { await distributed?.finish(permit, in: bucket) }
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
    private func enter(
        _ bucket: String,
        of account: RateLimitAccount,
        _ request: HTTPRequest
    ) async throws(BrowseError) -> String {
        var bucket = bucket
        while true {
            try await wait(in: account.queue(for: bucket), request)
            guard let current = account.bucket(of: request), current != bucket else { return bucket }
            account.finish(in: bucket)
            bucket = current
        }
    }

    private func wait(in queue: RateLimitAccount.Queue, _ request: HTTPRequest) async throws(BrowseError) {
        let start = queue.now
        let deadline = request.deadline
        // Limited, since adding a very large duration overflows.
        let longestWait = min(request.longestWait - (deadline?.waitedForRateLimit ?? .zero), .seconds(1_000_000_000))
        let priority = CoalescedPriority.current(or: request.options.priority)
        let wait = RateLimitWait.current
        let outcome = await queue.enter(priority, until: start + longestWait) { budget in
            let (limit, end) = budget.refusal(at: start)
            ExchangeTrace.note(.waiting(.rateLimit(until: end.map { _ in limit.retryAt })))
            wait?.report(limit.retryAt, of: priority)
        }
        deadline?.exclude(queue.now - start)
        wait?.report(nil, of: priority)
        switch outcome {
        case .admitted: return
        case .refused(let limit): throw .rateLimited(limit, request.info)
        case .cancelled: throw .cancelled
        }
    }
}

/// Says which request a response of ``RateLimitGate`` belongs to.
struct RateLimitReceipt: Hashable, Sendable {
    let account: String?
    /// See ``RateLimitOrder/sentAfter``.
    let sentAfter: Int
}
