import BrowseCore
import BrowseCoreMocks
import BrowseCoreTesting
import Testing

@testable import Books

nonisolated extension Phrase {
    static let noRelatedBooks = Phrase("books.related.none", "There are no related books.", ko: "관련된 책이 없습니다.")
}

/// A screen with the details of a book, and the books about its first subject.
@MainActor
final class RelatedBooksViewModel: DetailViewModel {
    struct State: DetailScreenState {
        var id: Book.ID?
        var title = ""
        var content: DetailState<BookDetailViewModel.Details> = DetailState()
        var related: ListState<BookRow> = ListState()
        var notice: Message?
    }

    var states: States<State> { store.states }
    var detail: DetailControls { book.controls }
    var related: ListControls<BookRow> { list.controls }

    private let store = StateStore(State())
    private let book: DetailController<BookDetails, BookDetailViewModel.Details>
    private let list: ListController<BookRow>
    private let repository: any BookRepository

    init(_ repository: any BookRepository, options: ScreenOptions) {
        self.repository = repository
        let texts = options.texts
        book = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            BookDetailViewModel.Details($0, texts: texts)
        }
        list = ListController(in: store, at: \.related, notice: \.notice, options: options)
        store.addPart { [weak book] in $0.title = book?.entity?.book.title ?? "" }
        book.markFavorite { Favorite($0.book) }
        book.relate(list, empty: texts.noRows(.noRelatedBooks)) { book, cursor throws(BrowseError) -> Page<Book> in
            guard let subject = book.subjects.first else { return Page(items: []) }
            return try await repository.books(about: subject, at: cursor)
        } row: { book in
            BookRow(book)
        }
    }

    func showIfNeeded(_ id: Book.ID) async {
        if state.id == id { await retry() } else { await show(id) }
    }

    func show(_ id: Book.ID) async {
        await store.load { state in
            state = State()
            state.id = id
            return book.begin { [repository] () throws(BrowseError) in try await repository.details(of: id) }
        }
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `The books related to a book` {
    private func model(_ books: OfflineBooks) -> RelatedBooksViewModel {
        let container = Container.offline(services: [books])
        return RelatedBooksViewModel(container.bookRepository(), options: container.screenOptions(for: .openLibrary))
    }

    @Test(.verifiesMocks) func `are loaded after it, page after page`() async {
        let model = model(OfflineBooks())
        await model.show("OL100W")
        #expect(model.state.title == "The Tea Harbor")
        #expect(model.state.related.rows.map(\.id) == ["OL100W", "OL101W"])
        await model.related.loadMore()
        #expect(model.state.related.rows.map(\.id) == ["OL100W", "OL101W", "OL102W", "OL103W"])
        #expect(!model.state.related.hasMore)
        await model.related.toggleFavorite("OL103W")
        #expect(model.state.related.rows.map(\.isFavorite) == [false, false, false, true])
    }

    @Test func `fail without it, and are loaded again`() async {
        let books = OfflineBooks()
        books.scenarios.set(.serverError, for: .any.query(["page": "1"]))
        let model = model(books)
        await model.show("OL100W")
        #expect(model.state.content.details != nil)
        #expect(model.state.related.status.message?.kind == .serverFailure)
        books.scenarios.removeAll()
        await model.showIfNeeded("OL100W")
        #expect(model.state.related.rows.count == 2)
    }
}
