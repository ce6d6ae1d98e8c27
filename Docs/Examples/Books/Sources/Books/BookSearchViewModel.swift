import BrowseKit
import Foundation

/// A screen that searches for books while typing.
@MainActor
public final class BookSearchViewModel: ListViewModel {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The title of the screen.
        public var title: String = ""
        /// The search text.
        public var query: String = ""
        /// Whether a search begins after the pause.
        public var isWaiting: Bool = false
        /// The rows and the status of the list.
        public var content: ListState<BookRow> = ListState()
        /// A message beside the list, such as that a favorite couldn't be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the list.
    public var list: ListControls<BookRow> { results.controls }

    private let store = StateStore(State())
    private let results: ListController<BookRow>
    private let debouncer: SearchDebouncer<String>

    /// Creates the screen.
    public init(repository: any BookRepository, favorites: any FavoriteRepository, options: ScreenOptions) {
        let options = options.about(.openLibrary)
        let texts = options.texts
        results = ListController(in: store, at: \.content, notice: \.notice, options: options)
        results.markFavorites(in: favorites)
        debouncer = SearchDebouncer(results, in: store, isWaiting: \.isWaiting, clock: options.clock) {
            [results] text in
            results.begin(empty: texts.noResults(for: text)) { cursor throws(BrowseError) in
                try await repository.books(matching: text, at: cursor)
            } row: { book in
                BookRow(book, texts: texts)
            }
        }
        store.update { $0.title = texts(.booksTitle) }
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
                debouncer.type(newValue.search)
            }
        }
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
