public import BrowseDomain
import Synchronization

/// Where credentials outlive the app.
///
/// Choose ``KeychainTokenStore`` on Apple platforms, ``FileTokenStore`` elsewhere, and ``InMemoryTokenStore`` for tests or
/// for a token that is not to be stored. All methods throw `BrowseError.storageFailed`.
public protocol TokenStore: Sendable {
    /// What is stored; `nil` when nothing is.
    ///
    /// - Throws: `.exposed` when others could read it, `.damaged` when it cannot be understood, `.newerVersion`; `.locked` when the
    ///   device must be unlocked first, which is never reported as nothing stored.
    func load() async throws(BrowseError) -> GitHub.Credentials?

    /// Looks at what is stored and changes it in one step, which nobody who uses the same store can come between.
    ///
    /// A crash leaves what was or what is to be.
    ///
    /// - Parameter change: Takes what ``load()`` would give or throw, and decides; called once, or not at all when what is
    ///   stored can be neither read nor replaced.
    func update(
        _ change: @Sendable (Result<GitHub.Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError)

    /// Takes the lock that ``StoredTokenRepository`` holds while it refreshes a token; never waits for it.
    ///
    /// A refresh token can be used once, so everything that shares the stored credentials, such as another process, must share
    /// the lock. ``load()`` and ``update(_:)`` don't wait for it: signing out is possible during a refresh. The default is for
    /// a store that a single repository uses; nothing is locked.
    ///
    /// - Returns: `nil` while the lock is held elsewhere.
    func refreshLock() async throws(BrowseError) -> RefreshLock?
}

/// What to do with what is stored.
public enum TokenChange: Hashable, Sendable {
    /// Nothing.
    case keep
    /// Store these in its place.
    case store(GitHub.Credentials)
    /// Delete it; nothing to delete is no failure.
    case delete
}

extension TokenStore {
    /// Returns a lock that excludes nobody.
    public func refreshLock() async throws(BrowseError) -> RefreshLock? { RefreshLock {} }

    /// Stores credentials in place of those that are.
    public func save(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        try await update { _ in .store(credentials) }
    }

    /// Deletes what is stored; nothing to delete is no failure.
    public func delete() async throws(BrowseError) {
        try await update { _ in .delete }
    }
}

/// Credentials that are kept as long as the value lives.
public final class InMemoryTokenStore: TokenStore {
    private let credentials: Mutex<GitHub.Credentials?>
    private let isRefreshing = Mutex(false)

    /// Creates a store.
    ///
    /// - Parameter credentials: What is in it from the beginning.
    public init(_ credentials: GitHub.Credentials? = nil) {
        self.credentials = Mutex(credentials)
    }

    /// What is stored.
    public func load() async throws(BrowseError) -> GitHub.Credentials? { credentials.withLock(\.self) }

    /// Takes the lock of this instance, unless it's held.
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        let isTaken = isRefreshing.withLock { isRefreshing in
            defer { isRefreshing = true }
            return !isRefreshing
        }
        return isTaken ? RefreshLock { self.isRefreshing.withLock { $0 = false } } : nil
    }

    /// Looks at what is stored and changes it.
    public func update(
        _ change: @Sendable (Result<GitHub.Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        credentials.withLock { credentials in
            switch change(.success(credentials)) {
            case .keep: break
            case .store(let new): credentials = new
            case .delete: credentials = nil
            }
        }
    }
}
