import BrowseCore
import BrowseCoreMocks
import BrowseCoreTesting
import Testing

@testable import Books

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The screens of Open Library` {
    @Test(.verifiesMocks) func `find a book, show it, and save it`() async throws {
        let books = OfflineBooks()
        let container = Container.offline(services: [books])
        let search = container.bookSearchViewModel()
        search.query = "tea"
        await search.submit()
        books.scenarios.set(.serverError, for: .any.query(["page": "2"]))
        await search.loadMore()
        #expect(search.state.content.status.message?.kind == .serverFailure)
        books.scenarios.removeAll()
        await search.retry()
        #expect(search.state.content.rows.count == 4)

        let row = try #require(search.state.content.rows.first)
        let detail = container.bookDetailViewModel()
        await detail.show(row.id)
        await detail.toggleFavorite()
        #expect(detail.state.isFavorite && detail.state.title == row.title)

        let favorites = container.favoriteListViewModel()
        await favorites.show()
        #expect(favorites.state.content.rows.map(\.route) == [row.route])
        if case .other(let screen)? = row.route {
            #expect(screen.value(as: BookScreen.self)?.routePath == ["books", row.id])
        }

        let list = container.bookListViewModel()
        await list.show("Tea")
        #expect(list.state.content.rows.map(\.isFavorite) == [true, false])
        books.scenario = .empty
        await list.show("Tea")
        #expect(list.state.content.status.message?.text == "There are no books about Tea.")
    }
}
