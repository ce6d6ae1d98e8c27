import BrowseDomain
public import BrowsePresentation

/// A screen with the screenshots of an app, one at a time.
@MainActor
public final class ScreenshotGalleryViewModel: ViewModel {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The screenshots and the position of the current one.
        public var gallery: ScreenshotGallery = ScreenshotGallery([], at: 0)
        /// The localized position, such as `2 of 5`; empty without screenshots.
        public var title: String = ""
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }

    private let store = StateStore(State())

    /// Creates the screen; call ``show(_:)`` next.
    package init(texts: Texts) {
        store.addPart { state in
            let (position, count) = (state.gallery.position, state.gallery.screenshots.count)
            state.title = count > 0 ? texts(.screenshotPosition(position + 1, of: count)) : ""
        }
    }

    /// Opens a gallery at its position.
    public func show(_ gallery: ScreenshotGallery) {
        store.state.gallery = gallery
    }

    /// Shows the screenshot at a position, clamped to the valid range.
    public func go(to position: Int) {
        show(ScreenshotGallery(state.gallery.screenshots, at: position))
    }

    /// Shows the next screenshot, if there is one.
    public func next() {
        go(to: state.gallery.position + 1)
    }

    /// Shows the previous screenshot, if there is one.
    public func previous() {
        go(to: state.gallery.position - 1)
    }
}
