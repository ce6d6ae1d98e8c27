import BrowseCore
import BrowseCoreMocks
import BrowseCoreTesting
import BrowseData
import Foundation
import Testing

@testable import Books

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `Books of Open Library` {
    private let server = ScriptedServer()
    private let clock = TestClock()

    private func fixture(_ name: String) -> ScriptedServer.Response {
        .fixture(name, in: Fixtures(in: .module))
    }

    private func container(_ language: String = "en") -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: language)
            $0.timeZone = .gmt
        }
        configuration.clock = clock
        configuration.userAgent = "Books (me@example.com)"
        configuration.retries = .never
        return .production(
            on: server.transport(),
            configuration: configuration,
            services: [MusicSettings.self, BooksSettings.self]
        )
    }

    @Test func `are searched for while typing, page after page`() async throws {
        server.on(.get, "/search.json", query: ["q": "tea", "page": "1"], response: fixture("search-tea-1"))
        server.on(.get, "/search.json", query: ["q": "tea", "page": "2"], response: fixture("search-tea-2"))
        let model = container().bookSearchViewModel()
        #expect(model.state.title == "Books")
        for text in ["t", "te", " tea "] { model.query = text }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(300))
        try await waitUntil { model.state.content.status == .ready }
        let rows = model.state.content.rows
        #expect(rows.map(\.title) == ["The Tea Harbor", "차 이야기"])
        #expect(rows.map { $0.cover == nil } == [false, true])
        #expect(model.state.content.skippedCount == 1)
        await model.rowAppeared(rows[1].id)
        #expect(model.state.content.rows.map(\.title).suffix(2) == ["OL102W", "Steam"])
        #expect(!model.state.content.hasMore)
        #expect(model.state.totalCount == 5 && model.state.summary == "5 results")
        #expect(model.state.fields.map(\.title) == ["Search For"])
        #expect(server.requests.allSatisfy { $0.headers["User-Agent"] == "Books (me@example.com)" })
        try server.verify()
        model.query = " "
        #expect(model.state.content.status == .idle)
        #expect(model.state.totalCount == nil && model.state.summary == nil)
    }

    @Test func `have marks of their own`() async throws {
        server.on(.get, "/search.json", query: ["page": "1"], response: fixture("search-tea-1"))
        server.on(.get, "/search.json", query: ["page": "2"], response: fixture("search-tea-2"))
        let model = container().bookSearchViewModel()
        model.query = "tea"
        await model.submit()
        let id = try #require(model.state.content.rows.first?.id)
        model.toggleRead(id)
        #expect(model.state.content.rows.map(\.isRead) == [true, false])
        await model.loadMore()
        await model.refresh()
        #expect(model.state.content.rows.filter(\.isRead).map(\.id) == [id])
        model.toggleRead(id)
        #expect(model.state.content.rows.allSatisfy { !$0.isRead })
    }

    @Test func `are never those of another text`() async throws {
        let second = #"{"numFound": 1, "start": 0, "docs": [{"key": "/works/OL103W", "title": "Steam"}]}"#
        for (text, response) in [("a", fixture("search-tea-1")), ("ab", .json(second))] {
            server.on(.get, "/search.json", query: ["q": text, "page": "1"], response: response)
        }
        server.on(.get, "/search.json", query: ["q": "failing", "page": "1"], response: .status(500))
        let model = container().bookSearchViewModel()
        model.query = "a"
        await model.submit()
        let old = model.state.content.rows.map(\.id)
        for text in ["ab", "abc", "ab"] { model.query = text }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(300))
        try await waitUntil { !model.state.isWaiting && model.state.content.status == .ready }
        #expect(!old.isEmpty && model.state.content.rows.allSatisfy { !old.contains($0.id) })
        model.query = "failing"
        await model.submit()
        #expect(model.state.content.rows.isEmpty)
    }

    @Test(arguments: [(Int.max, 5), (0, Int.max), (Int.max, Int.max)])
    func `are read beside any numbers`(start: Int, count: Int) async throws {
        let json = #"{"numFound": \#(count), "start": \#(start), "docs": [{"key": "/works/OL103W"}]}"#
        server.on(.get, "/search.json", response: .json(json))
        let page = try await container().bookRepository().books(matching: "tea", at: nil)
        #expect(page.items.map(\.id) == ["OL103W"] && (page.next != nil) == (start == 0))
    }

    @Test func `are shown in detail`() async throws {
        server.on(.get, "/works/OL100W.json", response: fixture("work"))
        let model = container("ko").bookDetailViewModel()
        await model.show("OL100W")
        let details = try #require(model.state.content.details)
        #expect(model.state.title == "The Tea Harbor")
        #expect(details.facts.map(\.label) == ["출간", "주제", "주제"])
        #expect(details.facts.map(\.value) == ["1954", "Harbors", "Tea"])
        #expect(details.facts.last?.route?.path == "/open-library/subjects/Tea")
        try server.verify()
    }

    /// internetarchive/openlibrary#10390
    @Test func `are found by a subject with quotation marks`() async throws {
        server.on(.get, "/search.json", query: ["q": #"subject:"a  b ""#], response: fixture("search-tea-1"))
        #expect(try await !container().bookRepository().books(about: #"a "b""#, at: nil).items.isEmpty)
    }

    @Test func `are requested once for all users of a server, whose favorites are their own`() async throws {
        server.on(.get, "/search.json", response: fixture("search-tea-1"))
        let site = container("en")
        let users = (0..<2).map { _ in
            site.container(for: UserStores(favorites: InMemoryFavoriteRepository()) { _ in InMemoryTokenStore(nil) })
        }
        for user in users {
            let page = try await user.bookRepository().books(matching: "tea", at: nil)
            _ = try await user.favoriteRepository().add(Favorite(try #require(page.items.first)))
            #expect(try await user.favoriteRepository().ids().count == 1)
        }
        #expect(try await site.favoriteRepository().ids().isEmpty)
    }

    @Test func `are opened by links, among other screens`() throws {
        let link = try #require(URL(string: "browse:///open-library/books/OL100W"))
        let route = try #require(Route(path: link.path(percentEncoded: true), among: [BookScreen.self]))
        #expect(route == .book("OL100W"))
        #expect(route.path == "/open-library/books/OL100W")
        for path in ["/open-library/books", "/open-library/books/OL1W/editions", "/open-library/OL100W"] {
            #expect(Route(path: path, among: [BookScreen.self]) == nil)
        }
        guard case .other(let screen) = route, case .book("OL100W")? = screen.value(as: BookScreen.self) else {
            Issue.record("\(route)")
            return
        }
    }

    @Test func `are favorites in one list with those of other services`() async throws {
        server.on(.get, "/search.json", response: fixture("search-tea-1"))
        let container = container("ko")
        let favorites = container.favoriteRepository()
        _ = try await favorites.add(Favorite(Song(name: "Rain")))
        let search = container.bookSearchViewModel()
        search.query = "tea"
        await search.submit()
        let row = try #require(search.state.content.rows.first)
        await search.toggleFavorite(row.id)
        #expect(search.state.content.rows[0].isFavorite)

        let list = container.favoriteListViewModel()
        await list.show()
        #expect(list.state.content.rows.map(\.favorite.title) == ["Rain", "The Tea Harbor"])
        #expect(list.state.sections.map(\.title) == ["R", "T"])
        #expect(list.state.content.rows[1].favorite.value(as: Book.self) == row.entity)
        #expect(list.state.content.rows[1].favorite.image == row.cover)
        #expect(search.select(row.id) == .book(row.id))
        #expect(list.select(list.state.content.rows[1].id) == .book(row.id))
        #expect(list.select(list.state.content.rows[0].id) == .webPage(Song(name: "Rain").page))
    }

    @Test func `that can't be loaded say so in the name of the service`() async throws {
        server.on(.get, "/search.json", response: .json("{}", status: 429, headers: ["Retry-After": "30"]))
        let model = container().bookSearchViewModel()
        model.query = "tea"
        await model.submit()
        guard case .failed(let limit) = model.state.content.status else {
            Issue.record("\(model.state.content.status)")
            return
        }
        #expect(limit.text.contains("Open Library"))
        guard case .rateLimited = limit.kind else {
            Issue.record("\(limit.kind)")
            return
        }
    }

    @Test(arguments: [404, 422]) func `that a typed text doesn't find ask to edit it`(status: Int) async {
        server.on(.get, "/search.json", response: .json("{}", status: status))
        let model = container().bookSearchViewModel()
        model.query = "tea"
        await model.submit()
        #expect(model.state.content.status.message?.action == .changeInput)
    }

    /// TMDB has 500 pages of a search, and WordPress refuses pages behind the last one, both with 400.
    @Test(arguments: [400, 422]) func `end before a page that the service refuses`(status: Int) async {
        server.on(.get, "/search.json", query: ["page": "1"], response: fixture("search-tea-1"))
        server.on(.get, "/search.json", query: ["page": "2"], response: .json("{}", status: status))
        let model = container().bookSearchViewModel()
        model.query = "tea"
        await model.submit()
        await model.loadMore()
        let message = model.state.content.status.message
        #expect(message?.title == "End of Results" && message?.action == nil)
        #expect(model.state.content.rows.count == 2 && !model.state.content.hasMore)
    }

    @Test func `refuse pages of other lists, and identifiers that lead elsewhere`() async {
        let repository = container().bookRepository()
        for cursor in ["0", "-1", "+2", "https://example.com/?page=2"] {
            await #expect {
                _ = try await repository.books(matching: "tea", at: PageCursor(rawValue: cursor))
            } throws: { error in
                guard case .refused(.foreignPage, _) = error as? BrowseError else { return false }
                return true
            }
        }
        for id in ["..", ""] {
            await #expect {
                _ = try await repository.details(of: id)
            } throws: { error in
                guard case .refused(.invalidParameter, _) = error as? BrowseError else { return false }
                return true
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `have slots that all resolve`() throws {
        let container = Container.offline(services: [OfflineBooks()])
        let slots = ContainerSlots(own: [
            "bookClient": { $0.bookClient() }, "bookRepository": { $0.bookRepository() },
        ])
        #expect(slots.unresolved(in: container) == [])
        let unlisted = try slots.unlisted(in: "Sources")
        #expect(unlisted == [])
    }

    @Test(arguments: ServiceConformance.rules(screens: [BookScreen.book("OL100W"), BookScreen.subject("Tea")]))
    func `are registered without mistakes`(rule: ConformanceRule<Container>) async throws {
        try await rule.verify(Container(services: [BooksSettings.self]))
    }

    @Test func `have settings that are checked before anything is sent`() async throws {
        var configuration = Configuration()
        configuration.books.url = try #require(URL(string: "https://mona:made-up@mirror.example"))
        #expect(throws: Configuration.Problem.baseURL(service: "Open Library", .userInfo)) {
            try configuration.validate()
        }
        let container = Container.production(
            on: server.transport(),
            configuration: configuration,
            services: [BooksSettings.self]
        )
        await #expect(throws: BrowseError.self) { try await container.bookRepository().details(of: "OL100W") }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [("en", "Books"), ("ko", "책")])
    func `are a kind of the favorites of a container`(language: String, title: String) async throws {
        let configuration = Configuration().with { $0.locale = Locale(identifier: language) }
        let container = Container(configuration, services: [BooksSettings.self])
        let kinds = try #require(container.favoriteListViewModel().state.fields.first { $0.id == "kind" })
        guard case .choice(let choices) = kinds.input else {
            Issue.record("\(kinds.input)")
            return
        }
        #expect(choices.map(\.title).last == title)
    }

    @Test func `without their service, are favorites that lead nowhere`() async throws {
        let container = Container(Configuration(), services: [])
        let favorites = InMemoryFavoriteRepository()
        container.favoriteRepository.override { _ in favorites }
        _ = try await favorites.add(Favorite(Book(id: "OL100W", title: "The Tea Harbor", cover: nil)))
        let list = container.favoriteListViewModel()
        await list.show()
        #expect(list.state.content.rows.map(\.favorite.title) == ["The Tea Harbor"])
        #expect(list.state.content.rows.map(\.route) == [nil])
    }
}

/// Another service of the same app, whose favorites are in the same list.
struct MusicSettings: ServiceSettings {
    static let name = "Music"
    static var favoriteKinds: [FavoriteKind] {
        [FavoriteKind(Song.self, title: Phrase("music.songs", "Songs", ko: "노래")) { .webPage($0.page) }]
    }

    // swift-format-ignore: NeverForceUnwrap
    var url = URL(string: "https://music.example")!

    func service(in configuration: Configuration) -> HTTPClient.Service {
        .json(baseURL: url, userAgent: configuration.userAgent)
    }
}

/// A song, the favorite of another service.
struct Song: Favoritable, Hashable {
    static let favoriteKind = Favorite.Kind(rawValue: "music.song")
    let name: String
    var favoriteKey: String { name }
    var favoriteTitle: String { name }
    var page: WebAddress { WebAddress(rawValue: "https://music.example/\(name)") }
}
