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

    /// Creates the screen; ``show(_:at:)`` loads it.
    package init(
        repository: any AppStore.AppRepository,
        favorites: any FavoriteRepository,
        storefront: AppStore.Storefront,
        options: ScreenOptions
    ) {
        self.repository = repository
        self.storefront = storefront
        let options = options.about(.appStore)
        app = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            AppDetails($0, texts: options.texts)
        }
        app.markFavorite(in: favorites) { Favorite($0) }
        store.addPart { state in
            let (position, count) = (state.gallery.position, state.gallery.screenshots.count)
            state.title = count > 0 ? options.texts(.screenshotPosition(position + 1, of: count)) : ""
        }
    }

    /// Shows the screenshots of an app that is known already, unless the screen shows them.
    ///
    /// It sends no request. Call ``showIfNeeded(_:at:)-(AppStore.AppID,_)`` next, which looks the
    /// app up.
    public func showIfNeeded(_ preview: EntityPreview<AppStore.App>, at position: Int) {
        guard state.content.details?.app.id != preview.value.id else { return }
        store.update { [self] in _ = begin(preview.value.id, at: position, with: preview, &$0) }
    }

    /// Looks up an app, and shows its screenshots.
    public func show(_ id: AppStore.AppID, at position: Int) async {
        await store.load { begin(id, at: position, &$0) }
    }

    /// Looks up an app; if it was looked up already, only retries a failed or canceled load.
    ///
    /// Call it whenever the screen appears, after
    /// ``showIfNeeded(_:at:)-(EntityPreview<AppStore.App>,_)`` if the app is known already.
    public func showIfNeeded(_ id: AppStore.AppID, at position: Int) async {
        if requested == id { await app.retry() } else { await show(id, at: position) }
    }

    /// Shows the screenshot at a position, clamped to the valid range.
    public func go(to position: Int) { store.update { $0.position = position } }

    /// Shows the next screenshot, if there is one.
    public func next() { go(to: state.gallery.position + 1) }

    /// Shows the previous screenshot, if there is one.
    public func previous() { go(to: state.gallery.position - 1) }

    private func begin(
        _ id: AppStore.AppID,
        at position: Int,
        with preview: EntityPreview<AppStore.App>? = nil,
        _ state: inout State
    ) -> ScreenLoad {
        requested = id
        state = State()
        state.position = position
        return app.begin(with: preview) { [repository, storefront] () throws(BrowseError) in
            try await repository.lookUp(.id(id), in: storefront.preferring(.id(id)))
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
