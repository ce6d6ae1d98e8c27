import BrowseAppStoreDomain
import BrowseDomain
public import BrowsePresentation

extension AppDetails {
    init(_ app: AppStore.App, texts: Texts) {
        self.app = app
        let notStated = texts(.notStated)
        let languages = texts.languageNames(app.languageCodes)
        let rating = app.rating.flatMap { RatingLabel($0, texts: texts) }
        main = Main(
            icon: app.icon.largest,
            name: app.name,
            genre: app.genre,
            share: Share(link: app.link, title: app.name, icon: app.icon.largest)
        )
        let developerPage = app.developer?.storePage.flatMap { $0.url == nil ? nil : Route.webPage($0) }
        func fact(_ id: Fact.ID, _ label: Phrase, _ value: String?, _ route: Route? = nil) -> Fact {
            Fact(id, texts(label), value, missing: notStated, route: route)
        }
        let ratingText = rating?.average ?? texts(.noRating)
        let ratingAndCount = [ratingText, rating?.count].compactMap(\.self).joined(separator: " · ")
        let someLanguages = languages.first.map { texts(.languages($0, more: languages.count - 1)) }
        summary = Summary(
            rating: rating,
            ratingText: ratingText,
            age: app.ageRating ?? notStated,
            genre: app.genre ?? notStated,
            developer: app.developer?.name ?? notStated,
            languages: someLanguages ?? notStated,
            facts: [
                Fact(.rating, texts(.rating), ratingAndCount, isMissing: rating == nil),
                fact("age", .age, app.ageRating), fact(.genre, .genre, app.genre),
                fact("developer", .developer, app.developer?.name, developerPage),
                fact("languages", .languagesTitle, someLanguages),
            ]
        )
        screenshots = app.screenshots.shown
        description = app.description.map(ExpandableText.init)
        whatsNew = app.releaseNotes.map { notes in
            WhatsNew(
                version: app.version.map { texts(.version($0)) },
                date: app.versionDate.map(texts.formats.day),
                notes: notes
            )
        }
        facts = [
            fact("provider", .provider, app.developer.map { $0.sellerName ?? $0.name }, developerPage),
            fact("size", .size, texts.size(app.fileSize)),
            fact("languages", .languagesTitle, languages.isEmpty ? nil : texts.formats.list(languages)),
            fact("age", .ageRating, app.ageRating),
            fact("price", .price, texts.price(app.price)),
            fact("version", .versionTitle, app.version),
            fact("minimumOS", .compatibility, app.minimumOSVersion.map { texts(.minimumOS($0, of: app.platform)) }),
            fact("releaseDate", .released, app.releaseDate.map(texts.formats.day)),
        ]
        var sections = [Section(kind: .main, title: nil), Section(kind: .summary, title: nil)]
        if !screenshots.isEmpty { sections.append(Section(kind: .screenshots, title: texts(.screenshotsTitle))) }
        if description != nil { sections.append(Section(kind: .description, title: texts(.descriptionTitle))) }
        if whatsNew != nil { sections.append(Section(kind: .whatsNew, title: texts(.whatsNewTitle))) }
        sections.append(Section(kind: .info, title: texts(.informationTitle)))
        self.sections = sections
    }
}

/// The facts of an app that a screen may show in its own way.
extension Fact.ID {
    /// The average rating and the number of ratings.
    public static let rating: Fact.ID = "rating"
    /// The genre.
    public static let genre: Fact.ID = "genre"
}
