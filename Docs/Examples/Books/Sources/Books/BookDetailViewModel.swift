import BrowseCore

/// A screen with the details of a book.
@MainActor
public final class BookDetailViewModel: FavoriteDetailViewModel {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The title of the book.
        public var title: String = ""
        /// The details and the status of their load.
        public var content: DetailState<Details> = DetailState()
        /// Whether the book is a favorite.
        public var isFavorite: Bool = false
        /// A message beside the book.
        public var notice: Message?

        /// Creates an empty state.
        public init() {}
    }

    /// The localized details of a book.
    public struct Details: Equatable, Sendable {
        /// The authors.
        public var authors: String
        /// The year and the number of editions.
        public var summary: String
        /// The description, or a text for a missing one.
        public var description: String
        /// The subjects.
        public var subjects: [String]
        /// The covers.
        public var covers: [WebAddress]
    }

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the book.
    public var detail: DetailControls { book.controls }

    private let store = StateStore(State())
    private let book: DetailController<BookDetails, Details>
    private let repository: any BookRepository

    /// Creates the screen; ``show(_:)`` fills it.
    public init(repository: any BookRepository, favorites: any FavoriteRepository, options: ScreenOptions) {
        let options = options.about(.openLibrary)
        let texts = options.texts
        self.repository = repository
        book = DetailController(in: store, at: \.content, notice: \.notice, options: options) { details in
            let row = BookRow(details.book, texts: texts)
            return Details(
                authors: row.authors,
                summary: row.summary,
                description: details.description ?? texts(.noDescription),
                subjects: details.subjects,
                covers: details.covers
            )
        }
        store.addPart { [weak book] in $0.title = book?.entity?.book.title ?? $0.title }
        book.markFavorite(in: favorites, store: store, at: \.isFavorite) { Favorite($0.book) }
    }

    /// Shows a book from its identifier, and from what is known about it.
    public func show(_ id: Book.ID, preview: Book? = nil) async {
        await show(preview ?? Book(id: id, title: id.rawValue))
    }

    /// Shows a book.
    public func show(_ book: Book) async {
        let load = store.update { state in
            state = State()
            state.title = book.title
            return self.book.begin { [repository] () throws(BrowseError) in try await repository.details(of: book) }
        }
        await load()
    }
}
