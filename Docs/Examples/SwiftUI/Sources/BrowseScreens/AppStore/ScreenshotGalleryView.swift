import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// An app's screenshots, one at a time.
struct ScreenshotGalleryView: View {
    private let id: AppStore.AppID
    private let startPosition: Int
    private let container: Container
    @State private var model: AppDetailViewModel
    @Environment(\.texts) private var texts
    @Environment(\.accessibilityReduceMotion) private var reduceMotion

    init(id: AppStore.AppID, position: Int, preview: EntityPreview<AppStore.App>?, container: Container) {
        self.id = id
        self.startPosition = position
        self.container = container
        let model = container.appDetailViewModel()
        // Sends no request, so the first frame shows the right screenshot.
        if let preview { model.showIfNeeded(preview, at: position) }
        _model = State(initialValue: model)
    }

    var body: some View {
        let screenshots = model.state.gallery.screenshots
        ScrollView(.horizontal) {
            LazyHStack(spacing: 0) {
                ForEach(screenshots.indices, id: \.self) { position in
                    BrowseImage(
                        screenshots[position],
                        label: texts(.screenshot(position + 1, of: screenshots.count)),
                        container: container
                    )
                    .containerRelativeFrame([.horizontal, .vertical])
                }
            }
            .scrollTargetLayout()
        }
        .scrollTargetBehavior(.paging)
        .scrollPosition(id: position)
        .browseStatus(of: model, container: container)
        .task { await model.showIfNeeded(id, at: startPosition) }
        .toolbar {
            // A mouse and a keyboard can't swipe.
            Button(texts(.previousScreenshot), systemImage: "chevron.backward") {
                withAnimation(reduceMotion ? nil : .default) { model.previous() }
            }
            .keyboardShortcut(.leftArrow, modifiers: [])
            .disabled(model.state.gallery.position == 0)
            Button(texts(.nextScreenshot), systemImage: "chevron.forward") {
                withAnimation(reduceMotion ? nil : .default) { model.next() }
            }
            .keyboardShortcut(.rightArrow, modifiers: [])
            .disabled(model.state.gallery.position >= screenshots.count - 1)
        }
    }

    private var position: Binding<Int?> {
        Binding {
            model.state.gallery.position
        } set: { position in
            if let position { model.go(to: position) }
        }
    }
}
