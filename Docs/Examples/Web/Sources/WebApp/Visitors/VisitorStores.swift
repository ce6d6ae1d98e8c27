import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import ServerStores

/// Where the site stores data. It's the only place that knows.
///
/// Several processes pass stores that they share.
struct SiteStores: Sendable {
    /// The replaced ids of visitors; `nil` if the stores end with the visitors.
    var ids: (any VisitorIDs)?
    /// Returns whether the stores can be used.
    var isReady: @Sendable () async -> Bool = { true }
    /// Returns the stores with a key.
    var visitor: @Sendable (_ key: String) -> VisitorStores

    /// Stores everything in memory, until the visitor is forgotten.
    static let inMemory = SiteStores { _ in
        VisitorStores(user: UserStores(favorites: InMemoryFavoriteRepository()) { _ in InMemoryTokenStore(nil) })
    }

    /// Stores everything in a folder for each visitor, so that one who returns finds it again.
    ///
    /// - Parameter folder: The folder of all visitors, and of nothing else.
    static func files(in folder: URL) -> SiteStores {
        var stores = SiteStores { key in
            let own = folder.appending(path: key, directoryHint: .isDirectory)
            let user = UserStores(favorites: FolderFavorites(folder: own), folder: own) { session in
                FileTokenStore(folder: own, name: session)
            }
            return VisitorStores(user: user)
        }
        stores.ids = FileVisitorIDs(folder: folder)
        return stores
    }
}

/// The stores of one visitor.
struct VisitorStores: Sendable {
    /// The visitor's favorites and session.
    var user: UserStores
    /// The visitor's sign-in in progress.
    var signIn: any VisitorValueStore<PendingSignIn> = InMemoryVisitorValue()
    /// The star that the visitor set while signed out.
    var star: any VisitorValueStore<EarlyStar> = InMemoryVisitorValue()
    /// Changes the visitor's container before its first use.
    var adjust: @Sendable (Container) -> Void = { _ in }
}

/// A star that a visitor set while signed out.
///
/// Any process can write it after the sign-in, and show its outcome.
enum EarlyStar: Codable, Sendable {
    case waiting(GitHub.Repo)
    /// The text for the next page, also of a sign-out that failed.
    case ended(String)
}
