public import BrowseAppStoreDomain
package import BrowseDomain
public import BrowsePresentation

/// A screen with the product page of an app.
@MainActor
public final class AppDetailViewModel: DetailViewModel {
    /// The state of the screen.
    public struct State: DetailScreenState {
        /// The page and its status.
        public var content: DetailState<AppDetails> = DetailState()
        /// A message beside the page, such as that a favorite couldn't be stored.
        public var notice: Message?
        /// Whether the entire description is shown.
        var isDescriptionExpanded: Bool = false
        /// The title of the button that expands or collapses the description; `nil` for a short
        /// one.
        public var descriptionActionTitle: String?

        /// The name of the app; empty until it's loaded.
        public var title: String { content.details?.main.name ?? "" }
        /// The entire description or its beginning, as the person chose; `nil` if there is none.
        public var description: String? {
            content.details?.description.map { isDescriptionExpanded ? $0.text : $0.preview }
        }
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the app.
    public var detail: DetailControls { app.controls }

    private let store = StateStore(State())
    private let app: DetailController<AppStore.App, AppDetails>
    private let repository: any AppStore.AppRepository
    private let storefront: AppStore.Storefront
    /// The app that was requested; `nil` if its number isn't known.
    private var requested: AppStore.AppID?

    /// Creates the screen; ``show(_:in:)`` loads it, from this storefront by default.
    package init(
        repository: any AppStore.AppRepository,
        favorites: any FavoriteRepository,
        storefront: AppStore.Storefront = .init(),
        options: ScreenOptions
    ) {
        self.repository = repository
        self.storefront = storefront
        let options = options.about(.appStore)
        let texts = options.texts
        app = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            AppDetails($0, texts: texts)
        }
        app.markFavorite(in: favorites) { Favorite($0) }
        store.addPart { state in
            let isExpandable = state.content.details?.description?.isExpandable == true
            if !isExpandable { state.isDescriptionExpanded = false }
            state.descriptionActionTitle = isExpandable ? texts(state.isDescriptionExpanded ? .collapse : .expand) : nil
        }
    }

    /// Shows an app that is known already, unless the screen shows it; sends no request.
    ///
    /// Call ``showIfNeeded(_:)-(AppStore.AppID)`` next, which looks the app up.
    public func showIfNeeded(_ preview: EntityPreview<AppStore.App>) {
        let id = preview.value.id
        guard state.content.details?.app.id != id else { return }
        requested = id
        store.update { [self] state in
            state = State()
            _ = app.begin(with: preview) { [repository, storefront] () throws(BrowseError) in
                try await repository.lookUp(.id(id), in: storefront.preferring(.id(id)))
            }
        }
    }

    /// Looks up an app; if it was looked up already, only retries a failed or canceled load.
    ///
    /// Call it whenever the screen appears, after
    /// ``showIfNeeded(_:)-(EntityPreview<AppStore.App>)`` if the app is known already.
    public func showIfNeeded(_ id: AppStore.AppID) async {
        if requested == id { await app.retry() } else { await show(.id(id)) }
    }

    /// Replaces the screen's content, and looks up an app.
    ///
    /// - Parameters:
    ///   - reference: The number, bundle identifier, or link of the app.
    ///   - storefront: The country and language; `nil` uses the country of the reference, or else
    ///     of the screen.
    public func show(_ reference: AppStore.AppReference, in storefront: AppStore.Storefront? = nil) async {
        let storefront = storefront ?? self.storefront.preferring(reference)
        requested = if case .id(let id) = reference { id } else { nil }
        await store.load { state in
            state = State()
            return app.begin { [repository] () throws(BrowseError) in
                try await repository.lookUp(reference, in: storefront)
            }
        }
    }

    /// Expands or collapses the description; does nothing for a short one.
    public func toggleDescription() { store.update { $0.isDescriptionExpanded.toggle() } }

    /// Returns the gallery, opened at a position that is clamped to the valid range; `nil` if it's
    /// empty.
    public func openScreenshot(at position: Int) -> Route? {
        guard let details = state.content.details, !details.screenshots.isEmpty else { return nil }
        let position = ScreenshotGallery(details.screenshots, at: position).position
        return .appStore(.screenshotGallery(details.app.id, position: position, preview: app.preview))
    }
}
