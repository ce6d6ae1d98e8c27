import BrowseData
public import BrowseKit
import BrowseMocks
import Foundation
import WebSupport

/// Where the site stores data. It's the only place that knows.
///
/// Processes on several machines pass stores that they share.
public struct SiteStores: Sendable {
    /// The stores of the services that all visitors share.
    public var shared: DistributedStores
    /// The keys of visitors' stores; `nil` if the stores end with the visitors.
    public var keys: (any VisitorKeys)?
    /// Returns the stores with a key.
    public var visitor: @Sendable (_ key: String) -> VisitorStores

    /// Creates a set of stores.
    public init(
        shared: DistributedStores = DistributedStores(),
        keys: (any VisitorKeys)? = nil,
        visitor: @escaping @Sendable (_ key: String) -> VisitorStores
    ) {
        self.shared = shared
        self.keys = keys
        self.visitor = visitor
    }

    /// Stores everything in memory, until the visitor is forgotten.
    public static let inMemory = SiteStores { _ in
        VisitorStores(UserStores(favorites: InMemoryFavoriteRepository()) { _ in InMemoryTokenStore(nil) })
    }

    /// Stores everything in a folder for each visitor, so that one who returns finds it again.
    ///
    /// - Parameter folder: The folder of all visitors.
    public static func files(in folder: URL) -> SiteStores {
        let keys = FileVisitorKeys(folder: folder.appending(path: "ids", directoryHint: .isDirectory))
        return SiteStores(keys: keys) { key in
            VisitorStores(UserStores(folder: folder.appending(path: key, directoryHint: .isDirectory)))
        }
    }
}

/// The stores of one visitor.
public struct VisitorStores: Sendable {
    /// The visitor's favorites and session.
    public var user: UserStores
    /// Prepares the container that owns the visitor's session, before its first use.
    public var prepare: @Sendable (Container) -> Void

    /// Creates the stores of a visitor.
    public init(
        _ user: UserStores,
        prepare: @escaping @Sendable (Container) -> Void = { _ in }
    ) {
        self.user = user
        self.prepare = prepare
    }
}
