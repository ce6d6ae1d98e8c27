import BrowseAppStoreDomain
import BrowseDomain
import BrowsePresentation

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
        summary = Summary(
            rating: rating,
            ratingText: rating?.average ?? texts(.noRating),
            age: app.ageRating ?? notStated,
            genre: app.genre ?? notStated,
            developer: app.developer?.name ?? notStated,
            languages: languages.first.map { texts(.languages($0, more: languages.count - 1)) } ?? notStated
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
        info = InfoRow.Kind.allCases.map { kind in
            let value: String? =
                switch kind {
                case .provider: app.developer.map { $0.sellerName ?? $0.name }
                case .size: texts.size(app.fileSize)
                case .languages: languages.isEmpty ? nil : texts.formats.list(languages)
                case .age: app.ageRating
                case .price: texts.price(app.price)
                case .version: app.version
                case .minimumOS: app.minimumOSVersion.map { texts(.minimumOS($0)) }
                case .releaseDate: app.releaseDate.map(texts.formats.day)
                }
            return InfoRow(kind: kind, title: texts(.infoTitle(kind)), value: value ?? notStated)
        }
        var sections = [Section(kind: .main, title: nil), Section(kind: .summary, title: nil)]
        if !screenshots.isEmpty { sections.append(Section(kind: .screenshots, title: texts(.screenshotsTitle))) }
        if description != nil { sections.append(Section(kind: .description, title: texts(.descriptionTitle))) }
        if whatsNew != nil { sections.append(Section(kind: .whatsNew, title: texts(.whatsNewTitle))) }
        sections.append(Section(kind: .info, title: texts(.informationTitle)))
        self.sections = sections
    }
}
