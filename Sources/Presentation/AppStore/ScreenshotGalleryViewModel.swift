import BrowseDomain

/// The screen with an app's pictures, one at a time.
@MainActor
public final class ScreenshotGalleryViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// The pictures, and which of them is in front.
        public var gallery: ScreenshotGallery = ScreenshotGallery([], at: 0)
        /// Which of how many is in front: `2 of 5`; empty when there is none.
        public var title: String = ""

        /// Creates the state of a screen that shows nothing yet.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }

    private let store = StateStore(State())
    private let texts: Texts

    /// Creates the screen; ``show(_:)`` fills it.
    public init(texts: Texts) {
        self.texts = texts
    }

    /// Opens a gallery at the picture that it has in front.
    public func show(_ gallery: ScreenshotGallery) {
        var state = State()
        state.gallery = gallery
        let count = gallery.screenshots.count
        if count > 0 { state.title = texts(.screenshotPosition(gallery.position + 1, of: count)) }
        store.state = state
    }

    /// Takes a picture to the front; a position before the first or behind the last counts as the nearest of them.
    public func go(to position: Int) {
        show(ScreenshotGallery(state.gallery.screenshots, at: position))
    }

    /// Leafs on, unless the last picture is in front.
    public func next() {
        go(to: state.gallery.position + 1)
    }

    /// Leafs back, unless the first picture is in front.
    public func previous() {
        go(to: state.gallery.position - 1)
    }
}
