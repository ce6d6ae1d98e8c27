public import BrowseDomain

/// A favorite repository whose results a test sets as closures; see ``RepositoryDouble``.
///
/// ``init(over:)`` with an ``InMemoryFavoriteRepository`` replaces single calls:
///
/// ```swift
/// let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite"))
/// var favorites = FavoriteRepositoryDouble(over: InMemoryFavoriteRepository())
/// favorites.onAdd = { _ throws(BrowseError) in throw full }
/// ```
public struct FavoriteRepositoryDouble: FavoriteRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A page.
        case page(of: FavoriteQuery, at: PageCursor?)
        /// An addition.
        case add(Favorite)
        /// An update.
        case update([Favorite])
        /// A removal.
        case remove(Favorite.ID)
        /// A read of all identities.
        case ids
    }

    /// Performs ``page(of:at:)``.
    public var onPage: @Sendable (FavoriteQuery, PageCursor?) async throws(BrowseError) -> Page<Favorite>
    /// Performs ``add(_:)``.
    public var onAdd: @Sendable (Favorite) async throws(BrowseError) -> Bool
    /// Performs ``update(_:)``.
    public var onUpdate: @Sendable ([Favorite]) async throws(BrowseError) -> Void
    /// Performs ``remove(_:)``.
    public var onRemove: @Sendable (Favorite.ID) async throws(BrowseError) -> Bool
    /// Performs ``ids()``.
    public var onIDs: @Sendable () async throws(BrowseError) -> Set<Favorite.ID>
    /// Performs ``changes``; reports nothing by default.
    public var onChanges: @Sendable () -> AsyncStream<FavoriteChange> = { .silent }

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onPage = { _, _ throws(BrowseError) in throw await error("onPage", 2) }
        onAdd = { _ throws(BrowseError) in throw await error("onAdd", 1) }
        onUpdate = { _ throws(BrowseError) in throw await error("onUpdate", 1) }
        onRemove = { _ throws(BrowseError) in throw await error("onRemove", 1) }
        onIDs = { () throws(BrowseError) in throw await error("onIDs", 0) }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any FavoriteRepository) {
        onPage = { query, cursor throws(BrowseError) in try await repository.page(of: query, at: cursor) }
        onAdd = { favorite throws(BrowseError) in try await repository.add(favorite) }
        onUpdate = { favorites throws(BrowseError) in try await repository.update(favorites) }
        onRemove = { id throws(BrowseError) in try await repository.remove(id) }
        onIDs = { () throws(BrowseError) in try await repository.ids() }
        onChanges = { repository.changes }
    }

    /// Returns a double whose calls suspend until a test responds with favorites.
    ///
    /// A change returns whether the response contains its favorite.
    public static func controlled(by responses: ControlledResponses<Request, Page<Favorite>>) -> Self {
        var double = Self()
        double.onPage = { query, cursor throws(BrowseError) in
            try await responses.response(to: .page(of: query, at: cursor))
        }
        double.onAdd = { favorite throws(BrowseError) in
            try await responses.response(to: .add(favorite)).items.contains { $0.id == favorite.id }
        }
        double.onUpdate = { favorites throws(BrowseError) in
            _ = try await responses.response(to: .update(favorites))
        }
        double.onRemove = { id throws(BrowseError) in
            try await responses.response(to: .remove(id)).items.contains { $0.id == id }
        }
        double.onIDs = { () throws(BrowseError) in
            Set(try await responses.response(to: .ids).items.map(\.id))
        }
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

    /// Calls ``onUpdate``.
    public func update(_ favorites: [Favorite]) async throws(BrowseError) {
        try await onUpdate(favorites)
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
