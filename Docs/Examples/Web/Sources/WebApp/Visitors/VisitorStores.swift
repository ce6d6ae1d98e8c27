import BrowseData
public import BrowseKit
import BrowseMocks
import Foundation
import Synchronization

/// Where the site stores data. It's the only place that knows.
///
/// Processes on several machines pass stores that they share, and a channel.
public struct SiteStores: Sendable {
    /// The stores of the services that all visitors share.
    public var shared: DistributedStores
    /// The replaced ids of visitors; `nil` if the stores end with the visitors.
    public var ids: (any VisitorIDs)?
    /// The messages between processes; `nil` for a single one.
    public var channel: (any ProcessChannel)?
    /// The servers of the stores, which are observed.
    public var servers: [StoreServer]
    /// Returns the stores with a key.
    public var visitor: @Sendable (_ key: String) -> VisitorStores

    /// Creates a set of stores.
    public init(
        shared: DistributedStores = DistributedStores(),
        ids: (any VisitorIDs)? = nil,
        channel: (any ProcessChannel)? = nil,
        servers: [StoreServer] = [],
        visitor: @escaping @Sendable (_ key: String) -> VisitorStores
    ) {
        self.shared = shared
        self.ids = ids
        self.channel = channel
        self.servers = servers
        self.visitor = visitor
    }

    /// Stores everything in memory, until the visitor is forgotten.
    public static let inMemory = SiteStores { _ in
        VisitorStores(UserStores(favorites: InMemoryFavoriteRepository()) { _ in InMemoryTokenStore(nil) })
    }

    /// Stores everything in a folder for each visitor, so that one who returns finds it again.
    ///
    /// - Parameter folder: The folder of all visitors, and of nothing else.
    public static func files(in folder: URL) -> SiteStores {
        SiteStores(ids: FileVisitorIDs(folder: folder)) { key in
            VisitorStores(UserStores(folder: folder.appending(path: key, directoryHint: .isDirectory)))
        }
    }
}

/// The stores of one visitor.
public struct VisitorStores: Sendable {
    /// The visitor's favorites and session.
    public var user: UserStores
    /// The visitor's sign-in in progress.
    public var signIn: any PendingSignInStore
    /// Prepares the container that owns the visitor's session, before its first use.
    public var prepare: @Sendable (Container) -> Void

    /// Creates the stores of a visitor.
    public init(
        _ user: UserStores,
        signIn: any PendingSignInStore = InMemoryPendingSignInStore(),
        prepare: @escaping @Sendable (Container) -> Void = { _ in }
    ) {
        self.user = user
        self.signIn = signIn
        self.prepare = prepare
    }
}

/// Stores a visitor's sign-in in progress, so that any process can finish it.
public protocol PendingSignInStore: Sendable {
    /// Returns the sign-in; `nil` if there is none.
    func load() async throws -> PendingSignIn?
    /// Returns the sign-in, and deletes it in the same step.
    func take() async throws -> PendingSignIn?
    /// Stores a sign-in; `nil` deletes the stored one.
    func save(_ signIn: PendingSignIn?) async throws
}

/// A visitor's sign-in in memory, for a single process.
public final class InMemoryPendingSignInStore: PendingSignInStore {
    private let signIn = Mutex<PendingSignIn?>(nil)

    /// Creates an empty store.
    public init() {}

    /// Returns the sign-in; `nil` if there is none.
    public func load() async -> PendingSignIn? { signIn.withLock(\.self) }

    /// Returns the sign-in, and deletes it in the same step.
    public func take() async -> PendingSignIn? { signIn.withLock { $0.take() } }

    /// Stores a sign-in; `nil` deletes the stored one.
    public func save(_ signIn: PendingSignIn?) async { self.signIn.withLock { $0 = signIn } }
}

/// A server that stores data for several processes.
public struct StoreServer: Sendable {
    /// The name in logs and metrics: a lowercase word.
    let name: String
    /// Returns whether it can be used.
    let isReady: @Sendable () async -> Bool
    /// Returns the number of failed accesses so far.
    let failureCount: @Sendable () -> Int

    /// Creates the description of a server.
    public init(
        _ name: String,
        isReady: @escaping @Sendable () async -> Bool,
        failureCount: @escaping @Sendable () -> Int
    ) {
        self.name = name
        self.isReady = isReady
        self.failureCount = failureCount
    }
}
