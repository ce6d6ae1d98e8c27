import ArgumentParser
import BrowseKit

/// The storefront of the App Store.
struct StorefrontOptions: ParsableArguments {
    @Option(help: "The country of the store, such as kr (default: that of the locale).")
    var country: String?
    @Option(help: "The language of the results, such as ko_kr (default: that of the country).")
    var language: String?

    func validate() throws {
        guard country.map({ (try? AppStore.Country($0)) != nil }) ?? true else {
            throw ValidationError("--country requires two letters, such as kr.")
        }
        guard language.map({ (try? AppStore.Language($0)) != nil }) ?? true else {
            throw ValidationError("--language requires a language and a country, such as ko_kr.")
        }
    }

    /// Returns the storefront of the options, or of the configuration.
    func storefront(of configuration: Configuration) -> AppStore.Storefront {
        var storefront = configuration.storefront
        if let country = country.flatMap({ try? AppStore.Country($0) }) { storefront.country = country }
        if let language = language.flatMap({ try? AppStore.Language($0) }) { storefront.language = language }
        return storefront
    }
}

/// `browse app ID|LINK|BUNDLE`
struct AppCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("app", "Show an app of the App Store.")

    @Argument(help: ArgumentHelp("The app ID, an App Store link, or the bundle ID.", valueName: "app"))
    var name: String
    @Flag(help: "Show the full description.")
    var full: Bool = false
    @OptionGroup var store: StorefrontOptions
    @OptionGroup var images: ImageOptions
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let search = session.container.appSearchViewModel()
        search.mode = .lookUp
        search.query = name
        guard search.state.canSubmit, let reference = try? AppStore.AppReference(name) else {
            await search.submit()
            session.printError(search.state.hint ?? "")
            return .usage
        }
        let model = session.container.appDetailViewModel()
        await model.show(reference, in: store.storefront(of: session.container.configuration))
        if full { model.toggleDescription() }
        switch model.state.content.status {
        case .loaded(let details):
            for picture in [details.main.icon, details.screenshots.first] {
                if let outcome = try await images.draw(picture, in: session) { return outcome }
            }
            try session.write(
                page(of: details, in: model.state, texts: session.texts),
                from: model.state.content.provenance
            )
            return session.interruption ?? .success
        case .failed(let message): return session.report(message)
        case .idle, .loading, .waiting: return session.stoppedEarly
        }
    }

    @MainActor
    private func page(of details: AppDetails, in state: AppDetailViewModel.State, texts: Texts) -> DetailPage {
        var fields: [DetailPage.Field] = []
        let rating = details.summary.rating
        let stars = rating.map { $0.stars.drawn + " " } ?? ""
        let count = rating?.count.map { " · " + $0 } ?? ""
        fields.append(
            .init("rating", texts(.rating), stars + details.summary.ratingText + count, isMissing: rating == nil)
        )
        fields.append(.init("genre", texts(.genre), details.summary.genre))
        fields += details.info.map { .init("\($0.kind)", $0.title, $0.value) }
        fields += details.screenshots.enumerated().map { index, address in
            .init("screenshot_\(index + 1)", index == 0 ? texts(.screenshots) : "", address.rawValue)
        }
        if let description = state.description { fields.append(.init("description", texts(.summary), description)) }
        if let news = details.whatsNew {
            let head = [news.version, news.date].compactMap(\.self).joined(separator: " · ")
            fields.append(.init("whats_new", texts(.whatsNew), head.isEmpty ? news.notes : head + "\n" + news.notes))
        }
        fields.append(.init("link", texts(.webPage), details.main.share.link.rawValue))
        return DetailPage(
            title: details.main.name,
            subtitle: details.summary.developer,
            fields: fields,
            json: details.app.json(isFavorite: state.isFavorite)
        )
    }
}

/// `browse apps TERM`
struct AppsCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command("apps", "Search for apps in the App Store.")

    @Argument(help: ArgumentHelp("The text to search for.", valueName: "text"))
    var terms: [String]
    @OptionGroup var store: StorefrontOptions
    @OptionGroup var common: CommonOptions

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.appSearchViewModel()
        model.storefront = store.storefront(of: session.container.configuration)
        model.query = terms.joined(separator: " ")
        guard model.state.canSubmit else {
            session.printError(session.texts(.searchEmpty))
            return .usage
        }
        await model.submit()
        let report = ListReport(
            session: session,
            style: RowStyles(session).apps,
            title: model.state.query,
            isGitHub: false,
            summary: model.state.summary
        )
        return try report.write(model.state.content)
    }
}

extension [AppStore.Rating.Star] {
    /// Five characters: full, half, or empty stars.
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
