import BrowseKit

/// One screenshot of an app, with links to the previous and the next one.
struct ScreenshotScreen: DetailScreen {
    let address: PageAddress
    let id: AppStore.AppID
    /// The position, from 0; the gallery clamps it.
    let position: Int

    func makeModel(in context: PageContext) -> ScreenshotGalleryViewModel {
        context.container.screenshotGalleryViewModel()
    }

    func load(_ model: ScreenshotGalleryViewModel, in context: PageContext) async {
        await model.show(id, at: position)
    }

    func detail(in state: ScreenshotGalleryViewModel.State, _ context: PageContext) -> DetailPart {
        let texts = context.texts
        let links = [Link(.appStore(.app(id)), title: texts(.backToApp))].compactMap(\.self)
        let gallery = state.gallery
        var part = DetailPart(state, at: address, in: context) { details in
            guard let current = gallery.current, let source = context.image(ImageRequest(current, side: 1_600)) else {
                return (HeaderView(title: details.main.name), [])
            }
            func link(to position: Int, _ title: Phrase) -> Link? {
                gallery.screenshots.indices.contains(position)
                    ? Link(.appStore(.screenshotGallery(id, position: position)), title: texts(title)) : nil
            }
            let label = "\(details.main.name), \(state.title)"
            let neighbors = [link(to: gallery.position - 1, .previous), link(to: gallery.position + 1, .next)]
            let section = SectionView(
                id: "gallery",
                subtitle: state.title,
                pictures: Group([
                    SectionView.Picture(
                        link: source,
                        image: ImageView(source: source, width: 400, height: 800, label: label)
                    )
                ]),
                links: Group(neighbors.compactMap(\.self))
            )
            return (HeaderView(title: texts(.screenshot(gallery.position + 1))), [section])
        }
        part.header.links = Group(links)
        return part
    }
}
