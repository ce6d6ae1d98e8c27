public import BrowseDomain
import Synchronization

/// A token store in memory, for the lifetime of the instance.
public final class InMemoryTokenStore: TokenStore {
    private let credentials: Mutex<Credentials?>
    private let isRefreshing = Atomic(false)

    /// Creates a store.
    ///
    /// - Parameter credentials: The initial credentials.
    public init(_ credentials: Credentials? = nil) {
        self.credentials = Mutex(credentials)
    }

    /// Returns the stored credentials.
    public func load() async throws(BrowseError) -> Credentials? { credentials.withLock(\.self) }

    /// Takes the lock of this instance, or returns `nil` if it's held.
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        guard !isRefreshing.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        return RefreshLock { self.isRefreshing.store(false, ordering: .releasing) }
    }

    /// Reads and changes the stored credentials atomically.
    public func update(_ change: @escaping TokenUpdate) async throws(BrowseError) {
        credentials.withLock { credentials in
            switch change(.success(credentials)) {
            case .keep: break
            case .store(let new): credentials = new
            case .delete: credentials = nil
            }
        }
    }
}
