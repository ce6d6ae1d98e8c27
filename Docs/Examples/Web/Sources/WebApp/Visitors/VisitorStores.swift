import BrowseData
public import BrowseKit
import BrowseMocks
import Foundation
public import ServerStores

/// Where the site stores data. It's the only place that knows.
///
/// Several processes pass stores that they share.
public struct SiteStores: Sendable {
    /// The replaced ids of visitors; `nil` if the stores end with the visitors.
    public var ids: (any VisitorIDs)?
    /// The servers of the stores, which are observed.
    public var servers: [StoreServer] = []
    /// Returns the stores with a key.
    public var visitor: @Sendable (_ key: String) -> VisitorStores

    /// Creates stores of visitors.
    public init(visitor: @escaping @Sendable (_ key: String) -> VisitorStores) {
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
        var stores = SiteStores { key in
            let own = folder.appending(path: key, directoryHint: .isDirectory)
            let user = UserStores(favorites: FolderFavorites(folder: own), folder: own) { session in
                FileTokenStore(folder: own, name: session)
            }
            return VisitorStores(user)
        }
        stores.ids = FileVisitorIDs(folder: folder)
        return stores
    }
}

/// The stores of one visitor.
public struct VisitorStores: Sendable {
    /// The visitor's favorites and session.
    public var user: UserStores
    /// The visitor's sign-in in progress.
    public var signIn: any PendingSignInStore

    /// Creates the stores of a visitor.
    public init(_ user: UserStores, signIn: any PendingSignInStore = InMemoryPendingSignInStore()) {
        self.user = user
        self.signIn = signIn
    }
}
