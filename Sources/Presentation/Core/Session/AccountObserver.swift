public import BrowseDomain

/// Calls a closure whenever another account of a session, or none, is in use, until it's released.
@MainActor
final class AccountObserver {
    private var task: Task<Void, Never>?

    init<User>(_ session: SessionManager<User>, onChange: @escaping @MainActor () -> Void) {
        task = Task { [sessions = session.sessions] in
            var known: String??
            var hadToken = false
            for await session in sessions {
                let account: String?
                switch session {
                case .restoring: continue
                case .signingIn, .unidentified:
                    hadToken = true  // of requests, which may load rows
                    continue
                case .signedOut: account = nil
                case .identified(let user), .ready(let user): account = user.accountID
                }
                let isOther = known.map { $0 != account } ?? false
                if isOther || hadToken && account == nil { onChange() }
                (known, hadToken) = (account, false)
            }
        }
    }

    deinit { task?.cancel() }
}

extension ListController {
    /// Starts over when another account of a session, or none, is in use.
    ///
    /// Call it for rows that only one account may see: without it, they stay when the person signs out, and when another signs in.
    public func restartOnAccountChange<User>(of session: SessionManager<User>) {
        accountObserver = AccountObserver(session) { [weak self] in self?.restart().keep() }
    }
}
