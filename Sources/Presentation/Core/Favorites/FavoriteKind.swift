public import BrowseDomain

/// The title of a kind of favorites, and the route that a favorite of this kind opens.
public struct FavoriteKind: Sendable {
    /// The kind.
    public let kind: Favorite.Kind
    /// The title of the kind.
    let title: Phrase
    /// Returns the destination of a favorite; `nil` if it has none, or can't be decoded.
    let route: @Sendable (Favorite) -> Route?

    /// Creates a description of a kind.
    ///
    /// - Parameters:
    ///   - type: The type of the entities.
    ///   - title: The title of the kind.
    ///   - route: Returns the destination of an entity; `nil` if it has none.
    public init<Entity: Favoritable>(
        _ type: Entity.Type,
        title: Phrase,
        route: @escaping @Sendable (Entity) -> Route?
    ) {
        kind = Entity.favoriteKind
        self.title = title
        self.route = { $0.value(as: Entity.self).flatMap(route) }
    }
}

extension FavoriteKind: Hashable {
    /// Returns whether both describe the same kind.
    public static func == (left: FavoriteKind, right: FavoriteKind) -> Bool { left.kind == right.kind }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}
