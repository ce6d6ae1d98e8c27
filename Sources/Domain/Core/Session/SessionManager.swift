package import Foundation
import Synchronization

/// Signs in to a service and out of it, and reports the session's state.
///
/// An app has one manager for each service. It restores the stored session on ``start()``, when
/// ``sessions`` is first used, or before other work. It reports each case of ``Session`` when its
/// work is done: requests carry the token before the user is loaded, and the ``SessionContent`` is
/// loaded before the session is ready.
public actor SessionManager<User: SessionUser> {
    /// The load of a session's user and content, which returns the error.
    private typealias Load = Task<BrowseError?, Never>

    /// The user's content; the manager loads it when a session starts, and discards it when it
    /// ends.
    public nonisolated let content: User.Content

    private let tokens: any TokenRepository
    private let loadUser: @Sendable () async throws(BrowseError) -> User
    private nonisolated let broadcast = Broadcast<Session<User>>(replaying: .restoring)
    private nonisolated let grantedScopes = Mutex<[String]>([])
    /// The grant of the session; `nil` if no user is signed in.
    private var grant: TokenGrant.ID?
    /// The last grant that began a session; a refused one of the app's own begins again only by
    /// ``retry()``.
    private var lastGrant: TokenGrant.ID?
    /// The number of sign-ins and sign-outs that have begun.
    ///
    /// Each detects by it that a later one has replaced it.
    private var attempts = 0
    /// The number of sign-ins and sign-outs that were requested.
    private var requests = 0
    private var restoreTask: Task<Void, Never>?
    private var eventsTask: Task<Void, Never>?
    private var loadTask: Load?
    /// Runs changes of the token one at a time.
    nonisolated let tokenChanges = SerialTaskQueue()
    /// The pending sign-ins that are in use or were used, until the next one after they expired.
    private var usedSignIns: [Secret: PendingSignIn] = [:]

    /// Creates a manager; nothing is restored yet.
    ///
    /// - Parameters:
    ///   - tokens: Stores the credentials.
    ///   - content: Loaded before a session is ready.
    ///   - user: Loads the user that the token in use belongs to.
    public init(
        tokens: any TokenRepository,
        content: User.Content,
        user: @escaping @Sendable () async throws(BrowseError) -> User
    ) {
        self.tokens = tokens
        self.content = content
        loadUser = user
    }

    deinit {
        eventsTask?.cancel()
        loadTask?.cancel()
    }

    /// The current session.
    public nonisolated var current: Session<User> { broadcast.replayed ?? .restoring }

    /// The permissions that the service granted to the session.
    ///
    /// They are empty if it didn't report them, or if no user is signed in.
    public nonisolated var scopes: [String] { grantedScopes.withLock(\.self) }

    /// Whether a step failed that ``retry()`` can repeat without the user's help.
    public nonisolated var needsRetry: Bool {
        switch current {
        case .unidentified, .signedOut(.storage), .signedOut(.tokenRefused): true
        case .ready: content.needsReload
        case .restoring, .signedOut, .signingIn, .identified: false
        }
    }

    /// The session once it's restored; a later change can still be in progress.
    public var settled: Session<User> {
        get async {
            await startRestoring().value
            return current
        }
    }

    /// The current session and the following ones; the stream ends when the manager is deallocated.
    public nonisolated var sessions: AsyncStream<Session<User>> {
        // Subscribed before the start, so that it receives the first change.
        let stream = broadcast.stream()
        Task { [weak self] in await self?.start() }
        return stream
    }

    /// Restores the stored session; returns when the user and the content have loaded or failed.
    ///
    /// Canceling the calling task ends the wait, and not the load.
    ///
    /// Later calls read the store again, for a sign-in or sign-out by another process. Before the
    /// device's first unlock, the stored session can't be read. Then this returns while the session
    /// is still ``Session/restoring``; the next call, or the next request to the service, tries
    /// again.
    public func start() async {
        restoreTask = nil
        // Unlike the wait for a task's value, that for a load ends with the task that waits.
        let restoring = CoalescedLoad { [weak self, task = startRestoring()] in
            await task.value
            _ = await self?.loadTask?.value
        }
        restoring.keep()
        await restoring.wait(for: restoring.join())
    }

    /// Signs in and ends the previous session; returns when the session is ready.
    ///
    /// If somebody is signed in, the user is read with the new credentials first, and a failure
    /// leaves that session. Canceling the calling task doesn't undo the sign-in.
    ///
    /// - Parameter credentials: The result of a sign-in, or a personal access token.
    /// - Throws: ``BrowseError``: `.storageFailed` if the credentials couldn't be stored,
    ///   `.unauthorized` if the service rejects them, `.cancelled` if another sign-in or sign-out
    ///   replaced this one. If nobody was signed in, other errors leave the session
    ///   ``Session/unidentified(_:)``.
    public func signIn(with credentials: Credentials) async throws(BrowseError) {
        await startRestoring().value
        requests += 1
        let result = await replacement(by: credentials, requests)
        switch result.failure {
        case nil, .unauthorized: break
        // A token that the user pasted can be used again.
        default: if credentials.issuedAt != nil { await revoke(credentials) }
        }
        if let error = try await result.get().value { throw error }
    }

    /// Begins a session in place of the current one.
    ///
    /// If there is one, only with credentials that the service accepts.
    private func replacement(by credentials: Credentials, _ request: Int) async -> Result<Load, BrowseError> {
        var credentials = credentials
        if grant != nil, credentials.user == nil {
            // In its own task: a token that isn't revoked must not be dropped with the caller.
            let user = await Credentials.$tried.withValue(credentials) { Task { await Result.of(loadUser) } }.value
            guard request == requests else { return .failure(.cancelled) }
            switch user {
            case .success(let user): credentials.user = StoredUser(user)
            case .failure(let error): return .failure(error)
            }
        }
        attempts += 1
        return await tokenChanges.run { [credentials, attempts] in await self.replace(with: credentials, attempts) }
    }

    /// Replaces the user of the session with a newer version, such as one with another login.
    ///
    /// Does nothing unless the session has a user with the same account.
    public func update(_ user: User) async {
        guard let grant, let old = current.user, old != user, old.accountID == user.accountID else { return }
        await tokens.identify(grant, as: StoredUser(user))
        guard self.grant == grant, current.user == old else { return }
        if case .ready = current { publish(.ready(user)) } else { publish(.identified(user)) }
    }

    /// Marks a pending sign-in as used.
    ///
    /// - Throws: ``BrowseError``: `.signInFailed(.alreadyUsed)` if it's marked,
    ///   `.signInFailed(.expired)` after its time.
    package func take(_ signIn: PendingSignIn, at now: Date) throws(BrowseError) {
        usedSignIns = usedSignIns.filter { $0.value.isValid(at: now) }
        guard usedSignIns[signIn.secret] == nil else { throw .signInFailed(.alreadyUsed) }
        guard signIn.isValid(at: now) else { throw .signInFailed(.expired) }
        usedSignIns[signIn.secret] = signIn
    }

    /// Removes the mark of a device code whose polling was canceled, so that it can be resumed.
    package func putBack(_ signIn: PendingSignIn) { usedSignIns[signIn.secret] = nil }

    /// Signs out; the session has ended when this returns or throws.
    ///
    /// The content is discarded, including changes that aren't written yet.
    ///
    /// - Throws: ``BrowseError``: `.storageFailed` if the stored token couldn't be deleted,
    ///   otherwise the error of the request that revokes it.
    public func signOut() async throws(BrowseError) {
        await startRestoring().value
        requests += 1
        attempts += 1
        let (old, failure) = await tokenChanges.run { await self.end() }
        let revocation: BrowseError? = if let old { await revoke(old) } else { nil }
        if let failure = failure ?? revocation { throw failure }
    }

    /// Loads the content again; does nothing until the session is ready.
    public func reloadContent() async {
        guard case .ready = current else { return }
        await content.load()
    }

    /// Repeats the step that failed: loading the user, the content, or the stored session.
    ///
    /// If nobody is signed in, this reads the store again, for a sign-in by another process. After
    /// ``SignOutReason/tokenRefused``, sends a request, which restores the session if the service
    /// accepts the token.
    public func retry() async {
        await startRestoring().value
        // A later sign-in or sign-out replaces it.
        let attempt = attempts
        switch current {
        case .unidentified:
            // A sign-out in progress may end this grant first.
            let grant = await tokenChanges.run { [tokens] in try? await tokens.current() }
            guard let grant, attempt == attempts, case .unidentified = current else { break }
            _ = await begin(grant).value
        case .ready where content.needsReload:
            await content.load()
        case .signedOut(.tokenRefused):
            guard let user = try? await loadUser(), var grant = try? await tokens.current(), attempt == attempts,
                current == .signedOut(.tokenRefused)
            else { break }
            grant.credentials.user = StoredUser(user)
            let load = begin(grant)
            await tokens.identify(grant.id, as: StoredUser(user))
            _ = await load.value
        case .signedOut: await start()
        case .restoring, .signingIn, .identified, .ready: break
        }
    }
}

extension SessionManager {
    private func startRestoring() -> Task<Void, Never> {
        if let restoreTask { return restoreTask }
        if eventsTask == nil {
            // Subscribed before the token is used, so that no event is missed.
            eventsTask = Task { [weak self, events = tokens.events] in
                for await event in events { await self?.handle(event) }
            }
        }
        let task = Task { await restore() }
        restoreTask = task
        return task
    }

    private func restore() async {
        let attempt = attempts
        // Waits for a sign-in or sign-out in progress.
        let result = await tokenChanges.run { [tokens] in
            await Result.of { () throws(BrowseError) in try await tokens.current() }
        }
        guard attempt == attempts else { return }
        switch result {
        case .success(let found?) where found.id != lastGrant: begin(found, isRestored: true)
        case .success(let found?):
            // A refresh can have changed them, and rows follow them.
            guard grant != nil, found.credentials.scopes != scopes else { break }
            grantedScopes.withLock { $0 = found.credentials.scopes }
            broadcast.send(current, isReplayed: true)
        case .success(nil):
            switch current {
            case .restoring, .signedOut(.storage): publish(.signedOut(.noSession))
            // An event ends the session in use, and the reason for a sign-out stays.
            case .signedOut, .signingIn, .unidentified, .identified, .ready: break
            }
        case .failure(.storageFailed(let failure)) where failure.reason != .locked:
            if grant == nil { publish(.signedOut(.storage(failure))) }
        // Not a sign-out: the session is still `.restoring`, and each later start tries again.
        case .failure:
            restoreTask = nil
            // Again, because requests are sent without the token from now on.
            if current == .restoring { broadcast.send(.restoring, isReplayed: true) }
        }
    }

    private func handle(_ event: TokenEvent) {
        switch event {
        case .ended(let grant, let reason): end(grant, for: reason)
        case .restored:
            restoreTask = nil
            _ = startRestoring()
        }
    }

    /// Replaces the session, and begins the new one, unless a later sign-in or sign-out waits.
    private func replace(with credentials: Credentials, _ attempt: Int) async -> Result<Load, BrowseError> {
        // Cancels the previous user's requests before another token is in use.
        end(grant, for: .requested)
        let result = await Result.of { () throws(BrowseError) in try await tokens.begin(with: credentials) }
        guard attempt == attempts else { return .failure(result.failure ?? .cancelled) }
        guard case .storageFailed(let failure) = result.failure else { return result.map { begin($0) } }
        // The previous session goes on, if there was one.
        let old = try? await tokens.current()
        if let old, attempt == attempts { begin(old) } else { publish(.signedOut(.storage(failure))) }
        return .failure(.storageFailed(failure))
    }

    /// Revokes a token in its own task: if the caller is canceled, it must not stay valid.
    @discardableResult
    package func revoke(_ credentials: Credentials) async -> BrowseError? {
        await Task { [tokens, tokenChanges] in
            // One in use isn't revoked, and a later sign-in may be about to replace this one.
            await tokenChanges.run {}
            return await Result.of { () throws(BrowseError) in try await tokens.revoke(credentials) }.failure
        }
        .value
    }

    /// Ends the session; returns the credentials to revoke, and the storage error.
    private func end() async -> (Credentials?, BrowseError?) {
        let mine = grant
        let old = try? await tokens.current()
        // Another process has signed in somebody else, whose session isn't this one's to end. An
        // event begins it.
        if let mine, let old, old.id != mine {
            end(grant, for: .requested)
            return (nil, nil)
        }
        loadTask?.cancel()
        discardSession(for: .requested)
        let failure = await Result.of { () throws(BrowseError) in try await tokens.end() }.failure
        publish(.signedOut(.requested))
        return (old?.credentials, failure)
    }

    /// Begins a session in its own task, which callers don't cancel.
    @discardableResult
    private func begin(_ grant: TokenGrant, isRestored: Bool = false) -> Load {
        // The event of its end can arrive later.
        if self.grant != grant.id { end(self.grant, for: .requested) }
        self.grant = grant.id
        lastGrant = grant.id
        grantedScopes.withLock { $0 = grant.credentials.scopes }
        loadTask?.cancel()
        // Subscribers may change the content as soon as they receive `.signingIn`.
        content.activate()
        publish(.signingIn)
        let task = Task { await load(grant, isRestored: isRestored) }
        loadTask = task
        return task
    }

    private func load(_ grant: TokenGrant, isRestored: Bool) async -> BrowseError? {
        var isCurrent: Bool { self.grant == grant.id && !Task.isCancelled }
        let user: User
        do throws(BrowseError) {
            user = try await self.user(of: grant)
        } catch {
            guard !Task.isCancelled else { return .cancelled }
            if case .unauthorized(let info) = error, !info.isUnproven {
                // The event of the refusal may have ended the session before.
                end(grant.id, for: info.refusedConfiguredToken ? .tokenRefused : .revoked)
                return error
            }
            guard isCurrent else { return .cancelled }
            publish(.unidentified(error))
            return error
        }
        guard isCurrent else { return .cancelled }
        publish(.identified(user))
        await content.load()
        guard isCurrent else { return .cancelled }
        // A screen can have updated it meanwhile.
        publish(.ready(current.user ?? user))
        // The stored user can have another login by now. Nothing waits for that.
        if isRestored, grant.credentials.user != nil {
            Task { [weak self, loadUser] in
                if let user = try? await loadUser() { await self?.update(user) }
            }
        }
        return nil
    }

    private func user(of grant: TokenGrant) async throws(BrowseError) -> User {
        if let user = grant.credentials.user?.user(as: User.self) { return user }
        // A token's user never changes, so a cached response is sufficient if the service can't be
        // reached.
        let options = LoadOptions(source: .networkElseCache)
        let user = try await options.load { [loadUser] () throws(BrowseError) in try await loadUser() }.value
        await tokens.identify(grant.id, as: StoredUser(user))
        return user
    }

    /// Ends the session of a grant, unless another grant is in use.
    ///
    /// After a refusal, the load isn't canceled: its request may be the one that was refused, and
    /// its caller receives that error.
    private func end(_ grant: TokenGrant.ID?, for reason: SignOutReason) {
        guard self.grant == grant else { return }
        // Also if the session has ended, since the load could continue with the next token.
        if reason == .requested { loadTask?.cancel() }
        guard grant != nil else { return }
        // The first request with a token reads its user.
        let reason = reason == .revoked && current.user == nil ? .refused : reason
        discardSession(for: reason)
        publish(.signedOut(reason))
    }

    private func discardSession(for reason: SignOutReason) {
        grant = nil
        grantedScopes.withLock { $0 = [] }
        content.end()
        if reason == .requested { content.discardPending() }
    }

    private func publish(_ session: Session<User>) {
        guard session != current else { return }
        broadcast.send(session, isReplayed: true)
    }
}
