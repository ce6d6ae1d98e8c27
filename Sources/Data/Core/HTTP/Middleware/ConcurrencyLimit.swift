import BrowseDomain

/// Limits the number of requests in flight; others wait by priority, then first come, first served.
///
/// The last free slot is reserved for visible requests, unless there is only one. Waits end at the request's total time limit.
struct ConcurrencyLimit: HTTPMiddleware {
    private let queue: RequestQueue<RequestSlots>

    /// Creates the middleware; a count below 1 becomes 1.
    init(_ count: Int, clock: any Clock<Duration> = ContinuousClock()) {
        queue = RequestQueue(limit: count, clock: clock)
    }

    /// Forwards the request when a slot is free.
    ///
    /// - Throws: `.timedOut` if none is before the request's total time limit; `.cancelled` if the task is canceled.
    func send(_ request: HTTPRequest, next: @escaping Next) async throws(BrowseError) -> HTTPResponse {
        let priority = CoalescedPriority.current(or: request.options.priority)
        return try await queue.withSlot(priority, waitingAtMost: request.deadline?.remaining, for: request.info) {
            ExchangeTrace.note(.waiting(.slot))
        } _: { () throws(BrowseError) in
            try await next(request.limitedToDeadline())
        }
    }
}
