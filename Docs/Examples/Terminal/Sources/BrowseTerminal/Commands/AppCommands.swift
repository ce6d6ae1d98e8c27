package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// Whose shop is asked.
package struct StorefrontOptions: ParsableArguments {
    @Option(help: "The country of the shop, such as kr; else that of the locale.")
    package var country: String?
    @Option(help: "The language that the shop answers in, such as ko_kr; else the country's own.")
    package var language: String?

    package init() {}

    package func validate() throws {
        guard country.map({ (try? AppStore.Country($0)) != nil }) ?? true else {
            throw ValidationError("--country takes two letters, such as kr.")
        }
        guard language.map({ (try? AppStore.Language($0)) != nil }) ?? true else {
            throw ValidationError("--language takes a language and a country, such as ko_kr.")
        }
    }

    /// The shop that was asked for, or that of the configuration.
    func storefront(of configuration: Configuration) -> AppStore.Storefront {
        var storefront = configuration.storefront
        if let country = country.flatMap({ try? AppStore.Country($0) }) { storefront.country = country }
        if let language = language.flatMap({ try? AppStore.Language($0) }) { storefront.language = language }
        return storefront
    }
}

/// `browse app ID|LINK|BUNDLE`
package struct AppCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "app",
        abstract: "Shows an app's page of the App Store.",
        discussion: Browse.seeExitCodes
    )

    @Argument(help: ArgumentHelp("The app's number, a link to it, or its bundle identifier.", valueName: "app"))
    package var name: String
    @Flag(help: "Show all of the description.")
    package var full: Bool = false
    @OptionGroup package var shop: StorefrontOptions
    @OptionGroup package var pictures: PictureOptions
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let search = session.container.appSearchViewModel()
        search.mode = .lookUp
        search.query = name
        guard search.state.canSubmit, let reference = try? AppStore.AppReference(name) else {
            await search.submit()
            session.complain(search.state.hint ?? "")
            return .usage
        }
        let model = session.container.appDetailViewModel()
        await model.show(reference, in: shop.storefront(of: session.container.configuration))
        if full { model.toggleDescription() }
        switch model.state.content.status {
        case .loaded(let details):
            for picture in [details.main.icon, details.screenshots.first] {
                if let outcome = try await pictures.draw(picture, in: session) { return outcome }
            }
            try session.write(
                page(of: details, in: model.state, words: session.words),
                from: model.state.content.provenance
            )
            return session.interruption ?? .success
        case .failed(let message): return session.report(message)
        case .idle, .loading, .waiting: return session.stoppedEarly
        }
    }

    @MainActor
    private func page(of details: AppDetails, in state: AppDetailViewModel.State, words: Words) -> DetailPage {
        var fields: [DetailPage.Field] = []
        let rating = details.summary.rating
        let stars = rating.map { $0.stars.drawn + " " } ?? ""
        let count = rating?.count.map { " · " + $0 } ?? ""
        fields.append(
            .init("rating", words(.rating), stars + details.summary.ratingText + count, isMissing: rating == nil)
        )
        fields.append(.init("genre", words(.genre), details.summary.genre))
        fields += details.info.map { .init("\($0.kind)", $0.title, $0.value) }
        fields += details.screenshots.enumerated().map { index, address in
            .init("screenshot_\(index + 1)", index == 0 ? words(.screenshots) : "", address.rawValue)
        }
        if let description = state.description { fields.append(.init("description", words(.summary), description)) }
        if let news = details.whatsNew {
            let head = [news.version, news.date].compactMap(\.self).joined(separator: " · ")
            fields.append(.init("whats_new", words(.whatsNew), head.isEmpty ? news.notes : head + "\n" + news.notes))
        }
        fields.append(.init("link", words(.webPage), details.main.share.link.rawValue))
        return DetailPage(
            title: details.main.name,
            subtitle: details.summary.developer,
            fields: fields,
            json: details.app.json(isFavorite: state.isFavorite)
        )
    }
}

/// `browse apps TERM`
package struct AppsCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "apps",
        abstract: "Finds apps in the App Store.",
        discussion: Browse.seeExitCodes
    )

    @Argument(help: ArgumentHelp("What to search for; several words are one text.", valueName: "text"))
    package var words: [String]
    @OptionGroup package var shop: StorefrontOptions
    @OptionGroup package var common: CommonOptions

    package init() {}

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.appSearchViewModel()
        model.storefront = shop.storefront(of: session.container.configuration)
        model.query = words.joined(separator: " ")
        guard model.state.canSubmit else {
            session.complain(session.words(.searchEmpty))
            return .usage
        }
        await model.submit()
        let report = ListReport(
            session: session,
            style: RowStyles(session).apps,
            title: model.state.query,
            isOfGitHub: false,
            summary: model.state.summary
        )
        return try report.write(model.state.content)
    }
}

extension [AppStore.Rating.Star] {
    /// Five stars in five columns: full, half, empty.
    var drawn: String {
        map { star in
            switch star {
            case .full: "★"
            case .half: "⯪"
            case .empty: "☆"
            }
        }
        .joined()
    }
}
