public import BrowseData
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
        VisitorStores(favorites: InMemoryFavoriteRepository(), tokens: InMemoryTokenStore(nil))
    }

    /// Stores everything in a folder for each visitor, so that one who returns finds it again.
    ///
    /// - Parameters:
    ///   - folder: The folder of all visitors.
    ///   - server: GitHub's API, to which tokens belong.
    public static func files(in folder: URL, server: URL) -> SiteStores {
        let keys = FileVisitorKeys(folder: folder.appending(path: "ids", directoryHint: .isDirectory))
        return SiteStores(keys: keys) { key in
            let folder = folder.appending(path: key, directoryHint: .isDirectory)
            return VisitorStores(
                favorites: SQLiteFavoriteRepository(folder: folder),
                tokens: FileTokenStore(folder: folder, server: server)
            )
        }
    }
}

/// The stores of one visitor.
public struct VisitorStores: Sendable {
    /// The visitor's favorites.
    public var favorites: any FavoriteRepository
    /// The visitor's session.
    public var tokens: any TokenStore
    /// Prepares the container that owns the visitor's session, before its first use.
    public var prepare: @Sendable (Container) -> Void

    /// Creates the stores of a visitor.
    public init(
        favorites: any FavoriteRepository,
        tokens: any TokenStore,
        prepare: @escaping @Sendable (Container) -> Void = { _ in }
    ) {
        self.favorites = favorites
        self.tokens = tokens
        self.prepare = prepare
    }
}
