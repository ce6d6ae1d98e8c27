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
        case empty
        case inUse(GitHub.Grant)
    }

    private typealias Outcome = Result<GitHub.Grant?, BrowseError>

    private let store: any TokenStore
    private let authorization: (any GitHub.AuthorizationRepository)?
    private let now: @Sendable () -> Date
    private nonisolated let broadcast = Broadcast<GitHub.Grant.ID>()
    private var state = State.unread
    private var reading: Task<BrowseError?, Never>?
    private var grantCount = 0
    /// Renewed credentials that could not be stored yet.
    private var unsaved = false
    private var renewing: GitHub.Grant.ID?
    private var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    private var waiterCount = 0

    /// Creates a repository; nothing is read yet.
    ///
    /// - Parameters:
    ///   - store: Where credentials outlive the app.
    ///   - authorization: Renews tokens, and revokes them; `nil` does neither.
    ///   - now: The current time, by which a token ends.
    public init(
        store: any TokenStore,
        authorization: (any GitHub.AuthorizationRepository)? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.authorization = authorization
        self.now = now
    }

    /// Creates a repository of a token that is not stored, such as a personal access token; `nil` is nobody's.
    public init(token: GitHub.AccessToken?) {
        self.init(store: InMemoryTokenStore(token.map { GitHub.Credentials(token: $0) }))
    }

    /// Each grant that GitHub ended, from now on.
    public nonisolated var revocations: AsyncStream<GitHub.Grant.ID> { broadcast.stream() }

    /// What is in use; the first call reads the store.
    ///
    /// - Throws: `.storageFailed` when what is stored cannot be used; then nothing is in use, and the next call reads again.
    public func current() async throws(BrowseError) -> GitHub.Grant? {
        if case .unread = state, let error = await read() { throw error }
        return grant
    }

    /// Stores credentials and puts them in use.
    public func begin(with credentials: GitHub.Credentials) async throws(BrowseError) -> GitHub.Grant {
        leave()
        do throws(BrowseError) {
            try await store.save(credentials)
        } catch {
            // Nor is the one before to come back at the next launch.
            try? await store.delete()
            throw error
        }
        return use(credentials)
    }

    /// Notes whose the credentials are, also in the store.
    public func identify(_ id: GitHub.Grant.ID, as user: GitHub.User) async {
        guard var grant, grant.id == id else { return }
        grant.credentials.user = user
        state = .inUse(grant)
        await save(grant.credentials)
    }

    /// Puts what is in use out of use, and deletes it from the store.
    public func end() async throws(BrowseError) {
        leave()
        try await store.delete()
    }

    /// Asks GitHub to take credentials back.
    public func revoke(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        try await authorization?.revoke(credentials.token)
    }

    private var grant: GitHub.Grant? {
        if case .inUse(let grant) = state { grant } else { nil }
    }

    private func leave() {
        state = .empty
        unsaved = false
        // Whoever waits for the token of a session that is over does without one.
        finish(.success(nil))
    }

    private func use(_ credentials: GitHub.Credentials) -> GitHub.Grant {
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
                // Somebody has signed in or out meanwhile.
                guard case .unread = state else { return nil }
                if let credentials { _ = use(credentials) } else { state = .empty }
                return nil
            } catch {
                return error
            }
        }
        reading = task
        let error = await task.value
        reading = nil
        return error
    }

    private func save(_ credentials: GitHub.Credentials) async {
        do throws(BrowseError) {
            try await store.save(credentials)
            unsaved = false
        } catch {
            // The old ones may be dead, so that these are kept; the next request tries again.
            unsaved = true
        }
    }
}

extension StoredTokenRepository {
    /// The grant to send a request with; renewed when its token ends within a minute.
    ///
    /// - Returns: `nil` when nobody is signed in, or what is stored cannot be used.
    /// - Throws: Why the token could not be renewed although it has ended; `.cancelled` when the caller was cancelled.
    func grantForRequest() async throws(BrowseError) -> GitHub.Grant? {
        if case .unread = state { _ = await read() }
        guard let grant else { return nil }
        if unsaved { await save(grant.credentials) }
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
        leave()
        broadcast.send(id)
        try? await store.delete()
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
        // Who signed out or in meanwhile has told the waiters.
        guard grant?.id == old.id else { return }
        switch outcome {
        case .success(let credentials?):
            let grant = GitHub.Grant(id: old.id, credentials: credentials)
            state = .inUse(grant)
            finish(.success(grant))
            await save(credentials)
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
            var new = try await authorization.refresh(refreshToken)
            new.user = old.credentials.user
            return .success(new)
        } catch {
            guard error.endsSession else { return .failure(error) }
            // Another process may have been faster, after which our refresh token is dead.
            return .success(await storedByOthers(than: old))
        }
    }

    private func storedByOthers(than old: GitHub.Grant) async -> GitHub.Credentials? {
        guard !unsaved, let stored = try? await store.load(), stored.token != old.credentials.token,
            old.credentials.user == nil || stored.user == nil || stored.user?.id == old.credentials.user?.id
        else { return nil }
        return stored
    }
}

extension BrowseError {
    /// Whether a refusal to renew a token is final: asked again, the answer would be the same.
    fileprivate var endsSession: Bool {
        switch self {
        case .signInFailed, .unauthorized, .forbidden, .notFound, .rejected: true
        case .cancelled, .unreachable, .timedOut, .rateLimited, .serverFailure, .unusableReply, .refused,
            .storageFailed:
            false
        }
    }
}
