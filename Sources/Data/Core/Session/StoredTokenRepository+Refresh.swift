@_spi(Services) import BrowseDomain
import Foundation

extension StoredTokenRepository {
    /// Reads the store if necessary, and saves a token that couldn't be saved before.
    func readStore() async {
        switch state {
        case .unread, .locked: _ = await read()
        case .unusable, .empty, .inUse: break
        }
        await reloadIfChanged()
        await retrySave()
    }

    /// Whether the token was refused, has expired, or can be refreshed and expires within a minute.
    var needsRefresh: Bool {
        get throws(BrowseError) {
            guard let session else { return false }
            if let refusal = session.currentRefusal {
                guard refusal.backOff != nil else { return true }
                guard refusal.canBeTried else { throw Self.refusedError }
                return false
            }
            let credentials = session.grant.credentials
            guard let end = credentials.expiresAt else { return false }
            return refreshToken(of: credentials) == nil ? end <= now() : end.timeIntervalSince(now()) < Self.margin
        }
    }

    /// The refresh token, if it can be used.
    private func refreshToken(of credentials: Credentials) -> Secret? {
        guard authorization != nil, (credentials.refreshExpiresAt ?? .distantFuture) > now() else { return nil }
        return credentials.refreshToken
    }

    func refreshedGrant() async throws(BrowseError) -> TokenGrant? {
        guard let session else { return nil }
        if let refusal = session.currentRefusal {
            return try await refreshed(
                session.grant,
                mayRefresh: refusal.token != session.refreshedToken || refusal.token == session.acceptedToken
            )
        }
        let end = session.grant.credentials.expiresAt ?? .distantFuture
        do throws(BrowseError) {
            return try await refreshed(session.grant, mayRefresh: true, acceptsOldToken: end > now())
        } catch {
            guard end > now(), error != .cancelled else { throw error }
            return grant
        }
    }

    /// Returns the grant for retrying a request that the service refused; `nil` for a configured token.
    ///
    /// If a retry is refused with a token that was refreshed here, the session ends, unless another process has stored a newer
    /// token. A token that another process stored is refreshed instead, since that process may have been killed before it
    /// stored the next one.
    ///
    /// - Parameters:
    ///   - id: The grant of the refused request.
    ///   - token: The token of the refused request.
    ///   - isRetry: Whether the request was refused before with an older token.
    /// - Returns: `nil` if the session has ended.
    func grant(
        afterRefusalOf id: TokenGrant.ID,
        token: AccessToken,
        isRetry: Bool = false
    ) async throws(BrowseError) -> TokenGrant? {
        guard let grant, grant.id == id else { return nil }
        // Another request has already caused a refresh.
        guard grant.credentials.token == token else { return grant }
        guard token != configuredToken else {
            noteRefusal(of: token)
            return nil
        }
        return try await refreshed(grant, mayRefresh: !isRetry || token != session?.refreshedToken)
    }

    /// The remaining lifetime below which a token is refreshed, in seconds; longer than a request takes.
    private static var margin: TimeInterval { 60 }

    /// Waits for the refresh in flight, or starts one.
    ///
    /// - Parameter acceptsOldToken: Whether to return the grant unchanged if the refresh waits for the lock.
    private func refreshed(
        _ grant: TokenGrant,
        mayRefresh: Bool,
        acceptsOldToken: Bool = false
    ) async throws(BrowseError) -> TokenGrant? {
        if refreshes[grant.id] == nil {
            if mayRefresh, let backOff = session?.backOff, !backOff.isExpired() { throw backOff.failure }
            Task { await refresh(grant, mayRefresh: mayRefresh) }
        }
        let waiter = Waiter(acceptsOldToken: acceptsOldToken)
        refreshes[grant.id, default: []].append(waiter)
        return try await withTaskCancellationHandler {
            await waiter.outcome.value
        } onCancel: {
            waiter.outcome.resolve(.failure(.cancelled))
        }
        .get()
    }

    /// Resumes the requests that wait for a refresh of a grant.
    func finish(_ id: TokenGrant.ID, with outcome: Outcome) {
        for waiter in refreshes.removeValue(forKey: id) ?? [] { waiter.outcome.resolve(outcome) }
    }

    private func refresh(_ old: TokenGrant, mayRefresh: Bool) async {
        do throws(BrowseError) {
            // Without a refresh token, the store only needs to be read.
            let needsLock = old.credentials.refreshToken != nil
            let lock = needsLock ? try await refreshLock(for: old.id) : nil
            guard isInUse(old.id), !needsLock || lock != nil else { return }
            try await refresh(old, holding: lock, mayRefresh: mayRefresh)
            if isInUse(old.id) { session?.backOff = nil }
        } catch {
            guard isInUse(old.id) else { return }
            if error != .cancelled {
                session?.backOff = BackOff(after: error, previous: session?.backOff, clock: clock)
            }
            finish(old.id, with: .failure(error))
        }
    }

    /// Waits for the refresh lock; `nil` if the session ends first, or no request waits any longer.
    private func refreshLock(for id: TokenGrant.ID) async throws(BrowseError) -> RefreshLock? {
        enum Attempt {
            case locked(RefreshLock)
            case ended
        }
        let attempt = try await clock.poll(every: .milliseconds(20), for: refreshLockTimeout) {
            () async throws(BrowseError) -> Attempt? in
            guard isInUse(id) else { return .ended }
            if let lock = session?.unsaved?.lock, lock.isHeld { return .locked(lock) }
            if let lock = try await store.refreshLock() { return .locked(lock) }
            return continueWithOldToken(of: id) ? .ended : nil
        }
        switch attempt {
        case .locked(let lock): return lock
        case .ended: return nil
        case nil: throw .storageFailed(StorageFailure(reason: .busy, file: "refresh lock"))
        }
    }

    /// Resumes the requests with a valid token while the lock is held elsewhere.
    ///
    /// Returns whether all waiters left. The caller then gives up the refresh, since a process without waiters may exit before it
    /// stores the new token.
    private func continueWithOldToken(of id: TokenGrant.ID) -> Bool {
        guard let grant, grant.id == id, let waiting = refreshes[id] else { return false }
        // Canceled requests have left.
        let waiters = waiting.filter { !$0.outcome.isResolved }
        let ready = waiters.filter(\.acceptsOldToken)
        let isDone = !ready.isEmpty && ready.count == waiters.count
        refreshes[id] = isDone ? nil : waiters.filter { !$0.acceptsOldToken }
        for waiter in ready { waiter.outcome.resolve(.success(grant)) }
        return isDone
    }

    /// Refreshes a grant, or uses newer credentials from the store; the lock is held until this returns.
    private func refresh(_ old: TokenGrant, holding lock: RefreshLock?, mayRefresh: Bool) async throws(BrowseError) {
        defer { if lock !== session?.unsaved?.lock { lock?.release() } }
        switch await stored(since: old) {
        case .newer(let credentials): return await replaceCredentials(of: old.id, with: credentials)
        case .deleted: return await end(old.id, .signedOut(old.id))
        case .unchanged, .unreadable: break
        }
        guard mayRefresh, let authorization, let refreshToken = refreshToken(of: old.credentials) else {
            return await end(old.id, .revoked(old.id))
        }
        let new: Credentials
        do throws(BrowseError) {
            new = try await authorization.refresh(refreshToken)
        } catch {
            guard error.endsSession else { throw error }
            // A process that doesn't share the lock may have used the refresh token.
            switch await stored(since: old) {
            case .newer(let credentials): return await replaceCredentials(of: old.id, with: credentials)
            case .deleted: return await end(old.id, .signedOut(old.id))
            case .unreadable(let error): throw error
            case .unchanged: return await end(old.id, .revoked(old.id))
            }
        }
        await store(new, inPlaceOf: old, holding: lock)
    }

    /// Stores refreshed credentials and makes them current.
    private func store(_ new: Credentials, inPlaceOf old: TokenGrant, holding lock: RefreshLock?) async {
        var new = new
        // RFC 6749, sections 5.1 and 6: a response without them leaves both unchanged.
        if new.refreshToken == nil {
            new.refreshToken = old.credentials.refreshToken
            new.refreshExpiresAt = old.credentials.refreshExpiresAt
        }
        if new.scopes.isEmpty { new.scopes = old.credentials.scopes }
        new.signInID = old.credentials.effectiveSignInID
        new.user = grant?.credentials.user ?? new.user
        redactor.add(new)
        if isInUse(old.id) { session?.refreshedToken = new.token }
        // The store still has an older token if the previous save failed.
        let replaced = session?.unsaved?.storedToken ?? old.credentials.token
        let saved = isInUse(old.id) ? await save(new, of: old.id, replacing: replaced) : .superseded
        guard let current = grant, current.id == old.id, saved != .signedOut else {
            // The session ended during the refresh, here or in another process, so the new token must not stay valid.
            await end(old.id, .signedOut(old.id))
            try? await authorization?.revoke(new)
            return
        }
        session?.unsaved = saved == .failed ? TokenSession.Unsaved(storedToken: replaced, lock: lock) : nil
        await replaceCredentials(of: old.id, with: new)
    }

    /// Replaces the credentials of the current grant, and resumes the requests that wait for them.
    func replaceCredentials(of id: TokenGrant.ID, with credentials: Credentials) async {
        guard let current = grant, current.id == id else { return }
        var credentials = credentials
        credentials.user = current.credentials.user ?? credentials.user
        redactor.add(credentials)
        let grant = session?.use(credentials)
        changeCount += 1
        finish(id, with: .success(grant))
        await removeResponses(of: current.credentials, unlessSharedWith: credentials)
    }

    /// Ends a grant's session and deletes it; waiting requests are then sent without a token.
    func end(_ id: TokenGrant.ID, _ event: TokenEvent) async {
        guard let ended = grant, ended.id == id else { return }
        endSession()
        broadcast.send(event)
        _ = await delete(ended.credentials, evenUnreadable: false)
        finish(id, with: .success(nil))
    }
}

extension StoredTokenRepository {
    private enum Stored {
        /// No change that concerns the grant, though another user may have signed in.
        case unchanged
        /// Another process has refreshed the grant or signed in the same user again.
        case newer(Credentials)
        /// Another process has signed out.
        case deleted
        case unreadable(BrowseError)
    }

    private func stored(since old: TokenGrant) async -> Stored {
        do throws(BrowseError) {
            guard let stored = try await store.load() else { return .deleted }
            let old = old.credentials
            guard stored.token != old.token, stored.token != session?.unsaved?.storedToken else { return .unchanged }
            return stored.continues(old) ? .newer(stored) : .unchanged
        } catch {
            return .unreadable(error)
        }
    }

    /// The outcome of storing refreshed credentials.
    private enum Saved {
        case stored
        /// The store has another sign-in, which stays.
        case superseded
        /// Another process has signed out.
        case signedOut
        case failed
    }

    /// Stores credentials, unless their session has ended or another process has changed the store.
    ///
    /// - Parameter token: The token that the store is expected to have.
    private func save(_ new: Credentials, of id: TokenGrant.ID, replacing token: AccessToken) async -> Saved {
        await storing.run { [store] in
            guard await self.isInUse(id) else { return .superseded }
            let (saved, failure) = await store.update { stored -> (TokenChange, Saved) in
                switch stored {
                case .success(nil): return (.keep, .signedOut)
                case .success(let stored?):
                    guard stored.token == token || stored.token == new.token else { return (.keep, .superseded) }
                    var new = new
                    // Another process may have added the user.
                    new.user = new.user ?? stored.user
                    return (.store(new), .stored)
                case .failure(let error): return error.isRepairedByStoring ? (.store(new), .stored) : (.keep, .failed)
                }
            }
            return failure == nil ? saved ?? .failed : .failed
        }
    }

    private func retrySave() async {
        guard let session, let token = session.unsaved?.storedToken else { return }
        let grant = session.grant
        let saved = await save(grant.credentials, of: grant.id, replacing: token)
        guard saved != .failed, isInUse(grant.id), self.session?.unsaved?.storedToken == token else { return }
        guard saved != .signedOut else { return await end(grant.id, .signedOut(grant.id)) }
        self.session?.unsaved = nil
    }
}

/// The delay after a failed refresh before the next one.
struct BackOff: Sendable {
    let failure: BrowseError
    let isExpired: @Sendable () -> Bool
    private let delay: Duration

    /// Starts a delay of one second, or twice the previous one, up to a limit.
    init(after failure: BrowseError, previous: BackOff?, limit: Duration = .seconds(30), clock: any Clock<Duration>) {
        self.failure = failure
        delay = min((previous?.delay ?? .milliseconds(500)) * 2, limit)
        isExpired = clock.deadline(after: delay)
    }
}

extension BrowseError {
    /// Whether a failed refresh means that the refresh token is invalid.
    ///
    /// Only `invalid_grant` (RFC 6749, section 5.2) and the `bad_refresh_token` of some servers mean that; both are
    /// `.invalidCode`. Other codes concern the app or the request, such as `incorrect_client_credentials` and
    /// `invalid_scope`, or are temporary, such as `slow_down`.
    fileprivate var endsSession: Bool { self == .signInFailed(.invalidCode) }

    /// Whether the stored credentials are useless, so that overwriting them loses nothing.
    fileprivate var isRepairedByStoring: Bool {
        guard case .storageFailed(let failure) = self else { return false }
        return failure.reason == .exposed || failure.reason == .damaged
    }
}
