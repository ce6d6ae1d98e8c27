import BrowseKit

/// One screenshot of an app, with links to the previous and the next one.
struct ScreenshotScreen: DetailScreen {
    let address: PageAddress
    let id: AppStore.AppID
    /// The position, from 0; the gallery clamps it.
    let position: Int

    func makeModel(in context: PageContext) -> AppDetailViewModel { context.container.appDetailViewModel() }

    func load(_ model: AppDetailViewModel, in context: PageContext) async { await model.show(.id(id)) }

    func detail(in state: AppDetailViewModel.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        let links = [Link(.appStore(.app(id)), title: texts(.backToApp))].compactMap(\.self)
        var part = DetailPart(state.content, at: address, in: context) { details in
            let gallery = ScreenshotGallery(details.screenshots, at: position)
            guard let current = gallery.current, let source = context.image(ImageRequest(current, side: 1_600)) else {
                return (HeaderView(title: details.main.name, links: links), [])
            }
            func link(to position: Int, _ title: Phrase) -> Link? {
                gallery.screenshots.indices.contains(position)
                    ? Link(.appStore(.screenshotGallery(id, position: position)), title: texts(title)) : nil
            }
            let label = texts(.screenshot(gallery.position + 1))
            let place = texts(.position(gallery.position + 1, of: gallery.screenshots.count))
            let image = ImageView(source: source, width: 400, height: 800, label: "\(details.main.name), \(place)")
            let neighbors = [link(to: gallery.position - 1, .previous), link(to: gallery.position + 1, .next)]
            let section = SectionView(
                id: "gallery",
                subtitle: place,
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
