public import BrowseDomain
public import Observation

/// The screen with an app's page.
@MainActor @Observable
public final class AppDetailViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What the screen is doing.
        public enum Status: Equatable, Sendable {
            /// Nothing was asked for yet.
            case idle
            /// The app is on its way.
            case loading
            /// The app is there.
            case loaded(AppDetails)
            /// The app did not come.
            case failed(Message)
        }

        /// What the screen is doing.
        public var status: Status = .idle
        /// Whether the app is a favourite.
        public var isFavorite: Bool = false
        /// Something to tell beside the page, such as that a favourite could not be stored.
        public var notice: Message?
        /// Whether all of the description is shown.
        public var isDescriptionUnfolded: Bool = false
        /// The words for what folds or unfolds the description; `nil` when it is short, or not there.
        public var descriptionActionTitle: String?
        /// Where what is shown came from; `nil` while nothing is.
        public var provenance: Provenance?
        /// From when what is shown is, in words; `nil` when it is as the server has it.
        public var age: String?

        /// Creates the state of a screen that shows nothing yet.
        public init() {}

        /// The app's page; `nil` while it is not there.
        public var details: AppDetails? {
            if case .loaded(let details) = status { details } else { nil }
        }

        /// The description as it is to be shown now, its beginning or all of it; `nil` when there is none.
        public var description: String? {
            details?.description.map { isDescriptionUnfolded ? $0.text : $0.preview }
        }
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    @ObservationIgnored private let loads = TaskSlot()
    @ObservationIgnored private var loadCount = 0
    @ObservationIgnored private var request: (reference: AppStore.AppReference, storefront: AppStore.Storefront)?
    @ObservationIgnored private let background = BackgroundWork()
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private let lookUpApp: AppStore.LookUpApp
    @ObservationIgnored private let storefront: AppStore.Storefront
    @ObservationIgnored private let texts: Texts
    @ObservationIgnored private let policy: LoadPolicy

    /// Creates the screen; ``show(_:)`` or ``show(_:in:)`` fills it.
    ///
    /// - Parameters:
    ///   - lookUpApp: Finds an app.
    ///   - favorites: Where favourites are kept.
    ///   - storefront: Whose shop is asked, unless told otherwise.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    public init(
        lookUpApp: AppStore.LookUpApp,
        favorites: any FavoriteRepository,
        storefront: AppStore.Storefront = .init(),
        texts: Texts,
        policy: LoadPolicy = .fresh
    ) {
        self.lookUpApp = lookUpApp
        self.storefront = storefront
        self.policy = policy
        self.texts = texts.about(.appStore)
        marks = FavoriteMarks(repository: favorites)
        marks.didChange = { [weak self] _ in self?.publish() }
        loads.waitDidChange = { [weak self] in
            guard let self else { return }
            state.notice.showWait(until: loads.waitEnd, texts: self.texts)
        }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension AppDetailViewModel {
    /// Shows an app that is there already, as a search brings it; nothing is asked for.
    ///
    /// What was on its way is cancelled, and dropped if it comes. The mark shows as soon as it is known.
    public func show(_ app: AppStore.App) {
        request = nil
        loadCount += 1
        loads.cancel()
        show(.success(Loaded(app, .fresh)))
        background.run { [marks] in await marks.follow() }
    }

    /// Starts over with an app that is looked up; what was on its way for another is cancelled, and dropped if it comes.
    ///
    /// - Parameters:
    ///   - reference: Which app.
    ///   - storefront: Whose shop; `nil` is the one that the screen was made with.
    public func show(_ reference: AppStore.AppReference, in storefront: AppStore.Storefront? = nil) async {
        await load(reference, in: storefront ?? self.storefront)
    }

    /// Looks the same app up again; does nothing when none was looked up.
    public func retry() async {
        guard let request else { return }
        await load(request.reference, in: request.storefront)
    }

    /// Keeps the app as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice. Does nothing while the app is not
    /// there.
    public func toggleFavorite() async {
        guard let app = state.details?.app else { return }
        let failure = await marks.toggle(.app(app), shownAs: state.isFavorite)
        state.notice = failure.map(texts.message(for:))
    }

    /// Shows all of the description, or its beginning alone again; does nothing for one that is short.
    public func toggleDescription() {
        guard state.details?.description?.isFoldable == true else { return }
        var state = state
        state.isDescriptionUnfolded.toggle()
        state.descriptionActionTitle = texts(state.isDescriptionUnfolded ? .fold : .unfold)
        self.state = state
    }

    /// Goes on to the pictures, the one at a position first; `nil` when there are none.
    ///
    /// - Parameter position: A position before the first or behind the last counts as the nearest of them.
    public func openScreenshot(at position: Int) -> Route? {
        guard let screenshots = state.details?.screenshots, !screenshots.isEmpty else { return nil }
        return .screenshotGallery(ScreenshotGallery(screenshots, at: position))
    }

    /// Goes to the app's page in the shop; `nil` while the app is not there.
    public func openStorePage() -> Route? {
        state.details.map { .webPage($0.main.share.link) }
    }

    /// Goes to the developer's page in the shop; `nil` when there is none that can be opened.
    public func openDeveloperPage() -> Route? {
        guard let page = state.details?.app.developer?.storePage, page.url != nil else { return nil }
        return .webPage(page)
    }

    private func load(_ reference: AppStore.AppReference, in storefront: AppStore.Storefront) async {
        request = (reference, storefront)
        loadCount += 1
        let number = loadCount
        var loading = State()
        loading.status = .loading
        state = loading

        async let marksAreKnown: Void = marks.follow()
        let result = await loads.load(policy) { [lookUpApp] () throws(BrowseError) in
            try await lookUpApp(reference, in: storefront)
        } kept: { [weak self] kept in
            if self?.loadCount == number { self?.show(.success(kept)) }
        }
        if number == loadCount { show(result) }
        await marksAreKnown
    }

    private func show(_ result: Result<Loaded<AppStore.App>, BrowseError>) {
        let isThere = state.details != nil
        var state = State()
        switch result {
        case .success(let app):
            let details = AppDetails(app.value, texts: texts)
            state.status = .loaded(details)
            state.provenance = app.provenance
            state.age = texts.age(of: app.provenance)
            if details.description?.isFoldable == true {
                // What the person has unfolded stays so when the server sends the same app.
                let isUnfolded = self.state.details?.app.id == app.value.id && self.state.isDescriptionUnfolded
                state.isDescriptionUnfolded = isUnfolded
                state.descriptionActionTitle = texts(isUnfolded ? .fold : .unfold)
            }
        case .failure(.cancelled):
            if isThere { state = self.state }
        // What is gone is not shown any more; else what was kept stays.
        case .failure(let error) where isThere && !error.isNotFound:
            state = self.state
            state.notice = texts.message(for: error)
        case .failure(let error): state.status = .failed(texts.message(for: error))
        }
        publish(state)
    }

    /// Shows a state, or the one that is shown already, with the mark as it is now.
    private func publish(_ state: State? = nil) {
        var state = state ?? self.state
        state.isFavorite = state.details.map { marks.contains(.app($0.app.id)) } ?? false
        self.state = state
    }
}
