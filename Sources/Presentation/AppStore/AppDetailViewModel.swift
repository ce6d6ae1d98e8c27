public import BrowseAppStoreDomain
import BrowseDomain
public import BrowsePresentation

/// A screen with the product page of an app, or with its screenshots, one at a time.
///
/// Both load the same app; a position makes it the gallery of the screenshots.
@MainActor
public final class AppDetailViewModel: DetailViewModel {
    /// The state of the screen.
    public struct State: DetailScreenState {
        /// The page and its status.
        public var content: DetailState<AppDetails> = DetailState()
        /// A message beside the page, such as that a favorite couldn't be stored.
        public var notice: Message?
        /// The requested position of the gallery, which isn't clamped; `nil` on the product page.
        var position: Int?
        /// Whether the entire description is shown.
        var isDescriptionExpanded: Bool = false
        /// The title of the button that expands or collapses the description; `nil` for a short
        /// one.
        public var descriptionActionTitle: String?

        /// The name of the app; empty until it's loaded. In the gallery, the localized position,
        /// such as `2 of 5`; empty without screenshots.
        public var title: String = ""
        /// The entire description or its beginning, as the person chose; `nil` if there is none.
        public var description: String? {
            content.details?.description.map { isDescriptionExpanded ? $0.text : $0.preview }
        }
        /// The screenshots and the position of the current one.
        public var gallery: ScreenshotGallery {
            ScreenshotGallery(content.details?.screenshots ?? [], at: position ?? 0)
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

    /// Creates the screen; ``show(_:in:at:)`` loads it, from this storefront by default.
    package init(
        repository: any AppStore.AppRepository,
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
        store.addPart { state in
            let isExpandable = state.content.details?.description?.isExpandable == true
            if !isExpandable { state.isDescriptionExpanded = false }
            state.descriptionActionTitle = isExpandable ? texts(state.isDescriptionExpanded ? .collapse : .expand) : nil
            state.title = state.content.details?.main.name ?? ""
            guard state.position != nil else { return }
            let gallery = state.gallery
            let count = gallery.screenshots.count
            state.title = count > 0 ? texts(.screenshotPosition(gallery.position + 1, of: count)) : ""
        }
    }

    /// Shows an app that is known already, unless the screen shows it; sends no request.
    ///
    /// Call ``showIfNeeded(_:at:)-(AppStore.AppID,_)`` next, which looks the app up. It does
    /// nothing if that has failed before, since the store may not have the app.
    ///
    /// - Parameters:
    ///   - preview: The app, such as that of a row.
    ///   - position: The first position of the gallery, clamped to the valid range; `nil` shows the
    ///     product page.
    public func showIfNeeded(_ preview: EntityPreview<AppStore.App>, at position: Int? = nil) {
        let id = preview.value.id
        guard requested != id, state.content.details?.app.id != id else { return }
        requested = id
        store.update { [self] state in
            state = State()
            state.position = position
            _ = app.begin(with: preview) { [repository, storefront] () throws(BrowseError) in
                try await repository.lookUp(.id(id), in: storefront.preferring(.id(id)))
            }
        }
    }

    /// Looks up an app; if it was looked up already, only retries a failed or canceled load.
    ///
    /// Call it whenever the screen appears, after
    /// ``showIfNeeded(_:at:)-(EntityPreview<AppStore.App>,_)`` if the app is known already.
    public func showIfNeeded(_ id: AppStore.AppID, at position: Int? = nil) async {
        if requested == id { await app.retry() } else { await show(.id(id), at: position) }
    }

    /// Replaces the screen's content, and looks up an app.
    ///
    /// - Parameters:
    ///   - reference: The number, bundle identifier, or link of the app.
    ///   - storefront: The country and language; `nil` uses the country of the reference, or else
    ///     of the screen.
    ///   - position: The first position of the gallery, clamped to the valid range; `nil` shows the
    ///     product page.
    public func show(
        _ reference: AppStore.AppReference,
        in storefront: AppStore.Storefront? = nil,
        at position: Int? = nil
    ) async {
        let storefront = storefront ?? self.storefront.preferring(reference)
        requested = if case .id(let id) = reference { id } else { nil }
        await store.load { state in
            state = State()
            state.position = position
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

    /// Shows the screenshot at a position, clamped to the valid range.
    public func go(to position: Int) {
        store.update { state in
            // Until the app is loaded, its number of screenshots isn't known.
            let screenshots = state.content.details?.screenshots
            state.position = screenshots.map { ScreenshotGallery($0, at: position).position } ?? position
        }
    }

    /// Shows the next screenshot, if there is one.
    public func next() { go(to: state.gallery.position + 1) }

    /// Shows the previous screenshot, if there is one.
    public func previous() { go(to: state.gallery.position - 1) }
}
