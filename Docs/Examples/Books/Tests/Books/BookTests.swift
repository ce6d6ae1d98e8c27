import Books
import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import Testing

@MainActor
@Suite struct `Books of Open Library` {
    private let server = ScriptedServer()
    private let clock = TestClock()

    private func fixture(_ name: String) throws -> ScriptedServer.Reply {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/" + name, withExtension: "json"))
        return .json(try String(contentsOf: url, encoding: .utf8))
    }

    private func container(_ language: String = "en") -> Container {
        var configuration = Configuration(locale: Locale(identifier: language), timeZone: .gmt, clock: clock)
        configuration.userAgent = "Books (me@example.com)"
        configuration.addBooks()
        let container = Container.offline(configuration: configuration)
        container.transport.override { [server] _ in server.transport() }
        return container
    }

    @Test func `come in pages, without what isn't a book`() async throws {
        server.on(.get, "/search.json", query: ["q": "tea", "page": "1"], reply: try fixture("search-tea-1"))
        server.on(.get, "/search.json", query: ["q": "tea", "page": "2"], reply: try fixture("search-tea-2"))
        let repository = container().bookRepository()
        let first = try await repository.books(matching: "tea", at: nil)
        #expect(first.items.map(\.title) == ["The Tea Harbor", "차 이야기"])
        #expect(first.skipped.count == 1)
        let second = try await repository.books(matching: "tea", at: first.next)
        #expect(second.items.map(\.authors) == [[], []])
        #expect(second.next == nil)
        #expect(server.requests.allSatisfy { $0.headers["User-Agent"] == "Books (me@example.com)" })
        try server.verify()
    }

    @Test func `are found after they were merged`() async throws {
        server.on(.get, "/works/OL103W.json", reply: try fixture("work-moved"))
        server.on(.get, "/works/OL100W.json", reply: try fixture("work"))
        let book = Book(id: .init(rawValue: "OL103W"), title: "Steam")
        let details = try await container().bookRepository().details(of: book)
        #expect(details.book.id.rawValue == "OL100W" && details.description == "A port, and its tea.")
        #expect(details.covers.map(\.rawValue) == ["https://covers.openlibrary.org/b/id/1001-L.jpg?default=false"])
        try server.verify()
    }

    @Test func `are favorites in one list with users and apps`() async throws {
        let container = container("ko")
        let favorites = container.favoriteRepository()
        let book = Book(id: .init(rawValue: "OL100W"), title: "The Tea Harbor", cover: 1001)
        _ = try await favorites.add(.user(GitHub.User(id: .init(rawValue: 1), login: .init("mona"))))
        _ = try await favorites.add(.app(AppStore.App(id: AppStore.AppID(rawValue: 2), name: "Tea Timer")))
        _ = try await favorites.add(Favorite(book))
        let list = container.favoriteListViewModel()
        list.query = FavoriteQuery(order: .kind)
        await list.show()
        #expect(list.state.content.rows.map(\.favorite.title) == ["Tea Timer", "The Tea Harbor", "mona"])
        #expect(list.state.kinds.map(\.title) == ["앱", "책", "계정"])
        #expect(list.state.content.rows[1].favorite.value(as: Book.self) == book)
        #expect(list.state.content.rows[1].favorite.picture == book.coverImage)
    }

    @Test func `refuse pages of other lists, and keys that lead elsewhere`() async {
        let repository = container().bookRepository()
        for cursor in ["0", "-1", "+2", "https://example.com/?page=2"] {
            await #expect {
                _ = try await repository.books(matching: "tea", at: PageCursor(rawValue: cursor))
            } throws: { error in
                guard case .refused(.foreignPage, _) = error as? BrowseError else { return false }
                return true
            }
        }
        for key in ["/works/../authors/OL1A", "/authors/OL1A", "OL1A", "OLW", "/works/OL1W/editions", ""] {
            #expect(Book.ID(key: key) == nil, "\(key)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `have slots that all resolve`() throws {
        let slots = ContainerSlots(own: [
            "bookClient": { $0.bookClient() }, "bookRepository": { $0.bookRepository() },
        ])
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        #expect(slots.unresolved(in: container()) == [])
        #expect(try slots.unlisted(in: sources) == [])
    }
}
