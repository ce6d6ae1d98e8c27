public import BrowseDomain

/// A place for favorites whose answers a test writes as closures.
///
/// Use ``InMemoryFavoriteRepository`` when what is kept is what matters; use this one to fail, to come late, or to look at
/// what is asked for. ``init(over:)`` passes everything on but what the test then replaces:
///
/// ```swift
/// let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite"))
/// var favorites = FavoriteRepositoryDouble(over: InMemoryFavoriteRepository())
/// favorites.onAdd = { _ throws(BrowseError) in throw full }
/// ```
public struct FavoriteRepositoryDouble: FavoriteRepository {
    /// Answers ``page(of:at:)``.
    public var onPage: @Sendable (FavoriteQuery, PageCursor?) async throws(BrowseError) -> Page<Favorite>
    /// Answers ``add(_:)``.
    public var onAdd: @Sendable (Favorite) async throws(BrowseError) -> Bool
    /// Answers ``remove(_:)``.
    public var onRemove: @Sendable (Favorite.ID) async throws(BrowseError) -> Bool
    /// Answers ``ids()``.
    public var onIDs: @Sendable () async throws(BrowseError) -> Set<Favorite.ID>
    /// Answers ``changes``.
    public var onChanges: @Sendable () -> AsyncStream<FavoriteChange>

    /// Creates a double that passes everything on.
    public init(over repository: any FavoriteRepository) {
        onPage = { query, cursor throws(BrowseError) in try await repository.page(of: query, at: cursor) }
        onAdd = { favorite throws(BrowseError) in try await repository.add(favorite) }
        onRemove = { id throws(BrowseError) in try await repository.remove(id) }
        onIDs = { () throws(BrowseError) in try await repository.ids() }
        onChanges = { repository.changes }
    }

    /// Answers every call with an error; nothing ever changes.
    public static func failing(with error: BrowseError) -> FavoriteRepositoryDouble {
        var double = FavoriteRepositoryDouble(over: InMemoryFavoriteRepository())
        double.onPage = { _, _ throws(BrowseError) in throw error }
        double.onAdd = { _ throws(BrowseError) in throw error }
        double.onRemove = { _ throws(BrowseError) in throw error }
        double.onIDs = { () throws(BrowseError) in throw error }
        return double
    }

    /// What ``onPage`` answers.
    public func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        try await onPage(query, cursor)
    }

    /// What ``onAdd`` answers.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        try await onAdd(favorite)
    }

    /// What ``onRemove`` answers.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        try await onRemove(id)
    }

    /// What ``onIDs`` answers.
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        try await onIDs()
    }

    /// What ``onChanges`` answers.
    public var changes: AsyncStream<FavoriteChange> { onChanges() }
}
