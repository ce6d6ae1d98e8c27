import BrowseCore
import Foundation

/// A screen that searches for books while typing.
@MainActor
public final class BookSearchViewModel: SearchViewModel {
    /// The state of the screen.
    public typealias State = SearchState<String, BookRow>

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the list.
    public var list: ListControls<BookRow> { results.controls }

    private let store = StateStore(State(""))
    private let results: ListController<BookRow>
    private let debouncer: SearchDebouncer<String>
    private var readBooks: Set<Book.ID> = []

    init(repository: any BookRepository, favorites: any FavoriteRepository, options: ScreenOptions) {
        let options = options.about(.openLibrary)
        let texts = options.texts
        results = ListController(in: store, at: \.content, notice: \.notice, options: options)
        results.markFavorites(in: favorites)
        debouncer = SearchDebouncer(results, in: store, isWaiting: \.isWaiting, clock: options.clock) {
            [results, weak store] text in
            store?.amend { ($0.totalCount, $0.summary) = (nil, nil) }
            return results.begin(empty: texts.noResults(for: text)) { cursor throws(BrowseError) in
                try await repository.books(matching: text, at: cursor)
            } accept: { response, _ in
                store?.amend { state in
                    state.totalCount = response.totalCount
                    state.summary = response.totalCount.map { texts(.resultCount($0)) }
                }
                return response.page.map { BookRow($0, texts: texts) }
            }
        }
        results.add(
            RowMarks { [weak self] rows in
                guard let self else { return }
                for index in rows.indices { rows[index].isRead = readBooks.contains(rows[index].id) }
            }
        )
        store.state.title = texts(.booksTitle)
        store.state.fields = [.text("q", texts(.searchText), \.self)]
    }

    /// The search text.
    ///
    /// Setting it searches after a pause of 300 ms, or clears the results if it's blank.
    public var query: String {
        get { store.state.query }
        set {
            guard newValue != query else { return }
            store.update { state in
                state.query = newValue
                if newValue.search == nil { (state.totalCount, state.summary) = (nil, nil) }
                debouncer.type(newValue.search)
            }
        }
    }

    /// Marks a book as read, or removes the mark.
    public func toggleRead(_ id: Book.ID) {
        if readBooks.remove(id) == nil { readBooks.insert(id) }
        results.update { $0.update(id: id) { $0.isRead = readBooks.contains(id) } }
    }

    /// Searches immediately, from the first page.
    public func submit() async {
        let load = store.update { debouncer.submit($0.query.search) }
        await load?()
    }
}

extension String {
    /// The text to search for; `nil` if it's blank.
    fileprivate var search: String? {
        let text = trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }
}
