import BrowseDomain

extension RateLimitGate {
    /// The result of a reservation.
    enum Reservation: Sendable {
        case reserved(DistributedRateLimits.Permit)
        /// The request was sent without a reservation.
        case sent(HTTPResponse)
        case refused
    }

    /// Reserves an admitted request.
    ///
    /// While the store isn't available, sends the request when no other one of the bucket is in flight.
    @inline(never)
    func reserve(
        _ request: HTTPRequest,
        _ bucket: String,
        of account: RateLimitAccount,
        in distributed: DistributedRateLimits,
        _ next: Next
    ) async throws(BrowseError) -> Reservation {
        var isCounted = true
        defer { if isCounted { account.finish(in: bucket) } }
        let queue = account.queue(for: bucket)
        let priority = CoalescedPriority.current(or: request.options.priority)
        return try await account.turn(of: bucket).withSlot(
            priority,
            waitingAtMost: request.deadline?.remaining,
            for: request.info
        ) { () throws(BrowseError) in
            // A request before this one may have been refused.
            guard !queue.rule.isPaused(at: queue.now) else { return .refused }
            switch try await distributed.reserve(bucket, of: request.account, for: request.limits.duration) {
            case .admitted(let permit):
                guard !Task.isCancelled else {
                    await distributed.finish(permit, in: bucket)
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
                return .sent(try await forward(request, bucket, of: account, next))
            }
        }
    }
}
