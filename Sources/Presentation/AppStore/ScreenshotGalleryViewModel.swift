public import BrowseAppStoreDomain
public import BrowseDomain
public import BrowsePresentation

/// A screen with the screenshots of an app, one at a time.
@MainActor
public final class ScreenshotGalleryViewModel: DetailViewModel {
    /// The state of the screen.
    public struct State: DetailScreenState {
        /// The app, and its status.
        public var content: DetailState<AppDetails> = DetailState()
        /// The requested position, which isn't clamped.
        var position: Int = 0
        /// The localized position, such as `2 of 5`; empty without screenshots.
        public var title: String = ""
        /// A message beside the screenshots.
        public var notice: Message?

        /// The screenshots and the position of the current one.
        public var gallery: ScreenshotGallery { ScreenshotGallery(content.details?.screenshots ?? [], at: position) }
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the app.
    public var detail: DetailControls { app.controls }

    private let store = StateStore(State())
    private let app: DetailController<AppStore.App, AppDetails>
    private let repository: any AppStore.AppRepository
    private let storefront: AppStore.Storefront
    private var requested: AppStore.AppID?

    /// Creates the screen; ``show(_:at:)-(AppStore.App,_)`` or ``show(_:at:)-(AppStore.AppID,_)`` loads it.
    package init(repository: any AppStore.AppRepository, storefront: AppStore.Storefront, options: ScreenOptions) {
        self.repository = repository
        self.storefront = storefront
        let options = options.about(.appStore)
        app = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            AppDetails($0, texts: options.texts)
        }
        store.addPart { state in
            let (position, count) = (state.gallery.position, state.gallery.screenshots.count)
            state.title = count > 0 ? options.texts(.screenshotPosition(position + 1, of: count)) : ""
        }
    }

    /// Shows the screenshots of an app that is already loaded, without a request.
    public func show(_ app: AppStore.App, at position: Int) {
        begin(app.id, at: position) { $0.begin(with: app, refreshedBy: $1) }.keep()
    }

    /// Looks up an app, and shows its screenshots.
    public func show(_ id: AppStore.AppID, at position: Int) async {
        await begin(id, at: position) { $0.begin($1) }()
    }

    /// Looks up an app; if it was requested already, only retries a failed or canceled load.
    ///
    /// Call it whenever the screen appears, after ``show(_:at:)-(AppStore.App,_)`` if the app is loaded already.
    public func showIfNeeded(_ id: AppStore.AppID, at position: Int) async {
        if requested == id { await retry() } else { await show(id, at: position) }
    }

    /// Shows the screenshot at a position, clamped to the valid range.
    public func go(to position: Int) { store.state.position = position }

    /// Shows the next screenshot, if there is one.
    public func next() { go(to: state.gallery.position + 1) }

    /// Shows the previous screenshot, if there is one.
    public func previous() { go(to: state.gallery.position - 1) }

    private typealias Fetch = @Sendable () async throws(BrowseError) -> AppStore.App

    private func begin(
        _ id: AppStore.AppID,
        at position: Int,
        _ begin: (DetailController<AppStore.App, AppDetails>, @escaping Fetch) -> ScreenLoad
    ) -> ScreenLoad {
        requested = id
        return store.update { state in
            state = State()
            state.position = position
            let storefront = storefront.preferring(.id(id))
            return begin(app) { [repository] () throws(BrowseError) in
                try await repository.lookUp(.id(id), in: storefront)
            }
        }
    }
}

/// The screenshots of an app, and the position of the current one.
public struct ScreenshotGallery: Hashable, Sendable {
    /// The addresses of the screenshots, in order.
    public let screenshots: [WebAddress]
    /// The position of the current screenshot; 0 if there are none.
    public let position: Int

    /// Creates a gallery, and clamps the position to the valid range.
    package init(_ screenshots: [WebAddress], at position: Int) {
        self.screenshots = screenshots
        self.position = max(0, min(position, screenshots.count - 1))
    }

    /// The current screenshot; `nil` if there are none.
    public var current: WebAddress? { screenshots.isEmpty ? nil : screenshots[position] }
}
