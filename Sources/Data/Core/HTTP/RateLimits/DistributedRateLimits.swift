import BrowseDomain
import Foundation

/// Reserves requests in a ``RateLimitStore``.
final class DistributedRateLimits: Sendable {
    /// A reserved request; a class, since every waiting request reserves space for one.
    final class Permit: Sendable {
        fileprivate let id: String
        fileprivate let account: String?

        fileprivate init(id: String, account: String?) {
            (self.id, self.account) = (id, account)
        }
    }

    /// The result of a reservation.
    enum Reservation: Sendable {
        case admitted(Permit)
        case refused(BrowseError.RateLimit)
        /// The store failed or was too slow.
        case unavailable
    }

    /// The polling interval while the remaining budget depends on requests in flight.
    private static var interval: Duration { .milliseconds(25) }

    private let store: any RateLimitStore
    private let service: String
    /// The longest wait for the store.
    private let timeout: Duration
    private let calls: RemoteCalls
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    init(
        _ store: any RateLimitStore,
        service: URL,
        timeout: Duration,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.service = Origin(service)?.text ?? service.absoluteString
        self.timeout = timeout
        self.clock = clock
        self.now = now
        calls = RemoteCalls(clock: clock)
    }

    /// Reserves a request. Waits while the remaining budget depends on requests in flight.
    ///
    /// - Parameter duration: The time limit of a request, and of that wait.
    /// - Throws: `.cancelled` if the task is canceled during that wait.
    func reserve(
        _ bucket: String,
        of account: String?,
        for duration: Duration
    ) async throws(BrowseError) -> Reservation {
        let id = UUID().uuidString
        let reservation = await clock.poll(every: Self.interval, for: duration) { () -> Reservation? in
            let now = now()
            // Requests wait for a slot after the gate, too.
            let expiry = now.addingTimeInterval(duration.timeInterval * 2)
            let outcome = await update(account) { $0.reserve(id, in: bucket, until: expiry, now: now) }
            return switch outcome {
            case nil: .unavailable
            case .admitted?: .admitted(Permit(id: id, account: account))
            case .refused(let limit)?: .refused(limit)
            case .busy?: nil
            }
        }
        if let reservation { return reservation }
        guard !Task.isCancelled else { throw .cancelled }
        return .refused(.undecided(at: now()))
    }

    /// Ends a request; see ``DistributedBudgets/finish(_:in:reporting:limitedBy:now:)``.
    func finish(
        _ permit: Permit,
        in bucket: String,
        reporting reported: RateLimitHeaders? = nil,
        limitedBy limit: BrowseError.RateLimit? = nil
    ) async {
        let now = now()
        _ = await update(permit.account) { budgets in
            budgets.finish(permit.id, in: bucket, reporting: reported, limitedBy: limit, now: now)
        }
    }

    /// Changes the limits of an account; `nil` if the store failed or was too slow.
    private func update<Value: Sendable>(
        _ account: String?,
        _ change: @escaping @Sendable (inout DistributedBudgets) -> Value
    ) async -> Value? {
        // Neither an origin nor an account contains a line break.
        let key = [service, account ?? ""].joined(separator: "\n")
        return await calls.value(within: timeout) { [store] () throws(StorageFailure) in
            try await store.update(key) { data in
                let old = DistributedBudgets(stored: data)
                var new = old
                let value = change(&new)
                guard new != old else { return (nil, value) }
                let changed = try? JSONEncoder().encode(new)
                // If encoding fails, so does the call; otherwise an unstored reservation would be used.
                return (changed, changed == nil ? nil : value)
            }
        }
    }
}
