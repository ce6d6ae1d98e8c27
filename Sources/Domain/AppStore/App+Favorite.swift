public import BrowseDomain

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// An App Store app.
    public static let app: Favorite.Kind = Favorite.Kind(rawValue: "app")
}

extension AppStore.App: Favoritable {
    /// The kind ``Favorite/Kind/app``.
    public static var favoriteKind: Favorite.Kind { .app }
    /// The app's number and country, since its page in another country is another favorite.
    public var favoriteKey: String { id.description }
    /// The app's name, by which favorites are sorted.
    public var favoriteTitle: String { name }
    /// The icon in the size for rows.
    public var favoriteImage: WebAddress? { icon.forRow }
}

extension Favorite.ID {
    /// Returns the identity of an app's favorite.
    public static func app(_ id: AppStore.AppID) -> Favorite.ID {
        Favorite.ID(kind: .app, key: id.description)
    }
}

extension Favorite {
    /// A snapshot of an app as a favorite, with its current name and icon.
    public static func app(_ app: AppStore.App) -> Favorite { Favorite(app) }
}
