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
/// Source: GitHub's "Rate limits for the REST API".
public final class RateLimitGate: HTTPMiddleware {
    private let accounts: RateLimitAccounts

    /// Creates the middleware without known budgets.
    ///
    /// - Parameters:
    ///   - service: Recognizes responses that mean an exhausted rate limit.
    ///   - now: Returns the current time, to interpret the service's times.
    ///   - clock: Measures waits.
    public init(
        service: HTTPClient.Service,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        accounts = RateLimitAccounts { RateLimitAccount(service: service, now: now, clock: clock) }
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
        if let current = bucket, !canEnterImmediately(current, of: account, request) {
            bucket = try await enter(current, of: account, request)
        }
        let sentAfter = accounts.lastReport
        do throws(BrowseError) {
            let response = try await next(request)
            return noted(response, to: request, bucket, of: account, sentAfter)
        } catch {
            // It's unknown whether the server counted the request; the next response reports it.
            if let bucket { account.finish(in: bucket) }
            throw error
        }
    }

    private func canEnterImmediately(_ bucket: String, of account: RateLimitAccount, _ request: HTTPRequest) -> Bool {
        account.queue(for: bucket)
            .admitImmediately(request.options.currentPriority)
    }

    private func noted(
        _ response: HTTPResponse,
        to request: HTTPRequest,
        _ bucket: String?,
        of account: RateLimitAccount,
        _ sentAfter: Int
    ) -> HTTPResponse {
        var response = response
        account.note(response, to: request, admittedBy: bucket, accounts.order(sentAfter))
        if bucket == nil { response.gateReceipt = RateLimitReceipt(account: request.account, sentAfter: sentAfter) }
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
    /// - Returns: The bucket that admitted the request, which differs if the service named another one meanwhile.
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
        let priority = request.options.sharedPriority ?? CoalescedPriority(request.options.priority)
        let outcome = await queue.enter(priority, until: start + longestWait) { budget in
            let (limit, end) = budget.refusal(at: start)
            ExchangeTrace.note(.waiting(.rateLimit(until: end.map { _ in limit.retryAt })))
        }
        deadline?.exclude(queue.now - start)
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
