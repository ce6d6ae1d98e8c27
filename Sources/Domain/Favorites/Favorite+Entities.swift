// The raw values are stored: they must never change.
extension Favorite.Kind {
    /// An account of GitHub.
    public static let user: Favorite.Kind = Favorite.Kind(rawValue: "user")
    /// A code repository of GitHub.
    public static let repo: Favorite.Kind = Favorite.Kind(rawValue: "repo")
    /// A character of Rick and Morty.
    public static let character: Favorite.Kind = Favorite.Kind(rawValue: "character")
    /// An app of the App Store.
    public static let app: Favorite.Kind = Favorite.Kind(rawValue: "app")
}

extension GitHub.User: Favoritable {
    /// An account of GitHub.
    public static var favoriteKind: Favorite.Kind { .user }
    /// The account's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The login.
    public var favoriteTitle: String { login.rawValue }
    /// The avatar.
    public var favoriteImage: WebAddress? { avatar }
}

extension GitHub.Repo: Favoritable {
    /// A code repository of GitHub.
    public static var favoriteKind: Favorite.Kind { .repo }
    /// The repository's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// Owner and name.
    public var favoriteTitle: String { fullName }
    /// The owner's avatar.
    public var favoriteImage: WebAddress? { owner?.avatar }
}

extension RickAndMorty.Character: Favoritable {
    /// A character of Rick and Morty.
    public static var favoriteKind: Favorite.Kind { .character }
    /// The character's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The name.
    public var favoriteTitle: String { name }
    /// The portrait.
    public var favoriteImage: WebAddress? { image }
}

extension AppStore.App: Favoritable {
    /// An app of the App Store.
    public static var favoriteKind: Favorite.Kind { .app }
    /// The app's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The name.
    public var favoriteTitle: String { name }
    /// The icon, in a size for rows.
    public var favoriteImage: WebAddress? { icon.forRow }
}

extension Favorite.ID {
    /// The identity of an account's favorite.
    public static func user(_ id: GitHub.User.ID) -> Favorite.ID {
        Favorite.ID(kind: .user, number: id.rawValue)
    }

    /// The identity of a code repository's favorite.
    public static func repo(_ id: GitHub.Repo.ID) -> Favorite.ID {
        Favorite.ID(kind: .repo, number: id.rawValue)
    }

    /// The identity of a character's favorite.
    public static func character(_ id: RickAndMorty.Character.ID) -> Favorite.ID {
        Favorite.ID(kind: .character, number: id.rawValue)
    }

    /// The identity of an app's favorite.
    public static func app(_ id: AppStore.AppID) -> Favorite.ID {
        Favorite.ID(kind: .app, number: id.rawValue)
    }
}

extension Favorite {
    /// An account as a favorite.
    public static func user(_ user: GitHub.User) -> Favorite { Favorite(user) }
    /// A code repository as a favorite.
    public static func repo(_ repo: GitHub.Repo) -> Favorite { Favorite(repo) }
    /// A character as a favorite.
    public static func character(_ character: RickAndMorty.Character) -> Favorite { Favorite(character) }
    /// An app as a favorite.
    public static func app(_ app: AppStore.App) -> Favorite { Favorite(app) }
}
