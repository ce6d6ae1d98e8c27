public import BrowseDomain

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// A GitHub account.
    public static let user: Favorite.Kind = Favorite.Kind(rawValue: "user")
}

extension GitHub.User: Favoritable {
    /// The kind ``Favorite/Kind/user``.
    public static var favoriteKind: Favorite.Kind { .user }
    /// The account's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The login, by which favorites are sorted.
    public var favoriteTitle: String { login.rawValue }
    /// The avatar.
    public var favoriteImage: WebAddress? { avatar }
}

extension Favorite.ID {
    /// Returns the identity of an account's favorite.
    public static func user(_ id: GitHub.User.ID) -> Favorite.ID {
        Favorite.ID(kind: .user, number: id.rawValue)
    }
}

extension Favorite {
    /// A snapshot of an account as a favorite, with its current login and avatar.
    public static func user(_ user: GitHub.User) -> Favorite { Favorite(user) }
}
