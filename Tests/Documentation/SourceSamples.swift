import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// The samples in comments of Sources.

nonisolated struct Greeter {
    let texts: Texts
}

private nonisolated enum KitSamples {
    @MainActor
    static func container() async {
        let container = Container(Configuration().with { $0.locale = Locale(identifier: "ko_KR") })
        let favorites = container.favoriteListViewModel()
        await favorites.show()
    }
}

private func container(of id: String, in folder: URL, site: Container) {
    let visitor = site.container(
        for: UserStores(folder: folder.appending(path: id)),
        locale: Locale(identifier: "ko_KR")
    )
    _ = visitor
}

nonisolated extension Container {
    var greeter: Dependency<Greeter> {
        dependency(.localized) { Greeter(texts: $0.texts()) }
    }
}

private nonisolated enum EndpointSamples {
    static let books =
        Endpoint<Page<String>>(.path("/books")) { response in
            Page(items: try response.json([String].self), linkedBy: response)
        }
}

private nonisolated struct ISBN {
    let text: String
    var isValid: Bool { [10, 13].contains(text.count) }
}

nonisolated extension EndpointPath.StringInterpolation {
    fileprivate mutating func appendInterpolation(_ isbn: ISBN) {
        appendInterpolation(isbn.text, isValid: isbn.isValid)
    }
}

private nonisolated enum LoadSamples {
    static func kept(_ login: GitHub.Login, in repository: any GitHub.UserRepository) async throws {
        var options = LoadOptions()
        options.source = .cacheOnly
        let profile = try await options.load { () throws(BrowseError) in
            try await repository.profile(of: login)
        }
        print(profile.value, profile.provenance)
    }

    static func both(_ login: GitHub.Login, from repository: any GitHub.UserRepository) async throws {
        let profile = try await LoadPolicy.cachedFirst.load { () throws(BrowseError) in
            try await repository.profile(of: login)
        } cached: { profile in
            print("at first:", profile.provenance, profile.value)
        }
        print(profile.provenance, profile.value)
    }
}

private nonisolated enum PresentationSamples {
    @MainActor
    static func describe(_ search: some SearchViewModel) {
        for field in search.state.fields {
            print(field.title, field.value(in: search.query))
        }
    }

    @MainActor
    static func set<Model: SearchViewModel>(_ field: QueryField<Model.State.Query>, to text: String, of search: Model) {
        search.query = field.setting(text, in: search.query)
    }

    @MainActor
    static func follow(_ viewModel: FollowerListViewModel, render: (FollowerListViewModel.State) -> Void) async {
        for await state in viewModel.states { render(state) }
    }
}

@MainActor
private final class Samples: ListViewModel {
    struct Shelf: Sendable {}

    nonisolated struct Book: Identifiable, Equatable, Sendable {
        let id: Int
        let title: String
    }

    nonisolated struct BookRow: ListRow {
        let id: Int
        init(_ book: Book) { id = book.id }
    }

    nonisolated struct Library: Sendable {
        func page(of shelf: Shelf, at cursor: PageCursor?) async throws(BrowseError) -> Page<Book> { Page(items: []) }
        func book(_ id: Book.ID) async throws(BrowseError) -> Book { Book(id: id, title: "Emma") }
    }

    struct State: ListScreenState {
        var title = ""
        var content = ListState<BookRow>()
        var book = DetailState<String>()
        var notice: Message?
    }

    private let store = StateStore(State())
    var states: States<State> { store.states }

    let pages: ListController<BookRow>
    let book: DetailController<Book, String>
    let (repository, books) = (Library(), Library())
    let noBooks = Message(kind: .empty, title: "No Books", text: "The shelf is empty.")

    init(texts: Texts) {
        pages = ListController(in: store, at: \.content, notice: \.notice, options: ScreenOptions(texts: texts))
        book = DetailController(in: store, at: \.book, notice: \.notice, options: ScreenOptions(texts: texts)) {
            $0.title
        }
    }

    var list: ListControls<BookRow> { pages.controls }

    func show(_ shelf: Shelf) async {
        await store.load { state in
            state = State()
            return pages.begin(empty: noBooks) { [repository] cursor throws(BrowseError) in
                try await repository.page(of: shelf, at: cursor)
            } row: {
                BookRow($0)
            }
        }
    }

    func show(_ id: Book.ID) async {
        let load = book.begin { [books] () throws(BrowseError) in try await books.book(id) }
        await load()
    }
}

private nonisolated enum DataSamples {
    nonisolated struct Canned: HTTPTransport {
        let body: Data
        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            HTTPClient.Response(status: 200, body: body, url: request.url)
        }
    }

    nonisolated struct Language: HTTPMiddleware {
        let code: String
        func send(
            _ request: HTTPClient.Request,
            next: @escaping Next
        ) async throws(BrowseError) -> HTTPClient.Response {
            var request = request
            request.headers["Accept-Language"] = code
            return try await next(request)
        }
    }

    nonisolated struct Offline: HTTPMiddleware {
        func send(
            _ request: HTTPClient.Request,
            next: @escaping Next
        ) async throws(BrowseError) -> HTTPClient.Response {
            throw .unreachable(.offline, request.info)
        }
    }

    static func mock(json: Data, service: HTTPClient.Service) -> (HTTPClient, URLSession) {
        let mock = MockURLProtocol.Registration { request in
            .success(HTTPClient.Response(status: 200, body: json, url: request.url))
        }
        let client = HTTPClient(service: service, transport: mock.transport())
        let session = URLSession(configuration: mock.sessionConfiguration())
        return (client, session)
    }
}

// MARK: - Lenient

nonisolated struct BookDTO: Decodable, Sendable {
    let key: String
    let title: Lenient<String>
    let languages: Lenient<[String]>
}

/// A namespace for the sample of `Favoritable`.
nonisolated enum FavoritableSample {
    nonisolated struct Book: Codable, Hashable, Sendable, Favoritable {
        static let favoriteKind = Favorite.Kind(rawValue: "openlibrary.book")
        let key: String
        let title: String
        let author: String?

        var favoriteKey: String { key }
        var favoriteTitle: String { title }
    }
}

// MARK: - Phrase

nonisolated extension Phrase {
    static let booksTitle = Phrase("books.title", "Books", ko: "책")

    static func editions(_ count: Int) -> Phrase {
        Phrase("books.editions", plural: count, one: "\(count) edition", "\(count) editions", ko: "판본 \(count)개")
    }
}

// MARK: - Translation

let german = Translation(
    Texts.Language(rawValue: "de"),
    ["action.retry": "Erneut versuchen", "search.results.one": "1 Ergebnis", "search.results": "{1} Ergebnisse"]
)

// MARK: - Your own service

private nonisolated let library = URL(filePath: "/")
private nonisolated let notes = HTTPClient.Service.json(baseURL: library, userAgent: "Notes (me@example.com)")

nonisolated extension Container {
    var bookClient: Dependency<HTTPClient> {
        dependency(.shared) { $0.client(of: .json(baseURL: library, userAgent: "Books (me@example.com)")) }
    }
}

nonisolated extension Container {
    var noteMiddleware: Dependency<HTTPClient.SharedMiddleware> {
        dependency(.shared) { $0.sharedMiddleware(of: notes) }
    }
}

private nonisolated struct Reader: Sendable {
    let id: String
    let token: Secret
}

private actor Readers {
    var current: Reader?
}

private func appKeySample(_ container: Container, _ key: Secret) {
    let client = container.client(
        of: .json(baseURL: library, userAgent: "Books (me@example.com)"),
        tokens: AccessGrant(account: "app", token: key),
        in: TokenField("X-Api-Key")
    )
    _ = client
}

private func credentialSamples(_ container: Container, _ readers: Readers, _ reader: Reader) async {
    let service = HTTPClient.Service.json(baseURL: library, userAgent: "Books (me@example.com)")
    nonisolated struct ReaderTokens: AccessTokens {
        let readers: Readers

        func currentGrant() async throws(BrowseError) -> AccessGrant? {
            await readers.current.map { AccessGrant(account: $0.id, token: $0.token) }
        }
    }

    let client = container.client(of: service, tokens: ReaderTokens(readers: readers))
    _ = client
    await container.responseCache().removeAll(of: reader.id, at: library)
}

private func clientSecretSample(_ container: Container, _ url: URL, _ id: String, _ secret: String) {
    let server = OAuthServer(page: nil, token: "/token")
    let app = OAuthApp(clientID: id)
    var service = HTTPClient.Service.oAuth(baseURL: url, userAgent: container.configuration.userAgent)
    let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._"))
    let words = [id, secret].map { $0.addingPercentEncoding(withAllowedCharacters: plain) ?? $0 }
    service.headers["Authorization"] = "Basic \(Data(words.joined(separator: ":").utf8).base64EncodedString())"
    let authorization = server.repository(for: app, client: container.plainClient(of: service))
    _ = authorization
}

nonisolated struct BooksDTO: Decodable {
    let docs: LossyArray<BookDTO>
}

nonisolated enum BookSamples {
    static func search() -> Endpoint<Page<String>> {
        let search = Endpoint<Page<String>>.json(.path("/search.json")) { (response: BooksDTO, _) in
            Page(items: response.docs.rows.compactMap(\.title.value), skipped: response.docs.skipped)
        }
        return search
    }

    @MainActor
    static func slots(_ container: Container) throws {
        let slots = ContainerSlots(own: ["greeter": { $0.greeter() }])
        #expect(slots.unresolved(in: container) == [])
        let unlisted = try slots.unlisted(in: "Sources")
        #expect(unlisted == [])
    }
}

/// A service's screens.
private nonisolated enum RouteSamples {
    typealias Book = FavoritableSample.Book

    nonisolated enum BookScreen: RouteDestination {
        case book(String, preview: Book? = nil)

        static let routeName = "open-library"

        var routePath: [String] {
            switch self {
            case .book(let key, _): ["books", key]
            }
        }

        init?(routePath path: [String]) {
            guard path.first == "books", let key = path.last else { return nil }
            self = .book(key)
        }
    }

    /// Stands in for the settings of an app's own service.
    typealias BooksSettings = AppStoreSettings

    static func container() -> Container {
        let container = Container(services: .all + [BooksSettings.self])
        return container
    }

    static func sample(_ url: URL) {
        let route = Route(path: url.path(), among: .all + [BookScreen.self])
        _ = route
    }
}

@MainActor
private protocol SectionTable {
    func reload(_ state: FavoriteListViewModel.State)
    func delete(_ places: [FavoriteSectionChange.Place])
    func deleteSections(_ positions: [Int])
    func insertSections(_ positions: [Int])
    func insert(_ places: [FavoriteSectionChange.Place])
    func reload(_ places: [FavoriteSectionChange.Place])
}

@MainActor
private enum SectionSamples {
    static func apply(
        _ state: FavoriteListViewModel.State,
        to shown: inout FavoriteListViewModel.State,
        in table: any SectionTable
    ) {
        let rows = state.content.rows.change(since: shown.content.rows)
        switch state.sections.change(since: shown.sections, with: rows) {
        case .none: break
        case .reset: table.reload(state)
        case .update(let update):
            table.delete(update.removed)
            table.deleteSections(update.removedSections)
            table.insertSections(update.insertedSections)
            table.insert(update.inserted)
            table.reload(update.updated)
        }
        shown = state
    }
}
