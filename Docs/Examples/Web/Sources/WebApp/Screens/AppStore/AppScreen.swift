import BrowseKit

/// The product page of an app, in the store's order.
struct AppScreen: DetailScreen {
    let address: PageAddress
    let id: AppStore.AppID

    func makeModel(in context: PageContext) -> AppDetailViewModel { context.container.appDetailViewModel() }

    func load(_ model: AppDetailViewModel, in context: PageContext) async {
        await model.show(.id(id))
        if address["description"] == "all" { model.toggleDescription() }
    }

    func details(_ details: AppDetails, of state: AppDetailViewModel.State, in context: PageContext)
        -> (HTML, [HTML?])
    {
        let main = details.main
        let header = header(
            main.name,
            [main.genre, details.facts.first { $0.id == "price" }?.value].compactMap(\.self).joined(separator: " · "),
            image: context.image(main.icon, 128),
            details.rating.map(context.html),
            group("marks", [context.favorite(state.isFavorite, name: main.name)]),
            links([Link(main.share.link)?.html(context.texts(.inStore))].compactMap(\.self))
        )
        return (header, details.sections.map { part($0, of: details, state, context) })
    }

    func performOwn(_ action: PageAction, on model: AppDetailViewModel, in context: PageContext) async -> PageOutcome? {
        guard action.name == .unfold else { return nil }
        if model.state.isDescriptionUnfolded != action.isOn { model.toggleDescription() }
        return .stay
    }

    private func part(
        _ part: AppDetails.Section,
        of details: AppDetails,
        _ state: AppDetailViewModel.State,
        _ context: PageContext
    ) -> HTML? {
        switch part.kind {
        case .main: return nil
        case .summary:
            return section("summary", nil, facts(details.summary.filter { !["rating", "genre"].contains($0.id) }))
        case .screenshots:
            let pictures = details.screenshots.enumerated().compactMap { position, screenshot -> HTML? in
                let label = context.texts(.screenshot(position + 1))
                guard let image = context.image(screenshot, 200, by: 400, label: label),
                    let link = Link(.appStore(.screenshotGallery(id, position: position)))
                else { return nil }
                return "<li><a href=\"\(link.address)\">\(image)</a></li>"
            }
            let list: HTML? = pictures.isEmpty ? nil : "<ul class=\"pictures\" role=\"list\">\(pictures)</ul>"
            return section("screenshots", part.title, list)
        case .description:
            let title = state.descriptionActionTitle.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            let more = title.map { button(.unfold, to: state.isDescriptionUnfolded ? "off" : "on", $0) }
            return section("description", part.title, paragraph(state.description, class: "long"), more)
        case .whatsNew:
            let version = [details.whatsNew?.version, details.whatsNew?.date].compactMap(\.self)
            return section(
                "whats-new",
                part.title,
                paragraph(version.joined(separator: " · "), class: "subtitle"),
                paragraph(details.whatsNew?.notes, class: "long")
            )
        case .info: return section("information", part.title, facts(details.facts))
        }
    }
}

extension AppDetailViewModel.State {
    /// Whether the entire description is shown.
    fileprivate var isDescriptionUnfolded: Bool { description == content.details?.app.description }
}

/// One screenshot of an app, with links to the previous and the next one.
struct ScreenshotScreen: DetailScreen {
    let address: PageAddress
    let id: AppStore.AppID
    /// The position, from 0; the gallery clamps it.
    let position: Int

    func makeModel(in context: PageContext) -> AppDetailViewModel { context.container.appDetailViewModel() }

    func load(_ model: AppDetailViewModel, in context: PageContext) async {
        await model.show(.id(id), at: position)
    }

    func title(of state: AppDetailViewModel.State, in context: PageContext) -> String {
        [state.content.details?.main.name, state.title].compactMap(\.self).joined(separator: ", ")
    }

    func details(_ details: AppDetails, of state: AppDetailViewModel.State, in context: PageContext)
        -> (HTML, [HTML?])
    {
        let (texts, gallery) = (context.texts, state.gallery)
        let back = Link(.appStore(.app(id)))?.html(texts(.backToApp))
        let label = "\(details.main.name), \(texts(.screenshot(gallery.position + 1)))"
        guard let picture = context.image(gallery.current, 400, by: 800, label: label) else {
            return (header(details.main.name, nil, links([back].compactMap(\.self))), [])
        }
        // At the ends, the link stays in its place, and leads nowhere.
        func link(to position: Int, _ title: Phrase) -> HTML {
            let route = Route.appStore(.screenshotGallery(id, position: position))
            let link = gallery.screenshots.indices.contains(position) ? Link(route)?.html(texts(title)) : nil
            return link ?? "<a role=\"link\" aria-disabled=\"true\">\(texts(title))</a>"
        }
        let pages = [link(to: gallery.position - 1, .previous), link(to: gallery.position + 1, .next), back]
        let section = section("gallery", nil, picture)
        return (header(details.main.name, state.title, links(pages.compactMap(\.self))), [section])
    }
}
