public import BrowseDomain

/// An app as a list shows it; reading a property of the app reads through.
@dynamicMemberLookup
public struct AppRow: FavoriteRow {
    /// The app.
    public let app: AppStore.App
    /// How it is rated; `nil` when too few people did.
    public let rating: RatingLabel?
    /// What it costs, or that it is not stated.
    public let price: String
    /// Whether the app is a favorite.
    public var isFavorite: Bool

    /// Creates a row.
    public init(_ app: AppStore.App, isFavorite: Bool = false, texts: Texts) {
        self.app = app
        self.isFavorite = isFavorite
        rating = app.rating.flatMap { RatingLabel($0, texts: texts) }
        price = texts.price(app.price)
    }

    /// The app's identity.
    public var id: AppStore.AppID { app.id }
    /// What would be kept.
    public var favorite: Favorite { .app(app) }
    /// The identity of the favorite.
    public var favoriteID: Favorite.ID { .app(app.id) }
    /// The app's page.
    public var route: Route? { .app(app) }

    /// The app that is a favorite.
    public static func id(of favorite: Favorite.ID) -> AppStore.AppID? {
        favorite.kind == .app ? favorite.number.map(AppStore.AppID.init(rawValue:)) : nil
    }

    /// A property of the app.
    public subscript<Value>(dynamicMember property: KeyPath<AppStore.App, Value>) -> Value {
        app[keyPath: property]
    }
}

/// A rating as it is shown.
public struct RatingLabel: Hashable, Sendable {
    /// The average with one decimal, rounded down: `4.7`.
    public let average: String
    /// Five stars.
    public let stars: [AppStore.Rating.Star]
    /// How many people rated it: `12K ratings`; `nil` when the shop did not tell.
    public let count: String?

    /// Puts a rating into words; `nil` when nobody rated, since the shop then sends an average of zero.
    public init?(_ rating: AppStore.Rating, texts: Texts) {
        guard rating.count != 0 else { return nil }
        average = texts.formats.rating(rating)
        stars = rating.stars
        count = rating.count.map { texts(.ratingCount($0)) }
    }
}
