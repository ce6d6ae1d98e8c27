import BrowseData
public import BrowseKit
import Foundation

/// The favorites of a visitor in a folder, which is created with the first one.
///
/// `SQLiteFavoriteRepository` alone creates it when favorites are read, so that every visitor would have one.
public struct FolderFavorites: FavoriteRepository {
    private let repository: SQLiteFavoriteRepository
    private let path: String

    /// Creates a repository without accessing the folder.
    public init(folder: URL) {
        repository = SQLiteFavoriteRepository(folder: folder)
        path = folder.path(percentEncoded: false)
    }

    private static let disk = Disk("FolderFavorites", patience: .seconds(2))

    /// If the disk doesn't say so in time, the repository asks, which doesn't wait forever, either.
    private var exists: Bool {
        get async { (try? await Self.disk.run { [path] in FileManager.default.fileExists(atPath: path) }) ?? true }
    }

    /// Returns one page of favorites.
    public func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        guard await exists || cursor != nil else { return Page(items: []) }
        return try await repository.page(of: query, at: cursor)
    }

    /// Adds a favorite at the end; returns `false` and changes nothing if it exists.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool { try await repository.add(favorite) }

    /// Updates those favorites that are stored.
    public func update(_ favorites: [Favorite]) async throws(BrowseError) {
        if await exists { try await repository.update(favorites) }
    }

    /// Removes a favorite; returns `false` if it doesn't exist.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        guard await exists else { return false }
        return try await repository.remove(id)
    }

    /// Returns the identities of all favorites.
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        guard await exists else { return [] }
        return try await repository.ids()
    }

    /// Ends the report of a recovery to later pages of the visitor.
    public func endRecoveryReport() { repository.endRecoveryReport() }

    /// The changes from now on.
    public var changes: AsyncStream<FavoriteChange> { repository.changes }
}
