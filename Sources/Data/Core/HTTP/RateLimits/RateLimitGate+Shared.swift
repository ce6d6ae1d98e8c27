import BrowseDomain

extension RateLimitGate {
    private enum Attempt: Sendable {
        case reserved(SharedRateLimits.Permit)
        case refused
        case finished(HTTPResponse)
    }

    /// Forwards a request that this gate and the shared budget admit.
    @inline(never)
    func send(
        _ request: HTTPRequest,
        _ declared: String,
        of account: RateLimitAccount,
        sharing shared: SharedRateLimits,
        _ next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var bucket = declared
        while true {
            let priority = SharedPriority.current(or: request.options.priority)
            if !account.queue(for: bucket).admitImmediately(priority.priority) {
                bucket = try await enter(bucket, of: account, request)
            }
            switch try await attempt(request, bucket, of: account, sharing: shared, priority, next) {
            // The refusal paused this gate's budget, so the next attempt waits or fails.
            case .refused: continue
            case .finished(let response): return response
            case .reserved(let permit):
                return try await forward(request, bucket, of: account, reservedBy: permit, in: shared, next)
            }
        }
    }

    /// Reserves an admitted request.
    ///
    /// While the store isn't available, sends the request when no other one of the bucket is in flight.
    private func attempt(
        _ request: HTTPRequest,
        _ bucket: String,
        of account: RateLimitAccount,
        sharing shared: SharedRateLimits,
        _ priority: SharedPriority,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> Attempt {
        var isCounted = true
        let queue = account.queue(for: bucket)
        defer { if isCounted { queue.update { budget, _ in budget.finish() } } }
        let turn = account.turn(of: bucket)
        return try await turn.withSlot(priority, waitingAtMost: request.deadline?.remaining, for: request.info) {
            () throws(BrowseError) in
            // A request before this one may have been refused.
            guard !queue.rule.isPaused(at: queue.now) else { return .refused }
            switch try await shared.reserve(bucket, of: request.account, for: request.limits.duration) {
            case .admitted(let permit):
                guard !Task.isCancelled else {
                    await shared.finish(permit, in: bucket)
                    throw .cancelled
                }
                isCounted = false
                return .reserved(permit)
            case .refused(let limit):
                RateLimitAccount.pause(queue, limit)
                account.publish()
                return .refused
            case .unavailable:
                guard !Task.isCancelled else { throw .cancelled }
                if let limit = queue.rule.reserveLimit(at: queue.now) { throw .rateLimited(limit, request.info) }
                isCounted = false
                return .finished(
                    try await forward(request, bucket, of: account, reservedBy: nil, in: shared, next)
                )
            }
        }
    }
}
