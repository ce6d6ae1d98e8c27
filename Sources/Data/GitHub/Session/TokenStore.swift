public import BrowseDomain
import Synchronization

/// Where credentials outlive the app.
///
/// Choose ``KeychainTokenStore`` on Apple platforms, ``FileTokenStore`` elsewhere, and ``InMemoryTokenStore`` for tests or
/// for a token that is not to be stored. All methods throw `BrowseError.storageFailed`.
public protocol TokenStore: Sendable {
    /// What is stored; `nil` when nothing is.
    ///
    /// - Throws: `.exposed` when others could read it, `.damaged` when it cannot be understood, `.newerVersion`.
    func load() async throws(BrowseError) -> GitHub.Credentials?

    /// Stores credentials in place of those that are; a crash leaves the old ones or the new ones.
    func save(_ credentials: GitHub.Credentials) async throws(BrowseError)

    /// Deletes what is stored; nothing to delete is no failure.
    func delete() async throws(BrowseError)
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

    /// Stores credentials.
    public func save(_ credentials: GitHub.Credentials) async throws(BrowseError) {
        self.credentials.withLock { $0 = credentials }
    }

    /// Deletes what is stored.
    public func delete() async throws(BrowseError) {
        credentials.withLock { $0 = nil }
    }
}
