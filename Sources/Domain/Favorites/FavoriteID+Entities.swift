extension GitHub.User {
    /// The identity of the favorite that this account is, or would be.
    public var favoriteID: Favorite.ID { .user(id) }
}

extension GitHub.Repo {
    /// The identity of the favorite that this repository is, or would be.
    public var favoriteID: Favorite.ID { .repo(id) }
}

extension RickAndMorty.Character {
    /// The identity of the favorite that this character is, or would be.
    public var favoriteID: Favorite.ID { .character(id) }
}

extension AppStore.App {
    /// The identity of the favorite that this app is, or would be.
    public var favoriteID: Favorite.ID { .app(id) }
}
