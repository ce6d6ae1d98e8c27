import BrowseKit
import WebSupport

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

    func title(of state: ScreenshotGalleryViewModel.State, in context: PageContext) -> String {
        [state.content.details?.main.name, state.title].compactMap(\.self).joined(separator: ", ")
    }

    func details(_ details: AppDetails, of state: ScreenshotGalleryViewModel.State, in context: PageContext)
        -> (HTML, [HTML?])
    {
        let (texts, gallery) = (context.texts, state.gallery)
        let back = links([Link(.appStore(.app(id)))?.html(texts(.backToApp))].compactMap(\.self))
        let label = title(of: state, in: context)
        guard let picture = context.image(gallery.current, 400, by: 800, label: label) else {
            return (header(details.main.name, nil, back), [])
        }
        func link(to position: Int, _ title: Phrase) -> HTML? {
            guard gallery.screenshots.indices.contains(position) else { return nil }
            return Link(.appStore(.screenshotGallery(id, position: position)))?.html(texts(title))
        }
        let neighbors = [link(to: gallery.position - 1, .previous), link(to: gallery.position + 1, .next)]
        let section = section(
            "gallery",
            nil,
            paragraph(state.title, class: "subtitle"),
            "<div class=\"picture\">\(picture)</div>",
            links(neighbors.compactMap(\.self))
        )
        return (header(texts(.screenshot(gallery.position + 1)), nil, back), [section])
    }
}
