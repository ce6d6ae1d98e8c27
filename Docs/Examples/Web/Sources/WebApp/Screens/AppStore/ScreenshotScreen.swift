import BrowseKit

/// One screenshot of an app, with links to the previous and the next one.
struct ScreenshotScreen: DetailScreen {
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

    func makeModel(in context: PageContext) -> AppDetailViewModel { context.container.appDetailViewModel() }

    func load(_ model: AppDetailViewModel, in context: PageContext) async { await model.show(.id(id)) }

    func detail(in state: AppDetailViewModel.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        let app = PageAddress(path: "apps", "\(id.rawValue)").text
        let links = [Link(address: app, title: texts(.backToApp))]
        var part = DetailPart(state.content, at: address, in: context) { details in
            let gallery = ScreenshotGallery(details.screenshots, at: number - 1)
            guard let current = gallery.current, let source = context.image(ImageRequest(current, side: 1_600)) else {
                return (HeaderView(title: details.main.name, links: links), [])
            }
            func link(to position: Int, _ title: Phrase) -> Link? {
                gallery.screenshots.indices.contains(position)
                    ? Link(address: "\(app)/screenshots/\(position + 1)", title: texts(title)) : nil
            }
            let label = texts(.screenshot(gallery.position + 1))
            let position = texts(.position(gallery.position + 1, of: gallery.screenshots.count))
            let image = ImageView(source: source, width: 400, height: 800, label: "\(details.main.name), \(position)")
            let neighbors = [link(to: gallery.position - 1, .previous), link(to: gallery.position + 1, .next)]
            let section = SectionView(
                id: "gallery",
                subtitle: position,
                pictures: Group([SectionView.Picture(link: source, image: image)]),
                links: Group(neighbors.compactMap(\.self))
            )
            return (HeaderView(title: label, links: links), [section])
        }
        if state.content.details == nil { part.header.links = Group(links) }
        part.isFavorite = state.isFavorite
        part.notice = state.notice
        return part
    }
}
