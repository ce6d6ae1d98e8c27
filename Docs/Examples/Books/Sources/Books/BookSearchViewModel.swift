import BrowseCore

/// A screen that searches for books while typing.
@MainActor
public final class BookSearchViewModel: SearchViewModel {
    /// The state of the screen.
    public typealias State = SearchState<String, BookRow>

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the list.
    public var list: ListControls<BookRow> { search.results.controls }

    private let store = StateStore(State(""))
    private let search: SearchController<String, String, BookRow>
    private var readBooks: Set<Book.ID> = []

    init(_ repository: any BookRepository, options: ScreenOptions) {
        let title = options.texts(.booksTitle)
        search = SearchController(in: store, title: title, options: options) { text, cursor throws(BrowseError) in
            try await repository.books(matching: text, at: cursor)
        } row: {
            BookRow($0)
        }
        search.results.add(RowMarks(each: { [weak self] in $0.isRead = self?.readBooks.contains($0.id) ?? false }))
    }

    /// The search text.
    ///
    /// Setting it searches after a pause of 300 ms, or clears the results if it's blank.
    public var query: String {
        get { search.query }
        set { search.query = newValue }
    }

    /// Searches immediately, from the first page.
    public func submit() async {
        await search.submit()
    }

    /// Marks a book as read, or removes the mark.
    public func toggleRead(_ id: Book.ID) {
        if readBooks.remove(id) == nil { readBooks.insert(id) }
        search.results.update { $0.update(id: id) { $0.isRead = readBooks.contains(id) } }
    }
}
