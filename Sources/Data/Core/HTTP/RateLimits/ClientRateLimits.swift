import BrowseDomain

/// The rate limits of the account that a client uses.
///
/// Clients can share a gate and use different accounts.
final class ClientRateLimits: Sendable {
    let gate: RateLimitGate
    private let account = Broadcast<String?>(replaying: .some(nil))

    init(_ gate: RateLimitGate) {
        self.gate = gate
    }

    /// Sets the account of the last request.
    func use(_ name: String?) {
        if account.replayed != .some(name) { account.send(name, isReplayed: true) }
    }

    /// The known budgets of the account.
    var statuses: [RateLimitStatus] { gate.statuses(of: account.replayed ?? nil) }

    /// The known budgets, now and after each change of the budgets or of the account.
    ///
    /// A slow listener gets only the newest.
    var changes: AsyncStream<[RateLimitStatus]> {
        let (changes, listener) = AsyncStream.makeStream(
            of: [RateLimitStatus].self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let accounts = account.stream(.bufferingNewest(1))
        let task = Task { [gate] in
            var current: Task<Void, Never>?
            for await account in accounts {
                current?.cancel()
                await current?.value
                current = Task {
                    for await statuses in gate.changes(of: account) { listener.yield(statuses) }
                }
            }
            current?.cancel()
            listener.finish()
        }
        listener.onTermination = { _ in task.cancel() }
        return changes
    }
}
