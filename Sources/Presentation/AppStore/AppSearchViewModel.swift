public import BrowseAppStoreDomain
package import BrowseDomain
public import BrowsePresentation

/// A screen that searches for apps, or looks one up.
///
/// Typing sends no request: the App Store accepts about 20 a minute. Invalid references are reported as they are typed.
@MainActor
public final class AppSearchViewModel: SearchViewModel {
    /// The title of the screen.
    public nonisolated static let title: Phrase = .apps

    /// The way the text is interpreted.
    public enum Mode: Hashable, Sendable {
        /// A search term; a link to an app is looked up.
        case search
        /// A reference to one app: its number, its bundle identifier, or a link.
        case lookUp
    }

    /// The text, and how it's interpreted.
    public struct Query: Hashable, Sendable {
        /// The text that the person typed.
        public var text: String = ""
        /// The way the text is interpreted.
        public var mode: Mode = .search

        /// Creates an empty query.
        public init() {}

        /// Returns the fields of a query.
        static func fields(in texts: Texts) -> [QueryField<Query>] {
            let modes = [("search", texts(.byName), Mode.search), ("look-up", texts(.byReference), .lookUp)]
            return [.text("q", texts(.searchText), \.text), .choice("mode", texts(.mode), \.mode, modes)]
        }
    }

    /// The state of the screen.
    public struct State: SearchScreenState {
        /// The title of the screen.
        public var title: String = ""
        /// The text, and how it's interpreted.
        public var query: Query = Query()
        /// The fields of the query.
        public var fields: [QueryField<Query>] = []
        /// The country and language of the App Store.
        public var storefront: AppStore.Storefront = AppStore.Storefront()
        /// The reason why the text can't be submitted; `nil` for valid text.
        ///
        /// An empty field has none until it's submitted.
        public var hint: String?
        /// Whether ``AppSearchViewModel/submit()`` sends a request.
        public var canSubmit: Bool = false
        /// The localized number of search results; `nil` before them, and for an app that was looked up.
        public var summary: String?
        /// The rows and the status of the list.
        public var content: ListState<AppRow> = ListState()
        /// A message beside the list, such as that a favorite couldn't be stored.
        public var notice: Message?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<AppRow> { results.controls }

    private let store = StateStore(State())
    private let results: ListController<AppRow>
    /// The request for the rows.
    private var shown: Request?
    private let repository: any AppStore.AppRepository
    private let texts: Texts
    private let resultLimit: Int

    /// Creates the screen. A search has 1 to 200 results.
    package init(
        repository: any AppStore.AppRepository,
        favorites: any FavoriteRepository,
        storefront: AppStore.Storefront = AppStore.Storefront(),
        options: ScreenOptions,
        resultLimit: Int = 50
    ) {
        let options = options.about(.appStore).withInput()
        self.repository = repository
        texts = options.texts
        self.resultLimit = resultLimit
        results = ListController(in: store, at: \.content, notice: \.notice, options: options)
        results.markFavorites(in: favorites)
        store.update { state in
            state.title = texts(Self.title)
            state.fields = Query.fields(in: texts)
            state.storefront = storefront
        }
        store.addPart { [weak self] state in
            guard case .search = self?.shown, state.content.status == .ready else { return state.summary = nil }
            state.summary = options.texts(.resultCount(state.content.loadedCount))
        }
    }

    /// The query; setting it checks the text, and blank text or another mode clears the results.
    public var query: Query {
        get { state.query }
        set {
            // A text field can write the same text back, which keeps the hint of a submission.
            guard newValue != state.query else { return }
            store.update { state in
                let clears = newValue.mode != state.query.mode || TypedText(newValue.text).isEmpty
                state.query = newValue
                if clears { clear() }
                request(&state)
            }
        }
    }

    /// The country and language of the App Store; setting it loads the results again at once.
    public var storefront: AppStore.Storefront {
        get { state.storefront }
        set {
            guard newValue != state.storefront else { return }
            store.update { state in
                state.storefront = newValue
                // The chosen country replaces that of a link.
                if case .lookUp(.id(let id)) = shown { shown = .lookUp(.id(AppStore.AppID(id.number))) }
                if let shown { begin(shown, &state).keep() }
            }
        }
    }

    /// Searches or looks up at once; text that can't be submitted clears the results, with a hint.
    public func submit() async {
        let load = store.update { state -> ScreenLoad? in
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

    /// Checks the text; returns `nil`, with a hint, if it can't be submitted.
    @discardableResult
    private func request(_ state: inout State, explainsEmpty: Bool = false) -> Request? {
        (state.hint, state.canSubmit) = (nil, false)
        switch state.query.mode {
        case .search:
            if let reference = AppStore.AppReference(linkIn: state.query.text) {
                state.canSubmit = true
                return .lookUp(reference)
            }
            guard let term = try? AppStore.SearchTerm(state.query.text) else {
                state.hint = explainsEmpty ? texts(.blankSearch) : nil
                return nil
            }
            state.canSubmit = true
            return .search(term)
        case .lookUp:
            do throws(AppStore.AppReference.ValidationError) {
                let reference = try AppStore.AppReference(state.query.text)
                state.canSubmit = true
                return .lookUp(reference)
            } catch {
                if error != .empty || explainsEmpty { state.hint = texts(.appReference(error)) }
                return nil
            }
        }
    }

    private func begin(_ request: Request, _ state: inout State) -> ScreenLoad {
        state.notice = nil
        shown = request
        let storefront = state.storefront
        let text =
            switch request {
            case .search(let term): term.text
            case .lookUp(let reference): "\(reference)"
            }
        return results.begin(empty: texts.noResults(for: text)) {
            [repository, resultLimit] _ throws(BrowseError) in
            switch request {
            case .search(let term): try await repository.search(for: term, in: storefront, limit: resultLimit)
            case .lookUp(let reference):
                Page(items: [try await repository.lookUp(reference, in: storefront.preferring(reference))])
            }
        } row: { [texts] in
            AppRow($0, texts: texts)
        }
    }

    private func clear() {
        shown = nil
        results.clear()
    }
}
