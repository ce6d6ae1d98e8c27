public import BrowseAppStoreDomain
public import BrowsePresentation
import Foundation

/// A row of an app, which also has the properties of the app.
public struct AppRow: EntityRow {
    /// The app.
    public let app: AppStore.App
    /// The rating; `nil` if nobody has rated the app.
    public let rating: RatingLabel?
    /// The localized price, or a text that says that it's unknown.
    public let price: String
    /// Whether the app is a favorite.
    public var isFavorite: Bool = false
    /// The source of the app, for the preview of its page.
    public var previewSource: PreviewSource = .saved

    /// Creates a row, whose rating and price are localized.
    public init(_ app: AppStore.App, texts: Texts) {
        self.app = app
        rating = app.rating.flatMap { RatingLabel($0, texts: texts) }
        price = texts.price(app.price) ?? texts(.notStated)
    }

    /// The entity.
    public var entity: AppStore.App { app }
    /// The id of the app.
    public var id: AppStore.AppID { app.id }
    /// The product page.
    public var route: Route? { .appStore(.app(app.id, preview: EntityPreview(app, from: previewSource))) }
}

/// A localized rating.
public struct RatingLabel: Hashable, Sendable {
    /// The average with one decimal, rounded down: `4.7`.
    public let average: String
    /// Five stars.
    public let stars: [AppStore.Rating.Star]
    /// The number of ratings, such as `12K ratings`; `nil` if it's unknown.
    public let count: String?

    /// Localizes a rating; `nil` if nobody has rated the app, because the average is then zero.
    init?(_ rating: AppStore.Rating, texts: Texts) {
        guard rating.count.map({ $0 > 0 }) ?? (rating.average > 0) else { return nil }
        average = texts.formats.rating(rating)
        stars = rating.stars
        count = rating.count.map { texts(.ratingCount($0)) }
    }
}

extension Formats {
    /// Returns the average with one decimal, rounded down: 4.7 for 4.75.
    ///
    /// Rounding down never overstates a rating.
    package func rating(_ rating: AppStore.Rating) -> String {
        rating.average.formatted(.number.precision(.fractionLength(1)).rounded(rule: .down).locale(locale))
    }
}
