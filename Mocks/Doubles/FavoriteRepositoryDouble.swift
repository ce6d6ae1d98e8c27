public import BrowseDomain

/// A favorite repository whose results a test sets as closures.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryFavoriteRepository``. ``init(over:)`` forwards the
/// calls of all closures that aren't replaced:
///
/// ```swift
/// let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite"))
/// var favorites = FavoriteRepositoryDouble(over: InMemoryFavoriteRepository())
/// favorites.onAdd = { _ throws(BrowseError) in throw full }
/// ```
public struct FavoriteRepositoryDouble: FavoriteRepository {
    /// Performs ``page(of:at:)``.
    public var onPage: @Sendable (FavoriteQuery, PageCursor?) async throws(BrowseError) -> Page<Favorite>
    /// Performs ``add(_:)``.
    public var onAdd: @Sendable (Favorite) async throws(BrowseError) -> Bool
    /// Performs ``remove(_:)``.
    public var onRemove: @Sendable (Favorite.ID) async throws(BrowseError) -> Bool
    /// Performs ``ids()``.
    public var onIDs: @Sendable () async throws(BrowseError) -> Set<Favorite.ID>
    /// Performs ``changes``.
    public var onChanges: @Sendable () -> AsyncStream<FavoriteChange>

    /// Creates a double that forwards all calls.
    public init(over repository: any FavoriteRepository) {
        onPage = { query, cursor throws(BrowseError) in try await repository.page(of: query, at: cursor) }
        onAdd = { favorite throws(BrowseError) in try await repository.add(favorite) }
        onRemove = { id throws(BrowseError) in try await repository.remove(id) }
        onIDs = { () throws(BrowseError) in try await repository.ids() }
        onChanges = { repository.changes }
    }

    /// Returns a double whose calls fail and that reports no changes.
    public static func failing(with error: BrowseError) -> FavoriteRepositoryDouble {
        var double = FavoriteRepositoryDouble(over: InMemoryFavoriteRepository())
        double.onPage = { _, _ throws(BrowseError) in throw error }
        double.onAdd = { _ throws(BrowseError) in throw error }
        double.onRemove = { _ throws(BrowseError) in throw error }
        double.onIDs = { () throws(BrowseError) in throw error }
        return double
    }

    /// Calls ``onPage``.
    public func page(of query: FavoriteQuery, at cursor: PageCursor?) async throws(BrowseError) -> Page<Favorite> {
        try await onPage(query, cursor)
    }

    /// Calls ``onAdd``.
    public func add(_ favorite: Favorite) async throws(BrowseError) -> Bool {
        try await onAdd(favorite)
    }

    /// Calls ``onRemove``.
    public func remove(_ id: Favorite.ID) async throws(BrowseError) -> Bool {
        try await onRemove(id)
    }

    /// Calls ``onIDs``.
    public func ids() async throws(BrowseError) -> Set<Favorite.ID> {
        try await onIDs()
    }

    /// Calls ``onChanges``.
    public var changes: AsyncStream<FavoriteChange> { onChanges() }
}
