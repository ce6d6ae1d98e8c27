@_spi(Services) public import BrowseDomain
public import Foundation

/// A repository of the current token, which it stores in a ``TokenStore`` and refreshes before it expires.
///
/// `Authorization` reads each request's token from it. Concurrent requests share one refresh and cancel independently.
/// After a failed refresh, requests that need a new token fail with the same error until a back-off ends. If the service
/// revokes the token, it's deleted, and ``events`` reports it once.
///
/// Several processes can share a store: a refresh holds the store's ``TokenStore/refreshLock()``, and uses newer tokens that
/// another process has stored. Sign-ins and sign-outs elsewhere take effect before the next request if the store has a
/// ``TokenStore/revision``, and immediately if it reports ``TokenStore/changes``.
public actor StoredTokenRepository: TokenRepository {
    enum State {
        /// The store hasn't been read.
        case unread
        /// The device hasn't been unlocked since it started. Each request reads the store again, and is sent without a token.
        case locked
        /// The stored credentials can't be used; requests are sent without a token.
        case unusable
        case empty
        case inUse(TokenSession)
    }

    typealias Outcome = Result<TokenGrant?, BrowseError>

    /// A request that waits for a refresh.
    struct Waiter {
        let outcome = OneShot<Outcome>()
        /// Whether the old token is still valid, so that the request doesn't wait for the refresh lock.
        let acceptsOldToken: Bool
    }

    let store: any TokenStore
    let authorization: (any AuthorizationRepository)?
    private let eraseResponses: @Sendable (_ account: String) async -> Void
    let redactor: SecretRedactor
    let clock: any Clock<Duration>
    let refreshLockTimeout: Duration
    let now: @Sendable () -> Date
    /// A token that stays in use when the service refuses it.
    let configuredToken: AccessToken?
    nonisolated let broadcast = Broadcast<TokenEvent>()
    var state = State.unread
    private var readTask: Task<BrowseError?, Never>?
    private var grantCount = 0
    /// Credentials of an ended session that were stored by another process.
    private var supersededCredentials: [Credentials] = []
    /// Serializes writes to the store, so that none overwrites a newer one.
    let storing = SerialTaskQueue()
    /// The requests that wait for the refreshes in flight, which outlive the end of their session.
    var refreshes: [TokenGrant.ID: [Waiter]] = [:]
    /// Follows the store's changes.
    var changesTask: Task<Void, Never>?
    /// The store's revision before it was last read.
    var revision: String?
    /// Reads the store after its revision has changed.
    var reloadTask: Task<Void, Never>?
    /// The number of changes of ``state``; a read of the store that overlaps one is repeated.
    var changeCount = 0
    /// The number of sign-ins whose credentials are being stored.
    private var beginCount = 0
    /// Ended credentials that couldn't be deleted.
    var undeleted: Credentials?

    /// Creates a repository without reading the store.
    ///
    /// - Parameters:
    ///   - store: The store of the credentials.
    ///   - authorization: Refreshes and revokes tokens; `nil` does neither.
    ///   - eraseResponses: Removes an account's cached responses when its session ends, as ``ResponseCache/removeAll(of:at:)`` does.
    ///   - redactor: Masks tokens in events and errors; use the same one for the clients that send the tokens.
    ///   - configuredToken: A token that stays in use when the service refuses it, such as the app's own. Until it's accepted
    ///     again, requests fail with `.unauthorized`. After a delay of one second, which doubles up to five minutes, one request
    ///     tries it again. ``end()`` drops it.
    ///   - refreshLockTimeout: The longest wait for a refresh by another process, which must exceed the time limit of one
    ///     refresh. Afterward, requests that need a new token fail with `.storageFailed` and the reason `.busy`, and the session
    ///     continues.
    ///   - clock: The clock that measures that wait and the back-off after a failed refresh.
    ///   - now: The current time, which decides whether a token has expired.
    public init(
        store: any TokenStore,
        authorization: (any AuthorizationRepository)? = nil,
        eraseResponses: @escaping @Sendable (_ account: String) async -> Void = { _ in },
        redactor: SecretRedactor = SecretRedactor(),
        configuredToken: AccessToken? = nil,
        refreshLockTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.redactor = redactor
        self.configuredToken = configuredToken
        self.authorization = authorization
        self.eraseResponses = eraseResponses
        self.refreshLockTimeout = refreshLockTimeout
        self.clock = clock
        self.now = now
    }

    deinit { changesTask?.cancel() }

    /// Creates a repository of a token that isn't stored, such as a personal one; `nil` is signed out.
    ///
    /// The token stays in use when the service refuses it.
    public init(token: AccessToken?) {
        self.init(store: InMemoryTokenStore(token.map { Credentials(token: $0) }), configuredToken: token)
    }

    /// The events from now on.
    public nonisolated var events: AsyncStream<TokenEvent> { broadcast.stream() }

    /// Returns the current grant; the first call reads the store.
    public func current() async throws(BrowseError) -> TokenGrant? {
        switch state {
        case .unread, .locked, .unusable: if let error = await read() { throw error }
        case .empty, .inUse: break
        }
        return grant
    }

    /// Stores credentials and makes them current.
    public func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
        beginCount += 1
        defer {
            beginCount -= 1
            changeCount += 1
        }
        let ended = endGrant()
        let failure = await storing.run { [store] in
            await self.erasing(ended) {
                await Result.of { () throws(BrowseError) in try await store.save(credentials) }.failure
            }
        }
        guard let failure else { return use(credentials) }
        // Otherwise the previous session would be restored at the next launch.
        _ = await storing.run { [store] in try? await store.delete() }
        throw failure
    }

    /// Adds the user to the current credentials, and to those in the store.
    public func identify(_ id: TokenGrant.ID, as user: StoredUser) async {
        guard let old = grant?.credentials, isInUse(id) else { return }
        var new = old
        new.user = user
        session?.use(new)
        await removeResponses(of: old, unlessSharedWith: new)
        // Stores only the user, because a refresh may have stored another token, here or in another process. After a failure,
        // the next launch requests the user again.
        await storing.run { [store, new] in
            guard await self.isInUse(id) else { return }
            try? await store.update { stored in
                guard var stored = try? stored.get(), stored.isSameSignIn(as: new) else { return .keep }
                stored.user = user
                return .store(stored)
            }
        }
    }

    /// Ends the current grant and deletes it from the store; a newer sign-in by another process stays.
    ///
    /// Doesn't wait for refreshes in flight, here or in other processes; they then store nothing.
    public func end() async throws(BrowseError) {
        let ended = endGrant()
        guard let failure = await delete(ended, evenUnreadable: true) else { return }
        undeleted = ended
        throw failure
    }

    /// Revokes credentials, and newer ones of the same session stored by another process.
    public func revoke(_ credentials: Credentials) async throws(BrowseError) {
        let all = supersededCredentials + [credentials]
        supersededCredentials = []
        var failure: BrowseError?
        for credentials in all {
            do throws(BrowseError) { try await authorization?.revoke(credentials) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Removes the cached responses of old credentials if the new ones have another account key.
    func removeResponses(of old: Credentials, unlessSharedWith new: Credentials) async {
        if old.account != new.account { await eraseResponses(old.account) }
    }

    /// The session; setting it to `nil` ends it.
    var session: TokenSession? {
        get { if case .inUse(let session) = state { session } else { nil } }
        set { state = newValue.map(State.inUse) ?? .empty }
    }

    var grant: TokenGrant? { session?.grant }

    /// Whether a grant is the current one.
    func isInUse(_ id: TokenGrant.ID) -> Bool { grant?.id == id }

    /// Ends the current grant, and returns its credentials.
    private func endGrant() -> Credentials? {
        let ended = grant
        endSession()
        // Requests that wait for a refresh are sent without a token.
        if let ended { finish(ended.id, with: .success(nil)) }
        return ended?.credentials
    }

    /// Ends the session without resuming the requests that wait for a refresh.
    func endSession() {
        session = nil
        changeCount += 1
    }

    /// Whether a sign-in is being stored.
    var isBeginning: Bool { beginCount > 0 }

    func use(_ credentials: Credentials) -> TokenGrant {
        redactor.add(credentials)
        grantCount += 1
        changeCount += 1
        undeleted = nil
        let grant = TokenGrant(id: TokenGrant.ID(rawValue: grantCount), credentials: credentials)
        session = TokenSession(grant)
        return grant
    }

    /// Reads the store, once for concurrent callers; returns the error.
    func read() async -> BrowseError? {
        if let readTask { return await readTask.value }
        // Subscribed before the first read, so that no change is missed.
        if changesTask == nil { follow(store.changes) }
        let task = Task { () -> BrowseError? in
            // Before the read, so that a later change is found.
            revision = store.revision
            do throws(BrowseError) {
                let credentials = try await store.load()
                let wasLocked: Bool
                switch state {
                case .unread, .unusable: wasLocked = false
                case .locked: wasLocked = true
                // The user signed in or out while the store was read.
                case .empty, .inUse: return nil
                }
                if let credentials { _ = use(credentials) } else { state = .empty }
                if wasLocked { broadcast.send(.restored) }
                return nil
            } catch {
                switch state {
                case .unread, .locked, .unusable: state = error.isLocked ? .locked : .unusable
                case .empty, .inUse: break
                }
                return error
            }
        }
        readTask = task
        let error = await task.value
        readTask = nil
        return error
    }

    /// Deletes ended credentials from the store, and the account's cached responses.
    ///
    /// - Parameter evenUnreadable: Whether to also delete credentials that can't be read.
    /// - Returns: The error; `nil` on success.
    func delete(_ ended: Credentials?, evenUnreadable: Bool) async -> BrowseError? {
        await storing.run { [store] in
            let (newer, failure) = await self.erasing(ended) {
                await store.update { stored -> (TokenChange, Credentials?) in
                    switch stored {
                    case .success(nil): return (.delete, nil)
                    case .success(let stored?):
                        guard let ended, stored.isSameSignIn(as: ended) else { return (.keep, nil) }
                        return (.delete, stored.token == ended.token ? nil : stored)
                    case .failure: return (evenUnreadable ? .delete : .keep, nil)
                    }
                }
            }
            if let newer = newer ?? nil { await self.addSuperseded(newer) }
            return failure
        }
    }

    /// Changes the store, and removes the cached responses of ended credentials.
    ///
    /// Before, so that none remain if the process ends, and again afterward, because until then another process can send requests
    /// with the credentials.
    private func erasing<Result>(_ ended: Credentials?, _ change: () async -> Result) async -> Result {
        if let ended { await eraseResponses(ended.account) }
        let result = await change()
        if let ended { await eraseResponses(ended.account) }
        return result
    }

    private func addSuperseded(_ credentials: Credentials) {
        supersededCredentials.append(credentials)
        redactor.add(credentials)
    }
}

extension BrowseError {
    fileprivate var isLocked: Bool {
        if case .storageFailed(let failure) = self { failure.reason == .locked } else { false }
    }
}
