import BrowseCore
import BrowseCoreMocks
import BrowseCoreTesting
import BrowseData
import Testing

@testable import Books

/// internetarchive/openlibrary#5551
@MainActor
@Suite(.timeLimit(.minutes(5))) struct `Books that were merged into others` {
    private let server = ScriptedServer()

    private func fixture(_ name: String) -> ScriptedServer.Response {
        .fixture(name, in: Fixtures(in: .module))
    }

    private func container() -> Container {
        var configuration = Configuration()
        configuration.userAgent = "Books (me@example.com)"
        configuration.retries = .never
        return .production(on: server.transport(), configuration: configuration, services: [BooksSettings.self])
    }

    @Test func `show those, and stay favorites`() async throws {
        server.on(.get, "/works/OL100W.json", response: fixture("work"))
        server.on(.get, "/works/OL99W.json", response: fixture("work-merged"))
        let container = container()
        let old = Favorite(Book(id: "OL99W", title: "Tea Harbor", cover: nil))
        _ = try await container.favoriteRepository().add(old)
        let changes = container.favoriteRepository().changes
        let model = container.bookDetailViewModel()
        await model.show("OL99W")
        #expect(model.state.title == "The Tea Harbor" && model.state.content.details?.facts.count == 3)
        #expect(model.state.isFavorite)
        var iterator = changes.makeAsyncIterator()
        guard case .updated(let new)? = await iterator.next() else {
            Issue.record("The favorite wasn't updated")
            return
        }
        #expect(new.id == old.id && new.title == "The Tea Harbor")
        try server.verify()
    }

    @Test func `aren't found if they lead in a circle`() async throws {
        server.on(.get, "/works/OL100W.json", response: fixture("work-merged"))
        await #expect(throws: BrowseError.notFound(BrowseError.RequestInfo(endpoint: "GET /works/{}.json"))) {
            try await container().bookRepository().details(of: "OL100W")
        }
        #expect(server.requests.count <= 4)
    }
}
