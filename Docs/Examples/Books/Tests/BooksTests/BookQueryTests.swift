import BrowseCore
import BrowseCoreMocks
import Foundation
import Testing

@testable import Books

/// The parts of a search for books.
nonisolated struct BookQuery: Hashable, Sendable {
    var text = ""
    /// The code of a language, such as `kor`; `nil` is any.
    var language: String?
}

nonisolated extension Phrase {
    static let language = Phrase("books.language", "Language", ko: "언어")
    static let tooLong = Phrase("books.tooLong", "Enter up to 100 characters.", ko: "100자까지 입력하십시오.")
}

@MainActor
private final class BookFormViewModel: SearchViewModel {
    typealias State = SearchState<BookQuery, BookRow>

    var states: States<State> { store.states }
    var list: ListControls<BookRow> { search.results.controls }
    var query: BookQuery {
        get { search.query }
        set { search.query = newValue }
    }

    private let store = StateStore(State(BookQuery()))
    private let search: SearchController<BookQuery, BookQuery, BookRow>

    init(_ repository: any BookRepository, options: ScreenOptions) {
        let texts = options.texts
        search = SearchController(
            in: store,
            title: texts(.booksTitle),
            fields: [
                .text("q", texts(.searchText), \.text),
                .choice(
                    "language",
                    texts(.language),
                    \.language,
                    [(id: "any", title: texts(.any), value: nil), (id: "ko", title: "한국어", value: "kor")]
                ),
            ],
            options: options
        ) { query, hint in
            if query.text.count > 100 { hint = texts(.tooLong) }
            return query.text.isEmpty || hint != nil ? nil : query
        } empty: { query in
            texts.noResults(for: query.text)
        } page: { query, cursor throws(BrowseError) in
            let language = query.language.map { " language:\($0)" } ?? ""
            return try await repository.books(matching: query.text + language, at: cursor)
        } row: {
            BookRow($0)
        }
    }

    func submit() async { await search.submit() }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `A query with several fields` {
    @Test func `is shown as a form, and read as a search`() async {
        let books = OfflineBooks()
        let container = Container.offline(services: [books])
        let model = BookFormViewModel(container.bookRepository(), options: container.screenOptions(for: .openLibrary))
        #expect(model.state.fields.map(\.id) == ["q", "language"])
        for (field, value) in zip(model.state.fields, [" tea ", "ko"]) {
            model.query = field.setting(value, in: model.query)
        }
        await model.submit()
        #expect(model.state.content.rows.count == 2)
        #expect(model.query == BookQuery(text: " tea ", language: "kor"))

        model.query.text = String(repeating: "a", count: 101)
        #expect(model.state.hint != nil && model.state.content.rows.isEmpty)
        model.query.text = "tea"
        books.scenario = .empty
        await model.submit()
        #expect(model.state.content.status.message?.text.contains("tea") == true)
    }
}
