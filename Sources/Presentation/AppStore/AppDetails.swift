public import BrowseAppStoreDomain
public import BrowseDomain
@_spi(Services) public import BrowsePresentation

/// The product page of an app; a missing value is `nil`, or has a text that says so.
///
/// The properties have the App Store's order. ``sections`` lists those with content.
public struct AppDetails: EntityDetails {
    /// The app.
    public let app: AppStore.App
    /// The icon, the name, the genre, and the values to share.
    public let main: Main
    /// The rating; `nil` if there is none.
    public let rating: RatingLabel?
    /// The most important facts: the rating, age, genre, developer, and languages.
    public let summary: [Fact]
    /// The addresses of the screenshots.
    public let screenshots: [WebAddress]
    let description: ExpandableText?
    /// The changes in the current version.
    public let whatsNew: WhatsNew?
    /// The provider, size, languages, age rating, price, version, compatibility, and release date.
    public let facts: [Fact]
    /// The sections that have content, in order.
    public let sections: [Section]

    /// The header of a page.
    public struct Main: Equatable, Sendable {
        /// The address of the largest icon.
        public let icon: WebAddress?
        /// The name.
        public let name: String
        /// The genre; `nil` if it's unknown.
        public let genre: String?
        /// The values to share.
        public let share: Share
    }

    /// The values to share about an app.
    public struct Share: Hashable, Sendable {
        /// The web page of the app.
        public let link: WebAddress
        /// The title to share: the name of the app.
        public let title: String
        /// The address of the largest icon.
        public let icon: WebAddress?
    }

    /// The changes in a version.
    public struct WhatsNew: Equatable, Sendable {
        /// The version, such as `Version 2.10`; `nil` if it's unknown.
        public let version: String?
        /// The day of the release; `nil` if it's unknown.
        public let date: String?
        /// The release notes, in the language of the storefront.
        public let notes: String
    }

    /// A section of a page.
    public struct Section: Identifiable, Equatable, Sendable {
        /// The kind of section.
        public enum Kind: Hashable, Sendable {
            /// The section with ``AppDetails/main``.
            case main
            /// The section with ``AppDetails/summary``.
            case summary
            /// The section with ``AppDetails/screenshots``.
            case screenshots
            /// The section with the description, which is in the state of the screen.
            case description
            /// The section with ``AppDetails/whatsNew``.
            case whatsNew
            /// The section with ``AppDetails/facts``.
            case info
        }

        /// The kind of section.
        public let kind: Kind
        /// The localized heading; `nil` if the section has none.
        public let title: String?

        /// The kind.
        public var id: Kind { kind }
    }
}

extension AppDetails {
    init(_ app: AppStore.App, texts: Texts) {
        self.app = app
        let notStated = texts(.notStated)
        let languages = texts.languageNames(app.languageCodes)
        rating = app.rating.flatMap { RatingLabel($0, texts: texts) }
        main = Main(
            icon: app.icon.largest,
            name: app.name,
            genre: app.genre,
            share: Share(link: app.link, title: app.name, icon: app.icon.largest)
        )
        let developerPage = app.developer?.storePage?.route
        func fact(_ id: String, _ label: Phrase, _ value: String?, _ route: Route? = nil) -> Fact {
            Fact(id, texts(label), value, missing: notStated, route: route)
        }
        let ratingParts = [rating?.average ?? texts(.noRating), rating?.count].compactMap(\.self)
        let someLanguages = languages.first.map { texts(.languages($0, more: languages.count - 1)) }
        summary = [
            Fact("rating", texts(.rating), ratingParts.joined(separator: " · "), isMissing: rating == nil),
            fact("age", .age, app.ageRating), fact("genre", .genre, app.genre),
            fact("developer", .developer, app.developer?.name, developerPage),
            fact("languages", .languagesTitle, someLanguages),
        ]
        screenshots = app.screenshots.shown
        description = app.description.map(ExpandableText.init)
        whatsNew = app.releaseNotes.map { notes in
            WhatsNew(
                version: app.version.map { texts(.version($0)) },
                date: app.versionDate.map(texts.formats.day),
                notes: notes
            )
        }
        // A pre-order.
        let isExpected = app.releaseDate.map { $0 > texts.formats.now() } ?? false
        facts = [
            fact("provider", .provider, app.developer.map { $0.sellerName ?? $0.name }, developerPage),
            fact("size", .size, texts.size(app.fileSize)),
            fact("languages", .languagesTitle, languages.isEmpty ? nil : texts.formats.list(languages)),
            fact("age", .ageRating, app.ageRating),
            fact("price", .price, texts.price(app.price)),
            fact("version", .versionTitle, app.version),
            fact("minimumOS", .compatibility, app.minimumOSVersion.map { texts(.minimumOS($0, of: app.platform)) }),
            fact("releaseDate", isExpected ? .expected : .released, app.releaseDate.map(texts.formats.calendarDay)),
        ]
        var sections = [Section(kind: .main, title: nil), Section(kind: .summary, title: nil)]
        if !screenshots.isEmpty { sections.append(Section(kind: .screenshots, title: texts(.screenshotsTitle))) }
        if description != nil { sections.append(Section(kind: .description, title: texts(.descriptionTitle))) }
        if whatsNew != nil { sections.append(Section(kind: .whatsNew, title: texts(.whatsNewTitle))) }
        sections.append(Section(kind: .info, title: texts(.informationTitle)))
        self.sections = sections
    }
}
