public import BrowseDomain

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

/// A row of an account, which also has the properties of the account.
@dynamicMemberLookup
public struct UserRow: FavoriteRow {
    /// The account.
    public let user: GitHub.User
    /// Whether the account is a favorite.
    public var isFavorite: Bool

    /// Creates a row.
    public init(_ user: GitHub.User, isFavorite: Bool = false) {
        self.user = user
        self.isFavorite = isFavorite
    }

    /// The id of the account.
    public var id: GitHub.User.ID { user.id }
    /// The favorite.
    public var favorite: Favorite { .user(user) }
    /// The id of the favorite.
    public var favoriteID: Favorite.ID { .user(user.id) }
    /// The account's profile.
    public var route: Route? { .userProfile(user.login) }

    /// Returns the id of the account of a favorite.
    public static func id(of favorite: Favorite.ID) -> GitHub.User.ID? {
        favorite.kind == .user ? favorite.number.map(GitHub.User.ID.init(rawValue:)) : nil
    }

    /// A property of the account.
    public subscript<Value>(dynamicMember property: KeyPath<GitHub.User, Value>) -> Value {
        user[keyPath: property]
    }
}
