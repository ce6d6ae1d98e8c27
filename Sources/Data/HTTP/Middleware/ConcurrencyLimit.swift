public import BrowseDomain

/// Bounds the number of requests in flight; the others wait by priority, then first come, first served.
///
/// The last free slot is for a visible request, unless there's only one. A request doesn't wait beyond its total time limit.
public struct ConcurrencyLimit: HTTPMiddleware {
    private let queue: RequestQueue<RequestSlots>

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - count: The number of requests at once; below 1 is raised to that.
    ///   - clock: Measures time limits.
    public init(_ count: Int, clock: any Clock<Duration> = ContinuousClock()) {
        queue = RequestQueue(limit: count, clock: clock)
    }

    /// Hands the request on once there's a slot for it.
    ///
    /// - Throws: `.timedOut` when there is none before the request's total time limit; `.cancelled` when the task is canceled.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let priority = SharedPriority.current(or: request.options.priority)
        let deadline = request.deadline
        return try await queue.withSlot(priority, waitingAtMost: deadline?.remaining, for: request.info) {
            ExchangeTrace.note(.waiting(.slot))
        } _: { () throws(BrowseError) in
            guard let deadline else { return try await next(request) }
            return try await next(try request.limited(to: deadline))
        }
    }
}
