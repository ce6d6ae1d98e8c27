import BrowseDomain
import Foundation
import Synchronization

extension StoredTokenRepository {
    /// The grant to send a request with; refreshed when its token expires within a minute.
    ///
    /// - Returns: `nil` when nobody is signed in, or what is stored cannot be used.
    /// - Throws: Why the token could not be refreshed although it has expired; `.cancelled` when the caller was canceled.
    func grantForRequest() async throws(BrowseError) -> GitHub.Grant? {
        switch state {
        case .unread, .locked: _ = await read()
        case .unusable, .empty, .inUse: break
        }
        if let unsaved, let grant { await saveAgain(grant, replacing: unsaved) }
        // Only now: the session may have ended meanwhile.
        guard let grant else { return nil }
        guard let end = grant.credentials.expiresAt, end.timeIntervalSince(now()) < Self.margin else {
            return self.grant
        }
        do throws(BrowseError) {
            return try await refreshed(grant, mayRefresh: true)
        } catch {
            guard end > now(), error != .cancelled else { throw error }
            return self.grant
        }
    }

    /// The grant to try a request with again that was refused.
    ///
    /// - Parameter mayRefresh: Whether a new token may be requested; otherwise a token that another process has stored is the
    ///   only way to continue the session.
    /// - Returns: `nil` when there is none; the session has then ended.
    func grant(
        afterRefusalOf refused: GitHub.Grant,
        mayRefresh: Bool = true
    ) async throws(BrowseError) -> GitHub.Grant? {
        guard let grant, grant.id == refused.id else { return nil }
        // Others met the same refusal before, and there is a new token already.
        guard grant.credentials.token == refused.credentials.token else { return grant }
        return try await refreshed(grant, mayRefresh: mayRefresh)
    }

    /// How long before its end a token is refreshed: longer than a request takes.
    private static var margin: TimeInterval { 60 }

    /// Waits for the refresh that is in flight, or begins it.
    private func refreshed(_ grant: GitHub.Grant, mayRefresh: Bool) async throws(BrowseError) -> GitHub.Grant? {
        if refreshing != grant.id {
            if mayRefresh, let backOff, !backOff.isOver() { throw backOff.failure }
            refreshing = grant.id
            Task { await refresh(grant, mayRefresh: mayRefresh) }
        }
        waiterCount += 1
        let number = waiterCount
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                if Task.isCancelled {
                    continuation.resume(returning: .failure(.cancelled))
                } else {
                    waiters[number] = Waiter(grant: grant.id, continuation: continuation)
                }
            }
        } onCancel: {
            Task { await self.forget(number) }
        }
        return try outcome.get()
    }

    private func forget(_ number: Int) {
        waiters.removeValue(forKey: number)?.continuation.resume(returning: .failure(.cancelled))
    }

    /// Resumes the requests that wait for a grant's token.
    func finish(_ id: GitHub.Grant.ID, with outcome: Outcome) {
        if refreshing == id { refreshing = nil }
        for (number, waiter) in waiters where waiter.grant == id {
            waiters[number] = nil
            waiter.continuation.resume(returning: outcome)
        }
    }

    private func refresh(_ old: GitHub.Grant, mayRefresh: Bool) async {
        do throws(BrowseError) {
            // Nothing is refreshed, and nothing changes, without a refresh token.
            let needsLock = old.credentials.refreshToken != nil
            let lock = needsLock ? try await refreshLock(for: old.id) : nil
            guard isInUse(old.id) else { return }
            try await refresh(old, holding: lock, mayRefresh: mayRefresh)
            if isInUse(old.id) { backOff = nil }
        } catch {
            guard isInUse(old.id) else { return }
            if error != .cancelled { backOff = BackOff(after: error, previous: backOff, clock: clock) }
            finish(old.id, with: .failure(error))
        }
    }

    /// Takes the lock; `nil` when the grant's session ends before.
    private func refreshLock(for id: GitHub.Grant.ID) async throws(BrowseError) -> RefreshLock? {
        let isOver = clock.deadline(after: refreshLockTimeout)
        while isInUse(id) {
            if let heldLock, heldLock.isHeld { return heldLock }
            if let lock = try await store.refreshLock() { return lock }
            guard !isOver() else { throw .storageFailed(StorageFailure(reason: .busy, file: "refresh lock")) }
            try? await clock.sleep(for: .milliseconds(20))
        }
        return nil
    }

    /// Refreshes a grant, or takes over the credentials that another process has stored; the lock is held until it returns.
    private func refresh(
        _ old: GitHub.Grant,
        holding lock: RefreshLock?,
        mayRefresh: Bool
    ) async throws(BrowseError) {
        defer { if lock !== heldLock { lock?.release() } }
        switch await stored(since: old) {
        case .newer(let credentials): return await take(credentials, for: old.id)
        case .deleted: return await end(old.id, .signedOut(old.id))
        case .unchanged, .unreadable: break
        }
        guard mayRefresh, let authorization, let refreshToken = old.credentials.refreshToken,
            (old.credentials.refreshExpiresAt ?? .distantFuture) > now()
        else { return await end(old.id, .revoked(old.id)) }
        let new: GitHub.Credentials
        do throws(BrowseError) {
            new = try await authorization.refresh(refreshToken)
        } catch {
            guard error.endsSession else { throw error }
            // A process that doesn't share the lock may have been faster, after which our refresh token is dead.
            switch await stored(since: old) {
            case .newer(let credentials): return await take(credentials, for: old.id)
            case .deleted: return await end(old.id, .signedOut(old.id))
            case .unreadable(let error): throw error
            case .unchanged: return await end(old.id, .revoked(old.id))
            }
        }
        await store(new, inPlaceOf: old, holding: lock)
    }

    /// Stores new credentials, and then puts them in use.
    private func store(_ new: GitHub.Credentials, inPlaceOf old: GitHub.Grant, holding lock: RefreshLock?) async {
        var new = new
        new.signInID = old.credentials.effectiveSignInID
        new.user = grant?.credentials.user ?? new.user
        redactor.add(new)
        // While nothing newer could be stored, an older token is there.
        let replaced = unsaved ?? old.credentials.token
        let saved = isInUse(old.id) ? await save(new, of: old.id, replacing: replaced) : .superseded
        guard let current = grant, current.id == old.id, saved != .signedOut else {
            // The session ended during the refresh, here or in another process. Nobody should have the new token.
            await end(old.id, .signedOut(old.id))
            try? await authorization?.revoke(new.token)
            return
        }
        unsaved = saved == .failed ? replaced : nil
        heldLock = saved == .failed ? lock : nil
        await take(new, for: old.id)
    }

    /// Puts credentials in use.
    private func take(_ credentials: GitHub.Credentials, for id: GitHub.Grant.ID) async {
        guard let current = grant, current.id == id else { return }
        var credentials = credentials
        credentials.user = current.credentials.user ?? credentials.user
        redactor.add(credentials)
        let grant = GitHub.Grant(id: id, credentials: credentials)
        state = .inUse(grant)
        finish(id, with: .success(grant))
        await forgetResponses(to: current.credentials, unlessSharedBy: credentials)
    }

    /// Ends a grant's session; its requests go without a token once it's deleted.
    private func end(_ id: GitHub.Grant.ID, _ event: GitHub.TokenEvent) async {
        guard let ended = grant, ended.id == id else { return }
        retire()
        broadcast.send(event)
        _ = await delete(ended.credentials, evenUnreadable: false)
        finish(id, with: .success(nil))
    }
}

extension StoredTokenRepository {
    /// The store's contents compared with the grant in use.
    private enum Stored {
        /// Nothing that concerns the grant, though another user may have signed in.
        case unchanged
        /// Another process has refreshed the grant, or signed the same user in again.
        case newer(GitHub.Credentials)
        /// Another process has signed out.
        case deleted
        case unreadable(BrowseError)
    }

    private func stored(since old: GitHub.Grant) async -> Stored {
        do throws(BrowseError) {
            guard let stored = try await store.load() else { return .deleted }
            let old = old.credentials
            guard stored.token != old.token, stored.token != unsaved else { return .unchanged }
            let isSameUser = stored.user.map { $0.id == old.user?.id } ?? false
            return isSameUser || stored.isSameSignIn(as: old) ? .newer(stored) : .unchanged
        } catch {
            return .unreadable(error)
        }
    }

    /// The outcome of storing refreshed credentials.
    private enum Saved {
        case stored
        /// Another sign-in was stored meanwhile, and stays.
        case superseded
        /// Another process has signed out meanwhile.
        case signedOut
        case failed
    }

    /// Stores credentials, unless their session is over by then or another process has stored something else.
    ///
    /// - Parameter token: The token that is stored as far as is known here.
    private func save(
        _ new: GitHub.Credentials,
        of id: GitHub.Grant.ID,
        replacing token: GitHub.AccessToken
    ) async -> Saved {
        await storing.run { [store] in
            guard await self.isInUse(id) else { return .superseded }
            let saved = Mutex(Saved.failed)
            let failure = await BrowseError.caught { () throws(BrowseError) in
                try await store.update { stored in
                    switch stored {
                    case .success(nil):
                        saved.withLock { $0 = .signedOut }
                        return .keep
                    case .success(let stored?) where stored.token != token && stored.token != new.token:
                        saved.withLock { $0 = .superseded }
                        return .keep
                    case .success(let stored?):
                        saved.withLock { $0 = .stored }
                        var new = new
                        // Another process may have learned it.
                        new.user = new.user ?? stored.user
                        return .store(new)
                    case .failure(let error) where error.isRepairedByStoring:
                        saved.withLock { $0 = .stored }
                        return .store(new)
                    case .failure:
                        return .keep
                    }
                }
            }
            return failure == nil ? saved.withLock(\.self) : .failed
        }
    }

    /// Tries again to store credentials that could not be stored when they were new.
    private func saveAgain(_ grant: GitHub.Grant, replacing token: GitHub.AccessToken) async {
        let saved = await save(grant.credentials, of: grant.id, replacing: token)
        guard saved != .failed, isInUse(grant.id), unsaved == token else { return }
        guard saved != .signedOut else { return await end(grant.id, .signedOut(grant.id)) }
        unsaved = nil
        heldLock?.release()
        heldLock = nil
    }
}

/// The time after a failed refresh during which no other is sent.
struct BackOff: Sendable {
    let failure: BrowseError
    let isOver: @Sendable () -> Bool
    private let delay: Duration

    /// Waits for a second after the first failure, and twice as long after each further one, up to 30 seconds.
    init(after failure: BrowseError, previous: BackOff?, clock: any Clock<Duration>) {
        self.failure = failure
        delay = min((previous?.delay ?? .milliseconds(500)) * 2, .seconds(30))
        isOver = clock.deadline(after: delay)
    }
}

extension BrowseError {
    /// Whether a refusal to refresh a token is final: the refresh token is dead.
    ///
    /// Only two error words say that: `bad_refresh_token` (GitHub's "Refreshing user access tokens") and `invalid_grant` (RFC
    /// 6749, section 5.2). `BrowseError.SignInFailure` has one case for both. Others are about the app or the request, such as
    /// `incorrect_client_credentials`, `invalid_client`, `unauthorized_client`, `unsupported_grant_type`, `invalid_request`, and
    /// `invalid_scope`, or they pass, such as `slow_down`, `temporarily_unavailable`, and every status without such a word.
    fileprivate var endsSession: Bool { self == .signInFailed(.invalidCode) }

    /// Whether what is stored is useless to everybody, so that storing over it loses nothing.
    fileprivate var isRepairedByStoring: Bool {
        guard case .storageFailed(let failure) = self else { return false }
        return failure.reason == .exposed || failure.reason == .damaged
    }
}
