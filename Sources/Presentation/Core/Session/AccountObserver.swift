public import BrowseDomain

/// Observes the account of a session, until it's released.
@MainActor
public final class AccountObserver {
    private var task: Task<Void, Never>?

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - onChange: Called with each state but `Session.restoring`, and whether another account,
    ///     or none, is in use. Another account is in use when its content is loaded.
    public init<User>(
        _ session: SessionManager<User>,
        onChange: @escaping @MainActor (_ session: Session<User>, _ isOther: Bool) -> Void
    ) {
        task = Task { [sessions = session.sessions] in
            // The accounts whose rows may be shown; "" is that of a token before its user is known.
            var accounts: Set<String?> = []
            var isFirst = true
            // The stream can hold more states when the observer is released.
            for await session in sessions where !Task.isCancelled {
                // Sent again if the stored session can't be read; then rows belong to no account.
                if session == .restoring, !isFirst { accounts.insert(nil) }
                isFirst = false
                guard session != .restoring else { continue }
                let account: String? =
                    switch session {
                    case .signedOut: nil
                    case .ready(let user): user.accountID
                    case .restoring, .signingIn, .unidentified, .identified: ""
                    }
                let isOther = account != "" && accounts.contains { $0 != account && ($0 != "" || account == nil) }
                accounts = account == "" ? accounts.union([account]) : [account]
                onChange(session, isOther)
            }
        }
    }

    deinit { task?.cancel() }
}

extension ListController {
    /// Starts over when another account of a session, or none, is in use.
    ///
    /// Call it for rows that only one account may see: without it, they stay when the person signs
    /// out, and when another signs in. A list without rows then says why the session ended.
    public func restartOnAccountChange<User>(of session: SessionManager<User>) {
        explainSignOut(of: session)
        accountObserver = AccountObserver(session) { [weak self] session, isOther in
            if isOther { self?.restart(for: session) }
            // The list may have failed before the session ended.
            self?.update { _ in }
        }
    }

    /// Lets a list without rows say why the session ended, if that is why it has none.
    @_spi(Services) public func explainSignOut<User>(of session: SessionManager<User>) {
        signOutReason = { if case .signedOut(let reason) = session.current { reason } else { nil } }
    }

    /// The reason why the list has no rows; `nil` if it isn't the end of a session.
    var signOutMessage: Message? {
        guard case .failed(.unauthorized) = pagedList.phase, pagedList.loadedCount == 0 else { return nil }
        return signOutReason().map { options.texts.message(for: $0) }
    }

    /// Starts over for another account, or for none, unless a message says that nobody is signed
    /// in.
    @_spi(Services) public func restart<User>(for session: Session<User>) {
        if case .signedOut = session, case .failed(.unauthorized) = pagedList.phase, pagedList.loadedCount == 0 {
            return
        }
        restart().keep()
    }
}
