import BrowseDomain
import Synchronization

/// The accounts of a ``RateLimitGate``, without those that are idle.
final class RateLimitAccounts: Sendable {
    private struct Entry {
        let account: RateLimitAccount
        /// The number of requests that use the account.
        var users = 0
    }

    private struct State {
        var entries: [String?: Entry] = [:]
        /// The accounts in any order, which each new account checks in turn for idle ones.
        var names: [String?] = []
        var nextCheck = 0
        /// The number of reports of all accounts.
        ///
        /// It never decreases: a removed account has no older numbers.
        var lastReport = 0
    }

    private let state = Mutex(State())
    private let make: @Sendable () -> RateLimitAccount

    /// Creates an empty collection; `make` creates an account without budgets.
    init(_ make: @escaping @Sendable () -> RateLimitAccount) {
        self.make = make
    }

    /// Returns the account of a request, which isn't removed until the request leaves.
    func enter(_ name: String?) -> RateLimitAccount {
        state.withLock { state in
            let account = account(name, &state)
            state.entries[name]?.users += 1
            return account
        }
    }

    /// Ends a request.
    func leave(_ name: String?) { state.withLock { $0.entries[name]?.users -= 1 } }

    var lastReport: Int { state.withLock { $0.lastReport } }

    /// Returns the order of a report that has arrived now.
    func order(_ sentAfter: Int) -> RateLimitOrder {
        state.withLock { state in
            state.lastReport += 1
            return RateLimitOrder(sentAfter: sentAfter, number: state.lastReport)
        }
    }

    func statuses(of name: String?) -> [RateLimitStatus] {
        state.withLock { $0.entries[name]?.account }?.statuses ?? []
    }

    func changes(of name: String?) -> AsyncStream<[RateLimitStatus]> {
        // Under the lock: an account with listeners isn't removed.
        state.withLock { account(name, &$0).changes }
    }

    var waiting: Int { state.withLock { $0.entries.values.map(\.account) }.reduce(0) { $0 + $1.waiting } }
    var count: Int { state.withLock { $0.entries.count } }

    private func account(_ name: String?, _ state: inout State) -> RateLimitAccount {
        if let entry = state.entries[name] { return entry.account }
        // Several for each new one, so that idle accounts are removed faster than others are added.
        for _ in 0..<4 { removeIfIdle(&state) }
        let account = make()
        state.entries[name] = Entry(account: account)
        state.names.append(name)
        return account
    }

    /// Checks the next account.
    private func removeIfIdle(_ state: inout State) {
        guard !state.names.isEmpty else { return }
        if state.nextCheck >= state.names.count { state.nextCheck = 0 }
        let name = state.names[state.nextCheck]
        guard let entry = state.entries[name], entry.users == 0, entry.account.isIdle else {
            state.nextCheck += 1
            return
        }
        state.entries[name] = nil
        state.names.swapAt(state.nextCheck, state.names.count - 1)
        state.names.removeLast()
    }
}
