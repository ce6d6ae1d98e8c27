public import BrowseData
public import BrowseDomain
public import Foundation

/// The stores of one user, for ``Container/container(for:locale:timeZone:)``.
public struct UserStores: Sendable {
    /// The favorites of the user.
    public var favorites: any FavoriteRepository
    /// Returns the store of a service's session.
    ///
    /// It can be called more than once for a session; the stores must then have the same contents.
    public var tokens: @Sendable (_ session: SessionName) -> any TokenStore
    /// The folder for anything else that services store: ``Configuration/storageFolder``.
    public var folder: URL

    /// Creates stores of your own, by default with a new temporary folder.
    public init(
        favorites: any FavoriteRepository,
        folder: URL = .temporaryDirectory.appending(
            path: "BrowseKit-\(UUID().uuidString)",
            directoryHint: .isDirectory
        ),
        tokens: @escaping @Sendable (_ session: SessionName) -> any TokenStore
    ) {
        self.favorites = favorites
        self.folder = folder
        self.tokens = tokens
    }

    /// Creates stores in a folder of the user's own, which only its owner can access.
    public init(folder: URL) {
        self.init(favorites: SQLiteFavoriteRepository.shared(in: folder), folder: folder) { session in
            FileTokenStore(folder: folder, name: session)
        }
    }
}
