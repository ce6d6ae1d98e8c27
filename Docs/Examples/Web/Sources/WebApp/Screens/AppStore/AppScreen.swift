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

    func detail(in state: AppDetailViewModel.State, _ context: PageContext) -> DetailPart {
        DetailPart(state, at: address, in: context) { details in
            let main = details.main
            let header = HeaderView(
                title: main.name,
                subtitle: main.genre,
                image: context.image(main.icon, side: 128),
                rating: details.summary.rating.map { RatingView($0, in: context) },
                marks: [context.favorite(state.isFavorite, name: main.name)],
                links: [Link(main.share.link, title: context.texts(.inStore))].compactMap(\.self)
            )
            let sections = details.sections.compactMap { section(of: $0, details, state, context) }
            return (header, sections)
        }
    }

    func performOwn(_ action: PageAction, on model: AppDetailViewModel, in context: PageContext) async -> PageOutcome? {
        guard action.name == .unfold else { return nil }
        model.toggleDescription()
        return .stay
    }

    private func section(
        of section: AppDetails.Section,
        _ details: AppDetails,
        _ state: AppDetailViewModel.State,
        _ context: PageContext
    ) -> SectionView? {
        switch section.kind {
        case .main: return nil
        case .summary: return SectionView(id: "summary", facts: details.summary.facts)
        case .screenshots:
            let pictures = details.screenshots.enumerated().compactMap { position, screenshot -> SectionView.Picture? in
                guard let source = context.image(ImageRequest(screenshot, side: 600)),
                    let link = Link(.appStore(.screenshotGallery(id, position: position)))
                else { return nil }
                let label = context.texts(.screenshot(position + 1))
                let image = ImageView(source: source, width: 200, height: 400, label: label)
                return SectionView.Picture(link: link.address, image: image)
            }
            return SectionView(id: "screenshots", title: section.title, pictures: Group(pictures))
        case .description:
            let button = state.descriptionActionTitle.map { ButtonView(.unfold, $0) }
            return SectionView(id: "description", title: section.title, text: state.description, button: button)
        case .whatsNew:
            let version = [details.whatsNew?.version, details.whatsNew?.date].compactMap(\.self)
            return SectionView(
                id: "whats-new",
                title: section.title,
                subtitle: version.joined(separator: " · "),
                text: details.whatsNew?.notes
            )
        case .info:
            return SectionView(id: "information", title: section.title, facts: details.facts)
        }
    }
}
