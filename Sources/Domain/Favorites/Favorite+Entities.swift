// The raw values are stored, so they must never change.
extension Favorite.Kind {
    /// A GitHub account.
    public static let user: Favorite.Kind = Favorite.Kind(rawValue: "user")
    /// A GitHub code repository.
    public static let repo: Favorite.Kind = Favorite.Kind(rawValue: "repo")
    /// A Rick and Morty character.
    public static let character: Favorite.Kind = Favorite.Kind(rawValue: "character")
    /// An App Store app.
    public static let app: Favorite.Kind = Favorite.Kind(rawValue: "app")
}

extension GitHub.User: Favoritable {
    /// A GitHub account.
    public static var favoriteKind: Favorite.Kind { .user }
    /// The account's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The login.
    public var favoriteTitle: String { login.rawValue }
    /// The avatar.
    public var favoriteImage: WebAddress? { avatar }
}

extension GitHub.Repo: Favoritable {
    /// A GitHub code repository.
    public static var favoriteKind: Favorite.Kind { .repo }
    /// The repository's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// Owner and name.
    public var favoriteTitle: String { fullName }
    /// The owner's avatar.
    public var favoriteImage: WebAddress? { owner?.avatar }
}

extension RickAndMorty.Character: Favoritable {
    /// A Rick and Morty character.
    public static var favoriteKind: Favorite.Kind { .character }
    /// The character's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The name.
    public var favoriteTitle: String { name }
    /// The portrait.
    public var favoriteImage: WebAddress? { image }
}

extension AppStore.App: Favoritable {
    /// An App Store app.
    public static var favoriteKind: Favorite.Kind { .app }
    /// The app's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The name.
    public var favoriteTitle: String { name }
    /// The icon in the size for rows.
    public var favoriteImage: WebAddress? { icon.forRow }
}

extension Favorite.ID {
    /// Returns the identity of an account's favorite.
    public static func user(_ id: GitHub.User.ID) -> Favorite.ID {
        Favorite.ID(kind: .user, number: id.rawValue)
    }

    /// Returns the identity of a code repository's favorite.
    public static func repo(_ id: GitHub.Repo.ID) -> Favorite.ID {
        Favorite.ID(kind: .repo, number: id.rawValue)
    }

    /// Returns the identity of a character's favorite.
    public static func character(_ id: RickAndMorty.Character.ID) -> Favorite.ID {
        Favorite.ID(kind: .character, number: id.rawValue)
    }

    /// Returns the identity of an app's favorite.
    public static func app(_ id: AppStore.AppID) -> Favorite.ID {
        Favorite.ID(kind: .app, number: id.rawValue)
    }
}

extension Favorite {
    /// Creates a favorite from an account.
    public static func user(_ user: GitHub.User) -> Favorite { Favorite(user) }
    /// Creates a favorite from a code repository.
    public static func repo(_ repo: GitHub.Repo) -> Favorite { Favorite(repo) }
    /// Creates a favorite from a character.
    public static func character(_ character: RickAndMorty.Character) -> Favorite { Favorite(character) }
    /// Creates a favorite from an app.
    public static func app(_ app: AppStore.App) -> Favorite { Favorite(app) }
}
