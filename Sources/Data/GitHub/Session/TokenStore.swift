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

    /// Creates a store.
    ///
    /// - Parameter credentials: What is in it from the beginning.
    public init(_ credentials: GitHub.Credentials? = nil) {
        self.credentials = Mutex(credentials)
    }

    /// What is stored.
    public func load() async throws(BrowseError) -> GitHub.Credentials? { credentials.withLock(\.self) }

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
