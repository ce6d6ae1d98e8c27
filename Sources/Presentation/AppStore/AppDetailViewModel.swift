public import BrowseDomain

/// The screen with an app's page.
@MainActor
public final class AppDetailViewModel: FavoriteDetailViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// The app's page, and what the screen is doing.
        public var content: DetailState<AppDetails> = DetailState()
        /// Whether the app is a favorite.
        public var isFavorite: Bool = false
        /// Something to tell beside the page, such as that a favorite could not be stored.
        public var notice: Message?
        /// Whether all of the description is shown.
        public var isDescriptionUnfolded: Bool = false
        /// The words for what folds or unfolds the description; `nil` when it is short, or not there.
        public var descriptionActionTitle: String?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}

        /// The description as it is to be shown now, its beginning or all of it; `nil` when there is none.
        public var description: String? {
            content.details?.description.map { isDescriptionUnfolded ? $0.text : $0.preview }
        }
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the app.
    public var detail: DetailControls<AppStore.App> { app.controls }

    private let store = StateStore(State())
    private let app: DetailController<AppStore.App, AppDetails>
    private let background = BackgroundWork()
    private let lookUpApp: AppStore.LookUpApp
    private let storefront: AppStore.Storefront

    /// Creates the screen; ``show(_:)`` or ``show(_:in:)`` fills it.
    ///
    /// - Parameters:
    ///   - lookUpApp: Finds an app.
    ///   - favorites: Where favorites are stored.
    ///   - storefront: The default storefront.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
    public init(
        lookUpApp: AppStore.LookUpApp,
        favorites: any FavoriteRepository,
        storefront: AppStore.Storefront = .init(),
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.lookUpApp = lookUpApp
        self.storefront = storefront
        let texts = texts.about(.appStore)
        app = DetailController(in: store, at: \.content, notice: \.notice, texts: texts, policy: policy) {
            AppDetails($0, texts: texts)
        }
        app.markFavorite(in: favorites, store: store, at: \.isFavorite) { .app($0) }
        store.addPart { state in
            let isFoldable = state.content.details?.description?.isFoldable == true
            if !isFoldable { state.isDescriptionUnfolded = false }
            state.descriptionActionTitle = isFoldable ? texts(state.isDescriptionUnfolded ? .fold : .unfold) : nil
        }
    }

    /// Shows an app that is loaded already, as a search returns it; nothing is requested.
    ///
    /// The mark shows as soon as it is known.
    public func show(_ app: AppStore.App) {
        let load = store.update { state in
            state = State()
            return self.app.begin(with: app)
        }
        background.run { await load() }
    }

    /// Starts over with an app that is looked up.
    ///
    /// - Parameters:
    ///   - reference: Which app.
    ///   - storefront: Which storefront; `nil` is the one that the screen was created with.
    public func show(_ reference: AppStore.AppReference, in storefront: AppStore.Storefront? = nil) async {
        let storefront = storefront ?? self.storefront
        let load = store.update { state in
            state = State()
            return app.begin { [lookUpApp] () throws(BrowseError) in try await lookUpApp(reference, in: storefront) }
        }
        await load()
    }

    /// Shows all of the description, or only its beginning again; does nothing for a short one.
    public func toggleDescription() {
        store.state.isDescriptionUnfolded.toggle()
    }

    /// Goes on to the pictures, the one at a position first; `nil` when there are none.
    ///
    /// - Parameter position: A position before the first or behind the last counts as the nearest of them.
    public func openScreenshot(at position: Int) -> Route? {
        guard let screenshots = state.content.details?.screenshots, !screenshots.isEmpty else { return nil }
        return .screenshotGallery(ScreenshotGallery(screenshots, at: position))
    }

    /// Goes to the app's page in the shop; `nil` while the app is not there.
    public func openStorePage() -> Route? {
        state.content.details.map { .webPage($0.main.share.link) }
    }

    /// Goes to the developer's page in the shop; `nil` when there is none that can be opened.
    public func openDeveloperPage() -> Route? {
        guard let page = state.content.details?.app.developer?.storePage, page.url != nil else { return nil }
        return .webPage(page)
    }
}
