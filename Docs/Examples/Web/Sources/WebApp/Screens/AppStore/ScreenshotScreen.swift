import BrowseKit

/// One screenshot of an app, with links to the previous and the next one.
struct ScreenshotScreen: Screen {
    static let paths = ["/apps/:id/screenshots/:number"]
    let address: PageAddress
    private let id: AppStore.AppID
    private let number: Int

    init?(_ address: PageAddress) {
        guard let app = address.number, let number = address.parameters["number"].flatMap({ Int($0) }) else {
            return nil
        }
        id = AppStore.AppID(rawValue: app)
        // The gallery clamps the position, which must not overflow before.
        self.number = min(max(1, number), 1_000)
        self.address = address
    }

    func makeModel(in context: PageContext) -> ScreenshotGalleryViewModel {
        context.container.screenshotGalleryViewModel()
    }

    func load(_ model: ScreenshotGalleryViewModel, in context: PageContext) async {
        let app = context.container.appDetailViewModel()
        await app.show(.id(id))
        guard case .screenshotGallery(let gallery)? = app.openScreenshot(at: number - 1) else { return }
        model.show(gallery)
    }

    func content(of state: ScreenshotGalleryViewModel.State, in context: PageContext) -> PageContent {
        let (texts, gallery) = (context.texts, state.gallery)
        let app = PageAddress(path: "apps", "\(id.rawValue)").text
        var part = DetailPart(
            status: StatusView(gallery.current == nil ? .loading : .ready, lines: [state.title]),
            header: HeaderView(
                title: gallery.current == nil ? texts(.loading) : texts(.screenshot(gallery.position + 1)),
                links: [Link(address: app, title: texts(.backToApp))]
            )
        )
        if let current = gallery.current, let source = context.image(ImageRequest(current, side: 1_600)) {
            func link(to position: Int, _ title: Phrase) -> Link? {
                gallery.screenshots.indices.contains(position)
                    ? Link(address: "\(app)/screenshots/\(position + 1)", title: texts(title)) : nil
            }
            let image = ImageView(source: source, width: 400, height: 800, label: state.title)
            let links = [link(to: gallery.position - 1, .previous), link(to: gallery.position + 1, .next)]
            part.sections = [
                SectionView(
                    id: "gallery",
                    pictures: Group([SectionView.Picture(link: source, image: image)]),
                    links: Group(links.compactMap(\.self))
                )
            ]
        }
        return PageContent(part, in: context)
    }

    func perform(
        _ action: PageAction,
        on model: ScreenshotGalleryViewModel,
        in context: PageContext
    ) async -> PageOutcome {
        .stay
    }
}
