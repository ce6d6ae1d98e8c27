public import BrowseDomain

/// The screen where an app is looked up, or apps are searched for.
///
/// It asks when the person submits and not while they type: the shop takes about 20 requests a minute, which typing would
/// use up. What names no app is refused as it is typed, without any request.
@MainActor
public final class AppSearchViewModel: ListViewModel {
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
        /// Something to tell beside the list, such as that a favorite could not be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list.
    public var list: ListControls<AppRow> { results.controls }

    private let store = StateStore(State())
    private let results: ListController<AppRow>
    /// What the rows are of, or will be.
    private var shown: Request?
    private let background = BackgroundWork()
    private let lookUpApp: AppStore.LookUpApp
    private let repository: any AppStore.AppRepository
    private let texts: Texts
    private let resultLimit: Int

    /// Creates the screen.
    ///
    /// - Parameters:
    ///   - lookUpApp: Finds one app.
    ///   - repository: Where searches are sent.
    ///   - favorites: Where favorites are stored.
    ///   - storefront: The first storefront.
    ///   - texts: The language.
    ///   - policy: When cached data may be shown.
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
        self.resultLimit = resultLimit
        results = ListController(
            in: store,
            at: \.content,
            notice: \.notice,
            texts: texts,
            policy: policy,
            prefetchDistance: 0
        )
        results.markFavorites(in: favorites)
        store.state.storefront = storefront
        store.addPart { [weak self] state in
            guard case .search = self?.shown, state.content.status == .ready else { return state.summary = nil }
            state.summary = texts(.resultCount(state.content.loadedCount))
        }
    }

    /// What the person typed; setting it checks it, and a blank one clears the results and cancels their load.
    public var query: String {
        get { state.query }
        set {
            store.update { state in
                state.query = newValue
                if newValue.allSatisfy(\.isWhitespace) { clear() }
                request(&state)
            }
        }
    }

    /// How the text is interpreted; setting it checks the text, and clears the results of the other mode.
    public var mode: Mode {
        get { state.mode }
        set {
            guard newValue != state.mode else { return }
            store.update { state in
                state.mode = newValue
                clear()
                request(&state)
            }
        }
    }

    /// Which storefront is searched; setting it searches again at once for what is shown.
    public var storefront: AppStore.Storefront {
        get { state.storefront }
        set {
            guard newValue != state.storefront else { return }
            store.update { state in
                state.storefront = newValue
                guard let shown else { return }
                let load = begin(shown, &state)
                background.run { await load() }
            }
        }
    }

    /// Looks up or searches at once; when there is nothing to look for it clears the results, with a hint.
    public func submit() async {
        let load = store.update { state -> ListLoad? in
            guard let request = request(&state, explainsEmpty: true) else {
                clear()
                return nil
            }
            return begin(request, &state)
        }
        await load?()
    }
}

extension AppSearchViewModel {
    private enum Request {
        case search(AppStore.SearchTerm)
        case lookUp(AppStore.AppReference)
    }

    /// Checks the text, and explains what is wrong with it.
    @discardableResult
    private func request(_ state: inout State, explainsEmpty: Bool = false) -> Request? {
        (state.hint, state.canSubmit) = (nil, false)
        switch state.mode {
        case .search:
            guard let term = try? AppStore.SearchTerm(state.query) else { return nil }
            state.canSubmit = true
            return .search(term)
        case .lookUp:
            do throws(AppStore.AppReference.ValidationError) {
                let reference = try AppStore.AppReference(state.query)
                state.canSubmit = true
                return .lookUp(reference)
            } catch {
                if error != .empty || explainsEmpty { state.hint = texts.hint(for: error) }
                return nil
            }
        }
    }

    private func begin(_ request: Request, _ state: inout State) -> ListLoad {
        state.notice = nil
        shown = request
        let storefront = state.storefront
        switch request {
        case .search(let term):
            return results.begin(empty: texts.noResults(for: term.text)) {
                [repository, resultLimit] _ throws(BrowseError) in
                try await repository.search(for: term, in: storefront, limit: resultLimit)
            } row: { [texts] in
                AppRow($0, texts: texts)
            }
        case .lookUp(let reference):
            return results.begin(empty: texts.noResults(for: "\(reference)")) { [lookUpApp] _ throws(BrowseError) in
                Page(items: [try await lookUpApp(reference, in: storefront)])
            } row: { [texts] in
                AppRow($0, texts: texts)
            }
        }
    }

    private func clear() {
        shown = nil
        results.clear()
    }
}
