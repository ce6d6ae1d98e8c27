public import BrowseDomain
public import Observation

/// The screen where an app is looked up, or apps are searched for.
///
/// It asks when the person submits and not while they type: the shop takes about 20 requests a minute, which typing would
/// use up. What names no app is refused as it is typed, without any request.
@MainActor @Observable
public final class AppSearchViewModel: ViewModel {
    /// What becomes of the text.
    public enum Mode: Hashable, Sendable, CaseIterable {
        /// Apps are searched for by it.
        case search
        /// It names one app, by its number, its bundle identifier or a link.
        case lookUp
    }

    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What was typed.
        public var query: String = ""
        /// What becomes of the text.
        public var mode: Mode = .search
        /// Whose shop is asked.
        public var storefront: AppStore.Storefront = AppStore.Storefront()
        /// What is wrong with the text; `nil` when nothing is, or nothing was typed.
        public var hint: String?
        /// Whether ``AppSearchViewModel/submit()`` asks for something.
        public var canSubmit: Bool = false
        /// How much a search found, in words; `nil` before, and for an app that was looked up.
        public var summary: String?
        /// The rows, and what the list is doing.
        public var content: ListState<AppRow> = ListState()
        /// Something to tell beside the list, such as that a favourite could not be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// What the screen shows now.
    public private(set) var state: State = State() {
        didSet { broadcast.send(state, insteadOf: oldValue) }
    }

    @ObservationIgnored private let broadcast = Broadcast<State>()
    /// What the person chose, before it shows; together with what follows from it, it becomes one state.
    @ObservationIgnored private var input: Input
    /// What the rows are of, or will be.
    @ObservationIgnored private var shown: Request?
    @ObservationIgnored private let pages: PageLoader<Page<AppStore.App>, AppRow>
    @ObservationIgnored private let background = BackgroundWork()
    @ObservationIgnored private let lookUpApp: AppStore.LookUpApp
    @ObservationIgnored private let repository: any AppStore.AppRepository
    @ObservationIgnored private let marks: FavoriteMarks
    @ObservationIgnored private var notice: Message?
    @ObservationIgnored private let texts: Texts
    @ObservationIgnored private let resultLimit: Int

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - lookUpApp: Finds one app.
    ///   - repository: Where searches are sent.
    ///   - favorites: Where favourites are kept.
    ///   - storefront: Whose shop is asked at first.
    ///   - texts: The language.
    ///   - policy: Which of what was read before may be shown.
    ///   - resultLimit: The most results of a search, 1 to `AppStore.searchResultLimit`.
    public init(
        lookUpApp: AppStore.LookUpApp,
        repository: any AppStore.AppRepository,
        favorites: any FavoriteRepository,
        storefront: AppStore.Storefront = AppStore.Storefront(),
        texts: Texts,
        policy: LoadPolicy = .fresh,
        resultLimit: Int = 50
    ) {
        let texts = texts.about(.appStore)
        self.lookUpApp = lookUpApp
        self.repository = repository
        self.texts = texts
        let marks = FavoriteMarks(repository: favorites)
        self.marks = marks
        self.resultLimit = resultLimit
        pages = PageLoader(prefetchDistance: 0, policy: policy)
        input = Input(storefront: storefront)
        state.storefront = storefront
        pages.accept = { page, _ in
            page.map { AppRow($0, isFavorite: marks.contains(.app($0.id)), texts: texts) }
        }
        pages.didChange = { [weak self] in self?.publish() }
        marks.didChange = { [weak self] ids in self?.mark(ids) }
    }

    /// The states from now on, the current one first.
    public func states(_ delivery: StateDelivery) -> AsyncStream<State> {
        broadcast.stream(delivery, startingWith: state)
    }
}

extension AppSearchViewModel {
    /// What the person typed; setting it checks it, and a blank one clears the results and drops what is on its way.
    public var query: String {
        get { state.query }
        set {
            input.query = newValue
            if newValue.allSatisfy(\.isWhitespace) { clear() }
            check(complainsAboutNothing: false)
            publish()
        }
    }

    /// What becomes of the text; setting it checks the text, and clears the results of the other mode.
    public var mode: Mode {
        get { state.mode }
        set {
            guard newValue != input.mode else { return }
            input.mode = newValue
            clear()
            check(complainsAboutNothing: false)
            publish()
        }
    }

    /// Whose shop is asked; setting it asks again at once for what is shown.
    public var storefront: AppStore.Storefront {
        get { state.storefront }
        set {
            guard newValue != input.storefront else { return }
            input.storefront = newValue
            guard let shown else { return publish() }
            let load = begin(shown)
            background.run { await load() }
        }
    }

    /// Looks up or searches at once; when there is nothing to ask for it clears the results, and hints why.
    ///
    /// What was on its way before is cancelled, and dropped if it comes.
    public func submit() async {
        guard let request = check(complainsAboutNothing: true) else {
            clear()
            return publish()
        }
        async let marksAreKnown: Void = marks.follow()
        await begin(request)()
        await marksAreKnown
    }

    /// Keeps the app of a row as a favourite, or forgets it, as the opposite of what its mark shows.
    ///
    /// The mark changes at once; when it cannot be stored it changes back, with a notice.
    public func toggleFavorite(at position: Int) async {
        let failure = await marks.toggle(at: position, in: state.content.rows)
        notice = failure.map(texts.message(for:))
        publish()
    }

    /// Asks again after a failure; does nothing when there was none.
    public func retry() async {
        await pages.retry()
    }

    /// Goes on to the page of an app; `nil` when there is no such row.
    public func select(at position: Int) -> Route? {
        guard state.content.rows.indices.contains(position) else { return nil }
        return .app(state.content.rows[position].app)
    }
}

extension AppSearchViewModel {
    private struct Input {
        var query = ""
        var mode = Mode.search
        var storefront: AppStore.Storefront
        var hint: String?
        var canSubmit = false
    }

    private enum Request {
        case search(AppStore.SearchTerm)
        case lookUp(AppStore.AppReference)
    }

    /// Checks the text, and notes what is wrong with it.
    @discardableResult
    private func check(complainsAboutNothing: Bool) -> Request? {
        input.hint = nil
        input.canSubmit = false
        switch input.mode {
        case .search:
            guard let term = try? AppStore.SearchTerm(input.query) else { return nil }
            input.canSubmit = true
            return .search(term)
        case .lookUp:
            do throws(AppStore.AppReference.Refusal) {
                let reference = try AppStore.AppReference(input.query)
                input.canSubmit = true
                return .lookUp(reference)
            } catch {
                if error != .empty || complainsAboutNothing { input.hint = texts.refusal(error) }
                return nil
            }
        }
    }

    private func mark(_ ids: Set<Favorite.ID>?) {
        pages.list.mark(ids, by: marks)
        publish()
    }

    private func begin(_ request: Request) -> PageLoad {
        notice = nil
        shown = request
        let storefront = input.storefront
        let load: PageLoad
        switch request {
        case .search(let term):
            load = pages.restart { [repository, resultLimit] _ throws(BrowseError) in
                try await repository.search(for: term, in: storefront, limit: resultLimit)
            }
        case .lookUp(let reference):
            load = pages.restart { [lookUpApp] _ throws(BrowseError) in
                Page(items: [try await lookUpApp(reference, in: storefront)])
            }
        }
        publish()
        return load
    }

    private func clear() {
        shown = nil
        pages.clear()
    }

    /// Shows everything as it is now, as one state.
    private func publish() {
        var state = State()
        state.query = input.query
        state.mode = input.mode
        state.storefront = input.storefront
        state.hint = input.hint
        state.canSubmit = input.canSubmit
        state.notice = notice
        switch shown {
        case .search(let term):
            state.content = ListState(pages.list, texts: texts, empty: texts.noResults(for: term.text))
            if state.content.status == .ready { state.summary = texts(.resultCount(state.content.loadedCount)) }
        case .lookUp(let reference):
            state.content = ListState(pages.list, texts: texts, empty: texts.noResults(for: "\(reference)"))
        case nil: break
        }
        self.state = state
    }
}
