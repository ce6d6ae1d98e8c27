import BrowseDomain

/// Limits the number of requests in flight; see ``RequestSlots``.
struct ConcurrencyLimit: HTTPMiddleware {
    private let slots: RequestSlots

    /// Creates the middleware; a count below 1 becomes 1.
    init(_ count: Int) {
        slots = RequestSlots(count)
    }

    /// See ``RequestSlots/reconsider()``.
    func reconsider() { slots.reconsider() }

    /// Forwards the request when a slot is free.
    ///
    /// - Throws: `.timedOut` if the request's total time limit has passed by then; `.cancelled` if the task is canceled.
    func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError) -> HTTPClient.Response {
        try await slots.withSlot(request.options) {
            ExchangeTrace.note(.waiting(.slot))
        } _: { () throws(BrowseError) in
            try await next(request.limitedToDeadline())
        }
    }
}
