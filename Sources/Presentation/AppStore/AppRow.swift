public import BrowseAppStoreDomain
public import BrowsePresentation

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
