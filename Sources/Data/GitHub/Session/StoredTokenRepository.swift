public import BrowseDomain
public import Foundation

/// The token in use, kept in a ``TokenStore`` and renewed before it ends: what ``Authorization`` takes tokens from.
///
/// However many requests need a new token at once, it is asked for once and all of them get it; each may be cancelled for
/// itself. When GitHub ends the token, it is deleted and told once. Several processes may share a store: before a token is
/// renewed or given up it is looked for one that another process has put there.
public actor StoredTokenRepository: GitHub.TokenRepository {
    private enum State {
        /// The store has not been read.
        case unread
        /// The device hasn't been unlocked since it started. Each request reads the store again, and goes without a token.
        case locked
        /// It was read, and what is in it cannot be used; requests go without.
        case unusable
        case empty
        case inUse(GitHub.Grant)
    }

    private typealias Outcome = Result<GitHub.Grant?, BrowseError>

    private let store: any TokenStore
    private let authorization: (any GitHub.AuthorizationRepository)?
    private let replies: ResponseCache?
    private let redactor: SecretRedactor
    private let now: @Sendable () -> Date
    private nonisolated let broadcast = Broadcast<GitHub.TokenEvent>()
    private var state = State.unread
    private var reading: Task<BrowseError?, Never>?
    private var grantCount = 0
    /// The token in place of which renewed credentials are to be stored, when that was not possible yet.
    private var unsaved: GitHub.AccessToken?
    /// What is done to the store, so that a late write never lands on a newer one.
    private let storing = SerialWork()
    private var renewing: GitHub.Grant.ID?
    private var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    private var waiterCount = 0

    /// Creates a repository; nothing is read yet.
    ///
    /// - Parameters:
    ///   - store: Where credentials outlive the app.
    ///   - authorization: Renews tokens, and revokes them; `nil` does neither.
    ///   - replies: Where replies are kept; those to an account's requests go when its session ends.
    ///   - redactor: Masks the tokens in events and errors; the one of the clients that send them.
    ///   - now: The current time, by which a token ends.
    public init(
        store: any TokenStore,
        authorization: (any GitHub.AuthorizationRepository)? = nil,
        replies: ResponseCache? = nil,
        redactor: SecretRedactor = SecretRedactor(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.redactor = redactor
        self.authorization = authorization
        self.replies = replies
        self.now = now
    }

    /// Creates a repository of a token that is not stored, such as a personal access token; `nil` is nobody's.
    public init(token: GitHub.AccessToken?) {
        self.init(store: InMemoryTokenStore(token.map { GitHub.Credentials(token: $0) }))
    }

    /// The events from now on.
    public nonisolated var events: AsyncStream<GitHub.TokenEvent> { broadcast.stream() }

    /// What is in use; the first call reads the store.
    ///
    /// - Throws: `.storageFailed` when what is stored cannot be used; then nothing is in use, and the next call reads again.
    public func current() async throws(BrowseError) -> GitHub.Grant? {
        switch state {
        case .unread, .locked, .unusable: if let error = await read() { throw error }
        case .empty, .inUse: break
        }
        return grant
    }

    /// Stores credentials and puts them in use.
    public func begin(with credentials: GitHub.Credentials) async throws(BrowseError) -> GitHub.Grant {
        let ended = leave()
        let failure = await storing.run { [store, replies] in
            if let account = ended?.account { await replies?.removeAll(of: account) }
            return await BrowseError.caught { () throws(BrowseError) in try await store.save(credentials) }
        }
        guard let failure else { return use(credentials) }
        // Nor is the one before to come back at the next launch.
        _ = await storing.run { [store] in
            await BrowseError.caught { () throws(BrowseError) in try await store.delete() }
        }
        throw failure
    }

    /// Notes whose the credentials are, also in the store.
    public func identify(_ id: GitHub.Grant.ID, as user: GitHub.User) async {
        guard var grant, grant.id == id else { return }
        let old = grant.credentials
        grant.credentials.user = user
        state = .inUse(grant)
        await forgetReplies(to: old, unlessSharedBy: grant.credentials)
        await save(grant, replacing: grant.credentials.token)
    }

    /// Puts what is in use out of use, and deletes it from the store; what another process has stored since stays.
    public func end() async throws(BrowseError) {
        if let failure = await delete(leave()) { throw failure }
    }

    /// Asks GitHub to take credentials back.
    public func revoke(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        try await authorization?.revoke(credentials.token)
    }

    /// Forgets what was kept under another name of the same account: nobody would find it, or take it away.
    private func forgetReplies(to old: GitHub.Credentials, unlessSharedBy new: GitHub.Credentials) async {
        if old.account != new.account { await replies?.removeAll(of: old.account) }
    }

    private var grant: GitHub.Grant? {
        if case .inUse(let grant) = state { grant } else { nil }
    }

    /// Puts what is in use out of use, and returns it.
    private func leave() -> GitHub.Credentials? {
        let ended = grant?.credentials
        state = .empty
        unsaved = nil
        // Whoever waits for the token of a session that is over does without one.
        finish(.success(nil))
        return ended
    }

    private func use(_ credentials: GitHub.Credentials) -> GitHub.Grant {
        redactor.add(credentials)
        grantCount += 1
        let grant = GitHub.Grant(id: GitHub.Grant.ID(rawValue: grantCount), credentials: credentials)
        state = .inUse(grant)
        return grant
    }

    /// Reads the store, once for all who wait; returns what stood in the way.
    private func read() async -> BrowseError? {
        if let reading { return await reading.value }
        let task = Task { () -> BrowseError? in
            do throws(BrowseError) {
                let credentials = try await store.load()
                let wasLocked: Bool
                switch state {
                case .unread, .unusable: wasLocked = false
                case .locked: wasLocked = true
                // Somebody has signed in or out meanwhile.
                case .empty, .inUse: return nil
                }
                if let credentials { _ = use(credentials) } else { state = .empty }
                if wasLocked { broadcast.send(.unlocked) }
                return nil
            } catch {
                switch state {
                case .unread, .locked, .unusable: state = error.isLocked ? .locked : .unusable
                case .empty, .inUse: break
                }
                return error
            }
        }
        reading = task
        let error = await task.value
        reading = nil
        return error
    }

    /// Stores what a grant consists of, unless it is over by then or another process has stored something else.
    ///
    /// - Parameter token: What is in the store as far as is known here.
    private func save(_ grant: GitHub.Grant, replacing token: GitHub.AccessToken) async {
        let failure = await storing.run { [store] () -> BrowseError? in
            guard await self.grant == grant else { return nil }
            return await BrowseError.caught { () throws(BrowseError) in
                try await store.update { stored in
                    // Not in place of nothing either: then another process has signed out.
                    let isOurs =
                        (try? stored.get()).map { [token, grant.credentials.token].contains($0.token) } ?? false
                    return isOurs ? .store(grant.credentials) : .keep
                }
            }
        }
        // The old ones may be dead, so that these are kept; the next request tries again.
        if self.grant == grant { unsaved = failure == nil ? nil : token }
    }

    /// Deletes what is no longer in use from the store, or what cannot be read there, and what was kept of the account;
    /// returns what stood in the way.
    private func delete(_ ended: GitHub.Credentials?) async -> BrowseError? {
        await storing.run { [store, replies] in
            if let account = ended?.account { await replies?.removeAll(of: account) }
            return await BrowseError.caught { () throws(BrowseError) in
                try await store.update { stored in
                    guard let other = (try? stored.get())?.token, other != ended?.token else { return .delete }
                    return .keep
                }
            }
        }
    }
}

extension StoredTokenRepository {
    /// The grant to send a request with; renewed when its token ends within a minute.
    ///
    /// - Returns: `nil` when nobody is signed in, or what is stored cannot be used.
    /// - Throws: Why the token could not be renewed although it has ended; `.cancelled` when the caller was cancelled.
    func grantForRequest() async throws(BrowseError) -> GitHub.Grant? {
        switch state {
        case .unread, .locked: _ = await read()
        case .unusable, .empty, .inUse: break
        }
        if let unsaved, let grant { await save(grant, replacing: unsaved) }
        // Only now: the session may have ended meanwhile.
        guard let grant else { return nil }
        guard let end = grant.credentials.expiresAt, end.timeIntervalSince(now()) < Self.margin else {
            return self.grant
        }
        do throws(BrowseError) {
            return try await renewed(grant)
        } catch {
            guard end > now(), error != .cancelled else { throw error }
            return self.grant
        }
    }

    /// The grant to try a request with again that was refused.
    ///
    /// - Returns: `nil` when there is none; the session has then ended.
    func grant(afterRefusalOf refused: GitHub.Grant) async throws(BrowseError) -> GitHub.Grant? {
        guard let grant, grant.id == refused.id else { return nil }
        // Others met the same refusal before, and there is a new token already.
        guard grant.credentials.token == refused.credentials.token else { return grant }
        return try await renewed(grant)
    }

    /// Ends a session whose newest token was refused as well.
    func end(afterRefusalOf refused: GitHub.Grant) async {
        guard grant?.id == refused.id, grant?.credentials.token == refused.credentials.token else { return }
        await revoked(refused.id)
    }

    private func revoked(_ id: GitHub.Grant.ID) async {
        let ended = leave()
        broadcast.send(.revoked(id))
        _ = await delete(ended)
    }

    /// Whether requests carry what a grant consists of.
    func isInUse(_ id: GitHub.Grant.ID) -> Bool { grant?.id == id }

    /// How long before its end a token is renewed: longer than a request takes.
    private static var margin: TimeInterval { 60 }

    /// Waits for the renewal that is under way, or begins it.
    private func renewed(_ grant: GitHub.Grant) async throws(BrowseError) -> GitHub.Grant? {
        if renewing != grant.id {
            renewing = grant.id
            Task { await renew(grant) }
        }
        waiterCount += 1
        let number = waiterCount
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: CheckedContinuation<Outcome, Never>) in
                if Task.isCancelled { waiter.resume(returning: .failure(.cancelled)) } else { waiters[number] = waiter }
            }
        } onCancel: {
            Task { await self.forget(number) }
        }
        return try outcome.get()
    }

    private func forget(_ number: Int) {
        waiters.removeValue(forKey: number)?.resume(returning: .failure(.cancelled))
    }

    /// Tells whoever waits for a token.
    private func finish(_ outcome: Outcome) {
        renewing = nil
        let all = waiters.values
        waiters = [:]
        for waiter in all { waiter.resume(returning: outcome) }
    }

    private func renew(_ old: GitHub.Grant) async {
        let outcome = await self.outcome(ofRenewing: old)
        guard let current = grant, current.id == old.id else {
            // Who signed out or in meanwhile has told the waiters. Nobody needs the new token, and nobody is to have it.
            if case .success(let credentials?) = outcome { try? await authorization?.revoke(credentials.token) }
            return
        }
        switch outcome {
        case .success(var credentials?):
            redactor.add(credentials)
            credentials.user = current.credentials.user ?? credentials.user
            let grant = GitHub.Grant(id: old.id, credentials: credentials)
            state = .inUse(grant)
            finish(.success(grant))
            await forgetReplies(to: current.credentials, unlessSharedBy: credentials)
            await save(grant, replacing: old.credentials.token)
        case .success(nil):
            await revoked(old.id)
        case .failure(let error):
            finish(.failure(error))
        }
    }

    /// New credentials; `nil` when there will be none.
    private func outcome(ofRenewing old: GitHub.Grant) async -> Result<GitHub.Credentials?, BrowseError> {
        if let other = await storedByOthers(than: old) { return .success(other) }
        guard let authorization, let refreshToken = old.credentials.refreshToken,
            (old.credentials.refreshExpiresAt ?? .distantFuture) > now()
        else { return .success(nil) }
        do throws(BrowseError) {
            return .success(try await authorization.refresh(refreshToken))
        } catch {
            guard error.endsSession else { return .failure(error) }
            // Another process may have been faster, after which our refresh token is dead.
            return .success(await storedByOthers(than: old))
        }
    }

    /// What another process has stored for the same person since.
    private func storedByOthers(than old: GitHub.Grant) async -> GitHub.Credentials? {
        guard unsaved == nil, let stored = try? await store.load(), stored.token != old.credentials.token,
            let user = stored.user, user.id == old.credentials.user?.id
        else { return nil }
        return stored
    }
}

extension BrowseError {
    fileprivate var isLocked: Bool {
        if case .storageFailed(let failure) = self { failure.reason == .locked } else { false }
    }

    /// Whether a refusal to renew a token is final: asked again, the answer would be the same.
    fileprivate var endsSession: Bool {
        switch self {
        case .signInFailed, .unauthorized, .forbidden, .notFound, .rejected: true
        case .cancelled, .unreachable, .timedOut, .rateLimited, .serverFailure, .unusableReply, .refused,
            .storageFailed:
            false
        }
    }

    /// What a piece of work threw; `nil` when it threw nothing.
    fileprivate static func caught(
        _ work: @Sendable () async throws(BrowseError) -> Void
    ) async -> BrowseError? {
        do throws(BrowseError) {
            try await work()
            return nil
        } catch {
            return error
        }
    }
}
