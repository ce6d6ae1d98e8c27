import BrowseData
import BrowseKit
import BrowseMocks
import Foundation

/// Where the site stores what belongs to one visitor. It's the only place that knows.
struct VisitorStores: Sendable {
    /// The visitor's favorites.
    var favorites: any FavoriteRepository
    /// The visitor's session.
    var tokens: any TokenStore

    /// Keeps everything in memory, until the visitor is forgotten.
    static func inMemory() -> VisitorStores {
        VisitorStores(favorites: InMemoryFavoriteRepository(), tokens: InMemoryTokenStore(nil))
    }

    /// Keeps everything in a folder, so that a visitor who returns finds it again.
    static func files(in folder: URL, server: URL) -> VisitorStores {
        VisitorStores(
            favorites: SQLiteFavoriteRepository(folder: folder),
            tokens: FileTokenStore(folder: folder, server: server)
        )
    }
}
