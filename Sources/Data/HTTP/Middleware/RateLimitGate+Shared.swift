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
        _ declared: Key,
        sharing shared: SharedRateLimits,
        _ next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var key = declared
        while true {
            let priority = SharedPriority.current(or: request.options.priority)
            if !queue(for: key).admitImmediately(priority.priority) { key = try await enter(key, request) }
            switch try await attempt(request, key, sharing: shared, priority, next) {
            // The refusal paused this gate's budget, so the next attempt waits or fails.
            case .refused: continue
            case .finished(let response): return response
            case .reserved(let permit):
                return try await forward(request, key, reservedBy: permit, in: shared, next)
            }
        }
    }

    /// Reserves an admitted request.
    ///
    /// While the store isn't available, sends the request when no other one of the bucket is in flight.
    private func attempt(
        _ request: HTTPRequest,
        _ key: Key,
        sharing shared: SharedRateLimits,
        _ priority: SharedPriority,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> Attempt {
        var isCounted = true
        defer { if isCounted { queue(for: key).update { budget, _ in budget.finish() } } }
        let turn = shared.turn(of: key)
        return try await turn.withSlot(priority, waitingAtMost: request.deadline?.remaining, for: request.info) {
            () throws(BrowseError) in
            // A request before this one may have been refused.
            guard !queue(for: key).rule.isPaused(at: queue(for: key).now) else { return .refused }
            switch try await shared.reserve(key, for: request.limits.duration) {
            case .admitted(let permit):
                guard !Task.isCancelled else {
                    await shared.finish(permit, in: key.bucket)
                    throw .cancelled
                }
                isCounted = false
                return .reserved(permit)
            case .refused(let limit):
                Self.pause(queue(for: key), limit)
                publish(key.account)
                return .refused
            case .unavailable:
                guard !Task.isCancelled else { throw .cancelled }
                if let limit = queue(for: key).rule.reserveLimit(at: queue(for: key).now) {
                    throw .rateLimited(limit, request.info)
                }
                isCounted = false
                return .finished(try await forward(request, key, reservedBy: nil, in: shared, next))
            }
        }
    }

    /// Forwards a request, and reports its response here and to the store.
    private func forward(
        _ request: HTTPRequest,
        _ key: Key,
        reservedBy permit: SharedRateLimits.Permit?,
        in shared: SharedRateLimits,
        _ next: @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        let limits = secondaryLimitCount(of: key.account)
        do throws(BrowseError) {
            let response = try await next(request)
            let noted = note(response, to: request, key: key, secondaryLimitsBefore: limits)
            if let permit {
                await shared.finish(permit, in: noted.bucket, reporting: noted.reported, limitedBy: noted.limit)
            }
            return response
        } catch {
            queue(for: key).update { budget, _ in budget.finish() }
            if let permit { await shared.finish(permit, in: key.bucket) }
            throw error
        }
    }
}
