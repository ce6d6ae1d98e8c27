public import BrowseAppStoreDomain
@_spi(Services) import BrowseDomain
@_spi(Services) public import BrowsePresentation

/// A screen that searches for apps, or looks one up.
///
/// Typing sends no request: the App Store accepts about 20 a minute. Invalid references are
/// reported as they are typed.
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

    /// The text, how it's interpreted, and where apps are searched for.
    public struct Query: Hashable, Sendable {
        /// The text that the person typed.
        public var text: String = ""
        /// The way the text is interpreted.
        public var mode: Mode = .search
        /// The country and language of the App Store; `nil` uses those of the container.
        public var storefront: AppStore.Storefront? { didSet { chosenFor = text } }
        /// The text for which the storefront was chosen; a link that is pasted later has its own.
        fileprivate var chosenFor: String?

        /// Creates an empty query.
        public init() {}

        /// Returns the fields of a query.
        static func fields(in texts: Texts) -> [QueryField<Query>] {
            let modes = [("search", texts(.byName), Mode.search), ("look-up", texts(.byReference), .lookUp)]
            return [.text("q", texts(.searchText), \.text), .choice("mode", texts(.mode), \.mode, modes)]
        }
    }

    /// The state of the screen; an app that was looked up has no number of results.
    ///
    /// Neither has a search with more results than it shows, but its summary says so.
    public typealias State = SearchState<Query, AppRow>

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }
    /// The intents of the list.
    public var list: ListControls<AppRow> { search.results.controls }

    private let store = StateStore(State(Query()))
    private let search: SearchController<Query, Request, AppRow>
    private let ownStorefront: AppStore.Storefront

    private struct Request: Equatable {
        enum Subject: Equatable {
            case apps(matching: AppStore.SearchTerm)
            case app(AppStore.AppReference)
        }

        var subject: Subject
        var storefront: AppStore.Storefront
    }

    /// Creates the screen. A search has 1 to 200 results.
    package init(
        repository: any AppStore.AppRepository,
        storefront: AppStore.Storefront = AppStore.Storefront(),
        options: ScreenOptions,
        resultLimit: Int = 50
    ) {
        let options = options.about(.appStore).withInput()
        let texts = options.texts
        ownStorefront = storefront
        let results = ListController(in: store, at: \.content, notice: \.notice, options: options)
        search = SearchController(
            results,
            in: store,
            title: texts(Self.title),
            fields: Query.fields(in: texts),
            searchesWhileTyping: false
        ) { query, hint in
            let storefront = query.storefront ?? storefront
            func request(_ reference: AppStore.AppReference) -> Request {
                let link = query.chosenFor.map { TypedText($0).withoutCredentials.text }
                let isChosen = query.storefront != nil && link == query.text
                let place = isChosen ? storefront : storefront.preferring(reference)
                return Request(subject: .app(reference), storefront: place)
            }
            do throws(AppStore.AppReference.ValidationError) {
                if query.mode == .lookUp { return request(try AppStore.AppReference(query.text)) }
            } catch {
                hint = texts(.appReference(error))
                return nil
            }
            if let reference = AppStore.AppReference(linkIn: query.text) { return request(reference) }
            do throws(AppStore.SearchTerm.ValidationError) {
                return Request(subject: .apps(matching: try AppStore.SearchTerm(query.text)), storefront: storefront)
            } catch {
                if case .tooLong(let excess) = error { hint = texts(.searchTooLong(by: excess)) }
                return nil
            }
        } begin: { request in
            let text =
                switch request.subject {
                case .apps(let term): term.text
                case .app(let reference): "\(reference)"
                }
            return results.begin(empty: texts.noResults(for: text)) { _ throws(BrowseError) in
                switch request.subject {
                case .apps(let term):
                    var page = try await repository.search(for: term, in: request.storefront, limit: resultLimit)
                    // The number of rows is a total below the limit only.
                    let count = Set(page.items.map(\.id)).count
                    let isAll = page.items.count + page.skipped.count < resultLimit
                    page.totalCount = isAll && count > 0 ? count : nil
                    return page
                case .app(let reference):
                    return Page(items: [try await repository.lookUp(reference, in: request.storefront)])
                }
            } row: {
                AppRow($0, texts: texts)
            }
        }
        store.addPart { state in
            let count = state.content.loadedCount
            if state.totalCount == nil, count + state.content.skippedCount >= resultLimit {
                state.summary = texts(.firstResults(count))
            }
        }
    }

    /// The query; setting it checks the text, and blank text or another mode clears the results.
    ///
    /// Another storefront loads the results again at once.
    public var query: Query {
        get { search.query }
        set {
            let before = storefront
            search.query = newValue
            // The chosen country replaces that of a link.
            if storefront != before { search.restart { $0.storefront = storefront } }
        }
    }

    /// The country and language of the App Store; see ``query``.
    public var storefront: AppStore.Storefront {
        get { query.storefront ?? ownStorefront }
        set { query.storefront = newValue }
    }

    /// Searches or looks up at once; text that can't be submitted clears the results, with a hint.
    ///
    /// If the same request is in flight, waits for it.
    public func submit() async { await search.submit() }
}
