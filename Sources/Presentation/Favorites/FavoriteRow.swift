public import BrowseDomain

/// A row that shows whether what it stands for is a favorite.
public protocol FavoriteRow: ListRow {
    /// What would be kept.
    var favorite: Favorite { get }
    /// The identity of ``favorite``, without creating it.
    var favoriteID: Favorite.ID { get }
    /// Whether it is kept, or about to be.
    var isFavorite: Bool { get set }
    /// The row that stands for a favorite; `nil` when rows of this type never do.
    static func id(of favorite: Favorite.ID) -> ID?
}

/// An account as a list shows it; reading a property of the account reads through.
@dynamicMemberLookup
public struct UserRow: FavoriteRow {
    /// The account.
    public let user: GitHub.User
    /// Whether it is a favorite.
    public var isFavorite: Bool

    /// Creates a row.
    public init(_ user: GitHub.User, isFavorite: Bool = false) {
        self.user = user
        self.isFavorite = isFavorite
    }

    /// The account's identity.
    public var id: GitHub.User.ID { user.id }
    /// What would be kept.
    public var favorite: Favorite { .user(user) }
    /// The identity of the favorite.
    public var favoriteID: Favorite.ID { .user(user.id) }
    /// The account's profile.
    public var route: Route? { .userProfile(user.login) }

    /// The account that is a favorite.
    public static func id(of favorite: Favorite.ID) -> GitHub.User.ID? {
        favorite.kind == .user ? favorite.number.map(GitHub.User.ID.init(rawValue:)) : nil
    }

    /// A property of the account.
    public subscript<Value>(dynamicMember property: KeyPath<GitHub.User, Value>) -> Value {
        user[keyPath: property]
    }
}
