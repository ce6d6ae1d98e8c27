public import BrowseDomain
public import Foundation
import Synchronization

/// The token in use, stored in a ``TokenStore`` and refreshed before it expires: ``Authorization`` takes tokens from here.
///
/// However many requests need a new token at once, one refresh is sent and all of them get its result; each can be canceled
/// by itself. After a refresh that failed, requests that need another fail the same way until a back-off is over. When GitHub
/// ends the token, it's deleted, and ``events`` reports it once.
///
/// Several processes may share a store. A refresh holds the store's ``TokenStore/refreshLock()`` from before it reads the store
/// until the new pair is stored, and uses the pair that another process has stored meanwhile instead of refreshing again.
public actor StoredTokenRepository: GitHub.TokenRepository {
    enum State {
        /// The store has not been read.
        case unread
        /// The device hasn't been unlocked since it started. Each request reads the store again, and goes without a token.
        case locked
        /// It was read, and what is in it cannot be used; requests go without.
        case unusable
        case empty
        case inUse(GitHub.Grant)
    }

    typealias Outcome = Result<GitHub.Grant?, BrowseError>

    /// A request that waits for a refresh.
    struct Waiter {
        let grant: GitHub.Grant.ID
        let continuation: CheckedContinuation<Outcome, Never>
    }

    let store: any TokenStore
    let authorization: (any GitHub.AuthorizationRepository)?
    let responses: ResponseCache?
    let redactor: SecretRedactor
    let clock: any Clock<Duration>
    let refreshLockTimeout: Duration
    let now: @Sendable () -> Date
    nonisolated let broadcast = Broadcast<GitHub.TokenEvent>()
    var state = State.unread
    private var reading: Task<BrowseError?, Never>?
    private var grantCount = 0
    /// The token in place of which refreshed credentials are to be stored, when that was not possible yet.
    var unsaved: GitHub.AccessToken?
    /// Held while there are ``unsaved`` credentials: the pair that is stored is dead, and nobody else should try it.
    var heldLock: RefreshLock?
    /// Tokens of the session that ended which another process had stored.
    private var superseded: [GitHub.AccessToken] = []
    /// What is done to the store, so that a late write never lands on a newer one.
    let storing = SerialTaskQueue()
    var refreshing: GitHub.Grant.ID?
    var backOff: BackOff?
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0

    /// Creates a repository; nothing is read yet.
    ///
    /// - Parameters:
    ///   - store: Where credentials outlive the app.
    ///   - authorization: Refreshes tokens, and revokes them; `nil` does neither.
    ///   - responses: Where responses are kept; those to an account's requests go when its session ends.
    ///   - redactor: Masks the tokens in events and errors; the one of the clients that send them.
    ///   - refreshLockTimeout: The longest wait for the refresh of another process; longer than the time limit of one refresh.
    ///     When it's over, requests fail with `.storageFailed` and the reason `.busy`, and the session stays.
    ///   - clock: Measures that wait, and the back-off after a refresh that failed.
    ///   - now: The current time, by which a token expires.
    public init(
        store: any TokenStore,
        authorization: (any GitHub.AuthorizationRepository)? = nil,
        responses: ResponseCache? = nil,
        redactor: SecretRedactor = SecretRedactor(),
        refreshLockTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.redactor = redactor
        self.authorization = authorization
        self.responses = responses
        self.refreshLockTimeout = refreshLockTimeout
        self.clock = clock
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
        let failure = await storing.run { [store, responses] in
            if let account = ended?.account { await responses?.removeAll(of: account) }
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
        await forgetResponses(to: old, unlessSharedBy: grant.credentials)
        // Only the user: a refresh may have stored another token, here or in another process. After a failure the next launch
        // asks for the user again.
        _ = await storing.run { [store, credentials = grant.credentials] in
            guard await self.isInUse(id) else { return nil as BrowseError? }
            return await BrowseError.caught { () throws(BrowseError) in
                try await store.update { stored in
                    guard var stored = try? stored.get(), stored.isSameSignIn(as: credentials) else { return .keep }
                    stored.user = user
                    return .store(stored)
                }
            }
        }
    }

    /// Puts what is in use out of use, and deletes it from the store; another sign-in that was stored since stays.
    ///
    /// It doesn't wait for a refresh. One that ends later stores nothing, here and in other processes.
    public func end() async throws(BrowseError) {
        if let failure = await delete(leave(), evenUnreadable: true) { throw failure }
    }

    /// Asks GitHub to revoke credentials, and the token that another process had got for them when they were deleted.
    public func revoke(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        let tokens = superseded + [credentials.token]
        superseded = []
        var failure: BrowseError?
        for token in tokens {
            do throws(BrowseError) { try await authorization?.revoke(token) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Forgets what was kept under another name of the same account: nobody would find it, or take it away.
    func forgetResponses(to old: GitHub.Credentials, unlessSharedBy new: GitHub.Credentials) async {
        if old.account != new.account { await responses?.removeAll(of: old.account) }
    }

    var grant: GitHub.Grant? {
        if case .inUse(let grant) = state { grant } else { nil }
    }

    /// Whether requests carry what a grant consists of.
    func isInUse(_ id: GitHub.Grant.ID) -> Bool { grant?.id == id }

    /// Puts what is in use out of use, and returns it.
    private func leave() -> GitHub.Credentials? {
        let ended = grant
        retire()
        // Requests that wait for the token of a session that is over go without one.
        if let ended { finish(ended.id, with: .success(nil)) }
        return ended?.credentials
    }

    /// Puts what is in use out of use, while requests still wait for its token.
    func retire() {
        state = .empty
        unsaved = nil
        backOff = nil
        heldLock?.release()
        heldLock = nil
    }

    private func use(_ credentials: GitHub.Credentials) -> GitHub.Grant {
        redactor.add(credentials)
        grantCount += 1
        let grant = GitHub.Grant(id: GitHub.Grant.ID(rawValue: grantCount), credentials: credentials)
        state = .inUse(grant)
        return grant
    }

    /// Reads the store, once for all who wait; returns what stood in the way.
    func read() async -> BrowseError? {
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

    /// Deletes credentials that are no longer in use from the store, and the account's cached responses.
    ///
    /// - Parameter evenUnreadable: Whether to delete what can't be read, too.
    /// - Returns: The failure.
    func delete(_ ended: GitHub.Credentials?, evenUnreadable: Bool) async -> BrowseError? {
        await storing.run { [store, responses] in
            if let account = ended?.account { await responses?.removeAll(of: account) }
            let others = Mutex<GitHub.AccessToken?>(nil)
            let failure = await BrowseError.caught { () throws(BrowseError) in
                try await store.update { stored in
                    switch stored {
                    case .success(nil): return .delete
                    case .success(let stored?):
                        guard let ended, stored.isSameSignIn(as: ended) else { return .keep }
                        if stored.token != ended.token { others.withLock { $0 = stored.token } }
                        return .delete
                    case .failure: return evenUnreadable ? .delete : .keep
                    }
                }
            }
            if let token = others.withLock(\.self) { await self.note(superseded: token) }
            return failure
        }
    }

    private func note(superseded token: GitHub.AccessToken) {
        superseded.append(token)
        redactor.add(token)
    }
}

extension BrowseError {
    fileprivate var isLocked: Bool {
        if case .storageFailed(let failure) = self { failure.reason == .locked } else { false }
    }

    /// What a piece of work threw; `nil` when it threw nothing.
    static func caught(
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
