public import BrowseDomain

/// A row of a list.
///
/// The description of a row's id is its stable text, which forms and web pages send back.
public protocol ListRow: Identifiable, Hashable, Sendable where ID: Sendable & LosslessStringConvertible {
    /// The destination of selecting the row; `nil` if it has none.
    var route: Route? { get }
    /// The source of the row, which its list sets, for a route with a preview.
    var previewSource: PreviewSource { get set }
}

extension ListRow {
    /// The default, `nil`: selecting the row leads nowhere.
    public var route: Route? { nil }
    /// The default, which ignores the source: the row's route has no preview.
    public var previewSource: PreviewSource {
        get { .saved }
        set {}
    }
}

/// A row of an entity that can be a favorite.
public protocol FavoriteRow: ListRow {
    /// The entity as a favorite.
    var favorite: Favorite { get }
    /// The id of ``favorite``, without creating it.
    var favoriteID: Favorite.ID { get }
    /// Whether the entity is a favorite, or is being added.
    var isFavorite: Bool { get set }
    /// Returns the id of the row for a favorite; `nil` for a favorite of another kind.
    static func id(of favorite: Favorite.ID) -> ID?
}

/// A row of an entity, which also has the properties of the entity.
@dynamicMemberLookup
public protocol EntityRow<Entity>: FavoriteRow where ID == Entity.ID {
    /// The type of the entity.
    associatedtype Entity: Favoritable & Identifiable
    /// The entity.
    var entity: Entity { get }
}

extension EntityRow {
    /// The entity as a favorite.
    public var favorite: Favorite { Favorite(entity) }
    /// The id of the favorite.
    public var favoriteID: Favorite.ID { entity.favoriteID }

    /// Returns the id of the entity of a favorite, whose key is the id's description.
    public static func id(of favorite: Favorite.ID) -> ID? {
        favorite.kind == Entity.favoriteKind ? ID(favorite.key) : nil
    }

    /// A property of the entity.
    public subscript<Value>(dynamicMember property: KeyPath<Entity, Value>) -> Value { entity[keyPath: property] }
}
