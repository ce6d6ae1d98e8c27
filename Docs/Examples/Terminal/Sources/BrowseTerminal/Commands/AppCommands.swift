import ArgumentParser
import BrowseKit

/// The storefront of the App Store.
struct StorefrontOptions: ParsableArguments {
    @Option(help: "The country of the store, such as kr (default: that of the link, or the locale).")
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

    /// Returns the storefront of the options, a reference, or the configuration.
    func storefront(
        of configuration: Configuration,
        for reference: AppStore.AppReference? = nil
    ) -> AppStore.Storefront {
        var storefront = configuration.storefront
        if let reference { storefront = storefront.preferring(reference) }
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
        search.query.mode = .lookUp
        search.query.text = name
        guard let reference = try? AppStore.AppReference(name) else {
            await search.submit()
            session.printError(search.state.hint ?? "")
            return .usage
        }
        let model = session.container.appDetailViewModel()
        await model.show(reference, in: store.storefront(of: session.container.configuration, for: reference))
        if full { model.toggleDescription() }
        if let details = model.state.content.details {
            for picture in [details.main.icon, details.screenshots.first] {
                if let outcome = try await images.draw(picture, in: session) { return outcome }
            }
        }
        return try session.write(model) { page(of: $0, in: model.state, texts: session.texts) }
    }

    @MainActor
    private func page(of details: AppDetails, in state: AppDetailViewModel.State, texts: Texts) -> DetailPage {
        let titles = Dictionary(uniqueKeysWithValues: details.sections.map { ($0.kind, $0.title ?? "") })
        var fields = details.summary.filter { ["rating", "genre"].contains($0.id) }
        if let rating = details.rating {
            fields[0] = Fact("rating", fields[0].label, "\(rating.stars.drawn) \(fields[0].value)")
        }
        fields += details.facts
        fields += details.screenshots.enumerated().map { index, address in
            Fact("screenshot_\(index + 1)", index == 0 ? titles[.screenshots, default: ""] : "", address.rawValue)
        }
        if let description = state.description {
            fields.append(Fact("description", titles[.description, default: ""], description))
        }
        if let news = details.whatsNew {
            let head = [news.version, news.date].compactMap(\.self).joined(separator: " · ")
            let text = head.isEmpty ? news.notes : head + "\n" + news.notes
            fields.append(Fact("whats_new", titles[.whatsNew, default: ""], text))
        }
        fields.append(Fact("link", texts(.webPage), details.main.share.link.rawValue))
        return DetailPage(
            title: state.title,
            subtitle: details.summary.first { $0.id == "developer" }?.value ?? "",
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
        let text = terms.joined(separator: " ")
        // Chosen for this text, so that --country replaces the country of a link.
        model.query.text = text
        let link = try? AppStore.AppReference(text)
        model.storefront = store.storefront(of: session.container.configuration, for: link)
        return try await session.search(model, as: RowStyles(session).apps, ["q": text]) {
            ($0.title, $0.isCut) = (text, model.state.totalCount == nil)
        }
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
