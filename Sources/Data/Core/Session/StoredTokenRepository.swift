@_spi(Services) public import BrowseDomain
public import Foundation
import Synchronization

/// A repository of the current token, which it stores in a ``TokenStore`` and refreshes before it
/// expires.
///
/// Concurrent requests share one refresh and cancel independently. After a failed refresh, requests
/// that need a new token fail with the same error until a back-off ends. A session ends by the
/// service's word, by ``end()``, or by another process, and never because of the device's clock;
/// ``events`` reports it once.
///
/// Processes can share a store: it's read at the first request, by ``current()``, before a refresh,
/// after a refusal, and when it reports ``TokenStore/changes``, and a refresh holds its
/// ``TokenStore/refreshLock()``.
public actor StoredTokenRepository: TokenRepository {
    private let store: any TokenStore
    let authorization: (any AuthorizationRepository)?
    private let eraseResponses: @Sendable (_ account: String) async -> Void
    let clock: any Clock<Duration>
    private let refreshLockTimeout: Duration
    let now: @Sendable () -> Date
    /// A token that stays in use when the service refuses it.
    let configuredToken: AccessToken?
    nonisolated let broadcast = Broadcast<TokenEvent>()
    var session: TokenSession?
    /// Whether the store has been read. If not, each request reads it, and is sent without a token
    /// if that fails.
    var isRead = false
    private var hasReadFailed = false
    private var grantCount = 0
    /// The last session that ended here, until its credentials are deleted.
    ///
    /// Another read must not restore them, and no other process may use a refresh token that is
    /// used up.
    private var ended: TokenSession?
    /// Orders accesses to the store, and the changes of ``session`` that follow them.
    private let storing = SerialTaskQueue()
    /// The last access of requests, which share the one in progress.
    private var access: CoalescedLoad?
    /// Reads the store after each change that it reports.
    private var changesTask: Task<Void, Never>?

    /// Creates a repository without reading the store.
    ///
    /// - Parameters:
    ///   - store: The store of the credentials.
    ///   - authorization: Refreshes and revokes tokens; `nil` does neither.
    ///   - eraseResponses: Removes an account's cached responses when its session ends, as
    ///     ``ResponseCache/removeAll(of:at:)`` does.
    ///   - configuredToken: A token that stays in use when the service refuses it, such as the
    ///     app's own. Requests then fail with `.unauthorized` for a minute, after which it's used
    ///     again. ``end()`` drops it.
    ///   - refreshLockTimeout: The longest wait for a refresh by another process; longer than an
    ///     attempt of it takes. Afterward, requests that need a new token fail with
    ///     `.storageFailed` and the reason `.busy`.
    ///   - clock: The clock that measures waits.
    ///   - now: The current time, which decides whether a token is to be refreshed.
    public init(
        store: any TokenStore,
        authorization: (any AuthorizationRepository)? = nil,
        eraseResponses: @escaping @Sendable (_ account: String) async -> Void = { _ in },
        configuredToken: AccessToken? = nil,
        refreshLockTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.configuredToken = configuredToken
        self.authorization = authorization
        self.eraseResponses = eraseResponses
        self.refreshLockTimeout = refreshLockTimeout
        self.clock = clock
        self.now = now
    }

    deinit { changesTask?.cancel() }

    /// The events from now on.
    public nonisolated var events: AsyncStream<TokenEvent> { broadcast.stream() }

    /// Reads the store, and returns the grant in use; it stays in use while the store can't be
    /// read.
    ///
    /// - Throws: `BrowseError.storageFailed`, with the reason `.busy` after ten seconds. The read
    ///   goes on, and its end is reported as `TokenEvent.restored`. `.cancelled` if the task is
    ///   canceled before the store has been read.
    public func current() async throws(BrowseError) -> TokenGrant? {
        let result = OneShot<BrowseError?>()
        let load = CoalescedLoad { [storing] in result.resolve(await storing.run { await self.read() }) }
        await load.keep(atMost: .seconds(10), by: clock)
        var failure: BrowseError? = .storageFailed(StorageFailure(reason: .busy, file: "session"))
        // Until it ends, requests are sent without a token, as after a failure.
        if let end = result.resolved { failure = end } else { hasReadFailed = !isRead }
        if !isRead, let failure { throw Task.isCancelled ? .cancelled : failure }
        return session?.grant
    }

    /// Stores credentials and makes them current.
    public func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
        let result = await storing.run { [store] () -> Result<TokenGrant, BrowseError> in
            let new = credentials.issued(at: self.now())
            let old = await self.session?.grant.credentials
            let failure = await self.erasing(old) { () throws(BrowseError) in try await store.save(new) }
            guard let failure else {
                _ = await self.takeSession()
                return .success(await self.use(new))
            }
            // The previous session goes on, here and in the store, to which a disk can write late.
            try? await store.update { stored in
                guard (try? stored.get())?.token == new.token else { return .keep }
                return old.map { .store($0) } ?? .delete
            }
            return .failure(failure)
        }
        return try result.get()
    }

    /// Adds the user to the current credentials, and to those in the store.
    public func identify(_ id: TokenGrant.ID, as user: StoredUser) async {
        guard isInUse(id), let credentials = session?.grant.credentials else { return }
        session?.grant.credentials.user = user
        // The service has accepted the token.
        session?.isRefusalOver = nil
        // Only the user, because a refresh may have stored another token. After a failure, the next
        // launch requests the user again.
        await storing.run { [store] in
            guard await self.isInUse(id) else { return }
            try? await store.update { stored in
                guard let stored = try? stored.get(), stored.isSameSignIn(as: credentials) else { return .keep }
                return .store(modified(stored) { $0.user = user })
            }
        }
    }

    /// Ends the current grant and deletes it from the store; a newer sign-in by another process
    /// stays.
    ///
    /// Doesn't wait for refreshes in flight, here or in other processes; they then store nothing.
    public func end() async throws(BrowseError) {
        let taken = takeSession()
        let failure = await storing.run { () -> BrowseError? in
            if await !self.isRead { _ = await self.read() }
            let taken = await self.takeSession() ?? taken
            return await self.delete(taken, evenUnreadable: true)
        }
        isRead = true
        if let failure { throw failure }
    }

    /// Revokes credentials at the service, except the configured ones, which others may use.
    public func revoke(_ credentials: Credentials) async throws(BrowseError) {
        // Some servers issue the token in use again.
        guard ![configuredToken, session?.grant.credentials.token].contains(credentials.token) else { return }
        try await authorization?.revoke(credentials)
    }
}

extension StoredTokenRepository {
    // MARK: Session

    private func isInUse(_ id: TokenGrant.ID) -> Bool { session?.grant.id == id }

    /// Makes new credentials current.
    @discardableResult
    private func use(_ credentials: Credentials) -> TokenGrant {
        grantCount += 1
        let grant = TokenGrant(id: grantCount, credentials: credentials)
        session = TokenSession(grant: grant, isSettled: credentials.isSettled(by: clock, now: now()))
        isRead = true
        // They aren't stored any longer.
        ended = nil
        return grant
    }

    /// Ends the session in memory, and returns its credentials.
    private func takeSession() -> Credentials? {
        guard let session else { return nil }
        self.session = nil
        ended = session
        for waiter in session.waiters { waiter.resolve(nil) }
        return session.grant.credentials
    }

    /// Ends a session that the service rejected, and deletes it.
    private func revoked(_ id: TokenGrant.ID) async {
        guard isInUse(id), let session else { return }
        let waiters = session.waiters
        let credentials = session.grant.credentials
        let isExpired = credentials.refreshToken == nil && credentials.expiresAt.map { $0 <= now() } == true
        // They are resumed after the deletion, so that the session is gone when its requests fail.
        self.session?.waiters = []
        let ended = takeSession()
        broadcast.send(.ended(id, isExpired ? .expired : .revoked))
        _ = await storing.run { await self.delete(ended, evenUnreadable: false) }
        for waiter in waiters { waiter.resolve(nil) }
    }

    // MARK: Store

    /// Waits for the access in progress, or starts one.
    ///
    /// A store can take long, such as while a suspended process holds its lock. So all requests
    /// that need an access wait for the same one. Each wait ends with its caller, and after ten
    /// seconds.
    func share(_ work: @escaping @Sendable () async -> Void) async {
        let current = access.flatMap { $0.canBeJoined ? $0 : nil }
        let load = current ?? CoalescedLoad { [storing] in await storing.run(work) }
        access = load
        await load.keep(atMost: .seconds(10), by: clock)
    }

    /// Reads the store, and then stores a refreshed token that couldn't be stored.
    ///
    /// If another one was stored meanwhile, that one counts.
    func synchronize() async {
        _ = await read()
        guard let session, let unsaved = session.unsaved else { return }
        await save(session.grant.credentials, of: session.grant.id, holding: unsaved.lock)
    }

    /// Reads the store, and continues with the session that it has; returns the error.
    func read() async -> BrowseError? {
        if changesTask == nil {
            changesTask = Task { [weak self, storing, changes = store.changes] in
                // No request may follow, and the lock of a remote store doesn't last forever.
                for await _ in changes { _ = await storing.run { [weak self] in await self?.synchronize() } }
            }
        }
        do throws(BrowseError) {
            await adopt(try await store.load())
            return nil
        } catch {
            hasReadFailed = !isRead
            return error
        }
    }

    /// Continues with the credentials that are stored; other processes can have changed them.
    private func adopt(_ found: Credentials?) async {
        var stored = found
        if let old = ended?.grant.credentials {
            if stored?.isSameSignIn(as: old) == true {
                // The deletion is in progress, or has failed.
                _ = await delete(old, evenUnreadable: false)
                stored = nil
            } else {
                ended = nil
            }
        }
        if let session {
            let old = session.grant.credentials
            if let stored, stored.isSameSignIn(as: old) {
                let isNewer = stored.pair != old.pair && stored.token != session.unsaved?.storedToken
                if isNewer { replace(old, with: stored) }
                return
            }
            _ = takeSession()
            ended = nil
            // Nobody else has a pair that wasn't stored.
            if session.unsaved != nil { Task { [authorization] in try? await authorization?.revoke(old) } }
            broadcast.send(.ended(session.grant.id, .requested))
            await eraseResponses(old.account)
            guard self.session == nil else { return }
        }
        let isNews = isRead ? stored != nil : hasReadFailed
        isRead = true
        hasReadFailed = false
        if let stored { use(stored) }
        if isNews { broadcast.send(.restored) }
    }

    /// Replaces the credentials of the session with those of a refresh.
    private func replace(_ old: Credentials, with new: Credentials) {
        session?.grant.credentials = modified(new) { $0.user = old.user ?? new.user }
        session?.isSettled = new.isSettled(by: clock, now: now())
        if new.scopes != old.scopes { broadcast.send(.restored) }
    }

    /// Deletes ended credentials from the store, and the account's cached responses.
    private func delete(_ ended: Credentials?, evenUnreadable: Bool) async -> BrowseError? {
        let failure = await erasing(ended) { [store] () throws(BrowseError) in
            try await store.update { stored in
                switch stored {
                case .success(let stored?): ended.map(stored.isSameSignIn) == true ? .delete : .keep
                case .success(nil): .keep
                case .failure: evenUnreadable ? .delete : .keep
                }
            }
        }
        if failure == nil, let ended, self.ended?.grant.credentials.isSameSignIn(as: ended) == true { self.ended = nil }
        return failure
    }

    /// Changes the store, and removes the cached responses of ended credentials; returns the error.
    ///
    /// Before, in case the process ends, and again afterward: until then, another process can send
    /// requests.
    private func erasing(_ ended: Credentials?, _ change: () async throws(BrowseError) -> Void) async -> BrowseError? {
        if let ended { await eraseResponses(ended.account) }
        let failure = await Result.of(change).failure
        if let ended { await eraseResponses(ended.account) }
        return failure
    }

    // MARK: Refresh

    /// Waits for the refresh in flight, or starts one.
    ///
    /// - Parameter reason: The reason why the token can't be used any longer. If it's `nil`, and
    ///   another process refreshes the token, this doesn't wait.
    func refreshed(_ id: TokenGrant.ID, because reason: TokenSession.RefreshReason?) async throws(BrowseError) {
        guard let session, session.grant.id == id else { return }
        let waiter = OneShot<BrowseError?>()
        if session.waiters.isEmpty {
            if let backOff = session.backOff, !backOff.isOver() { throw backOff.failure }
            // Detached from the load options of the request that is the first to need it.
            Task.detached { await self.refresh(session.grant) }
        }
        self.session?.waiters.append(waiter)
        if let reason { self.session?.reasons.insert(reason) }
        let failure = await waiter.value { waiter.resolve(.cancelled) }
        if let failure { throw failure }
    }

    func refresh(_ old: TokenGrant) async {
        var failure: BrowseError?
        do throws(BrowseError) {
            if let lock = try await refreshLock(for: old) { try await refresh(old, holding: lock) }
        } catch {
            failure = error
            // Another process may have refreshed a token in a folder that this one can't lock.
            if case .storageFailed = error { _ = await storing.run { await self.read() } }
        }
        guard isInUse(old.id), let session else { return }
        if session.grant.credentials.pair != old.credentials.pair { failure = nil }
        self.session?.backOff = failure.map {
            TokenSession.BackOff(after: $0, previous: session.backOff, clock: clock, now: now())
        }
        self.session?.waiters = []
        self.session?.reasons = []
        for waiter in session.waiters { waiter.resolve(failure) }
    }

    /// Waits for the refresh lock; `nil` if no refresh is necessary any longer.
    private func refreshLock(for old: TokenGrant) async throws(BrowseError) -> RefreshLock? {
        // Without a refresh token, the store only needs to be read.
        guard old.credentials.refreshToken != nil else { return RefreshLock {} }
        let lock = try await clock.poll(every: .milliseconds(20), for: refreshLockTimeout) {
            () async throws(BrowseError) -> RefreshLock?? in
            guard isInUse(old.id) else { return .some(nil) }
            if let lock = session?.unsaved?.lock, lock.isHeld { return lock }
            if let lock = try await store.refreshLock() { return lock }
            return session?.reasons.isEmpty == false ? nil : .some(nil)
        }
        guard let lock else { throw .storageFailed(StorageFailure(reason: .busy, file: "refresh lock")) }
        return lock
    }

    /// Refreshes a grant, or uses newer credentials from the store; the lock is held until this
    /// returns.
    func refresh(_ old: TokenGrant, holding lock: RefreshLock) async throws(BrowseError) {
        defer { if lock !== (session ?? ended)?.unsaved?.lock { lock.release() } }
        // A process that held the lock, or doesn't share it, can have used the refresh token.
        func isOutdated() -> Bool { session?.grant.credentials.pair != old.credentials.pair || !isInUse(old.id) }
        let failure = await storing.run { await self.read() }
        guard !isOutdated() else { return }
        guard session?.reasons.contains(.revoked) == false, let refreshToken = old.credentials.refreshToken,
            let authorization
        else { return await revoked(old.id) }
        // Another process may have used the refresh token, unless this one holds the lock for a
        // token that it couldn't store.
        if let failure, session?.unsaved == nil, !failure.isRepairedByStoring { throw failure }
        var new: Credentials
        do throws(BrowseError) {
            new = try await requestCredentials(refreshToken, authorization).issued(at: now())
        } catch {
            guard error.endsSession, session?.reasons.contains(.doubted) != true else { throw error }
            if let failure = await storing.run({ await self.read() }) { throw failure }
            guard !isOutdated() else { return }
            return await revoked(old.id)
        }
        // RFC 6749, sections 5.1 and 6: a response without them leaves both unchanged.
        if !new.hasUnusableRefreshToken { new.refreshToken = new.refreshToken ?? refreshToken }
        if new.scopes.isEmpty { new.scopes = old.credentials.scopes }
        new.signInID = old.credentials.effectiveSignInID
        new.issuedAt = new.issuedAt ?? now()
        await storing.run { [new] in await self.save(new, of: old.id, holding: lock) }
        // The session ended during the refresh, here or in another process, so the new token must
        // not stay valid; a sign-in may have got the same one meanwhile.
        if !isInUse(old.id) { try? await revoke(new) }
    }

    /// Requests new credentials, up to three times while the server says that it's down.
    ///
    /// If a response is lost, the server may have accepted the refresh token.
    private func requestCredentials(
        _ refreshToken: Secret,
        _ authorization: any AuthorizationRepository
    ) async throws(BrowseError) -> Credentials {
        for pause in [1, 2] {
            do throws(BrowseError) {
                return try await authorization.refresh(refreshToken)
            } catch {
                guard let info = error.request, info.retryAt == nil, Retry.isOutage(info.status) else { throw error }
                _ = await clock.pause(.seconds(pause), before: "another refresh of the token")
            }
        }
        return try await authorization.refresh(refreshToken)
    }

    /// Stores refreshed credentials, and makes them current.
    ///
    /// On a full disk, they are used nevertheless, and saved before the next request; the lock is
    /// held until then, so that no other process uses the old refresh token. If another process has
    /// changed the store, its credentials are used.
    func save(_ new: Credentials, of id: TokenGrant.ID, holding lock: RefreshLock?) async {
        guard isInUse(id), let session else { return }
        let old = session.grant.credentials
        // The store still has an older token if the previous save failed.
        let replaced = session.unsaved?.storedToken ?? old.token
        // The contents of the store, unless they could be replaced.
        let kept = Mutex<Result<Credentials?, BrowseError>?>(nil)
        let result = await Result.of { [store] () throws(BrowseError) in
            try await store.update { stored in
                let isExpected =
                    switch stored {
                    case .success(let stored): stored?.token == replaced || stored?.token == new.token
                    case .failure(let error): error.isRepairedByStoring
                    }
                kept.withLock { $0 = isExpected ? nil : stored }
                guard isExpected else { return .keep }
                // Another process can have added the user.
                return .store(modified(new) { $0.user = old.user ?? new.user ?? (try? stored.get())?.user })
            }
        }
        guard isInUse(id) else { return }
        let other = kept.withLock(\.self)
        if result.failure == nil, case .success(let other)? = other { return await adopt(other) }
        replace(old, with: new)
        let isStored = result.failure == nil && other == nil
        self.session?.refreshedToken = new.token
        self.session?.unsaved = isStored ? nil : (replaced, lock)
    }
}
