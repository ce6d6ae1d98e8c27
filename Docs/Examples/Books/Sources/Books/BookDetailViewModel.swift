import BrowseCore

/// A screen with the details of a book.
@MainActor
public final class BookDetailViewModel: DetailViewModel {
    /// The state of the screen.
    public typealias State = EntityState<Details>

    /// The localized details of a book.
    public struct Details: EntityDetails {
        /// The authors, the editions, the description, and the subjects.
        public let facts: [Fact]
        /// The covers.
        public let covers: [WebAddress]
    }

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the book.
    public var detail: DetailControls { book.controls }

    private let store = StateStore(State())
    private let book: DetailController<BookDetails, Details>
    private let repository: any BookRepository
    private var hasPreview = false

    init(_ repository: any BookRepository, favorites: any FavoriteRepository, options: ScreenOptions) {
        self.repository = repository
        book = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            Details($0, texts: options.texts)
        }
        store.addPart { [weak book] in $0.title = book?.entity?.book.title ?? $0.title }
        book.markFavorite(in: favorites) { [weak self] _ in
            // The page of a book has neither its authors nor its year.
            self?.hasPreview == true
        } as: {
            Favorite($0.book)
        }
    }

    /// Shows a book from its identifier, and from what is known about it.
    public func show(_ id: Book.ID, preview: Book? = nil) async {
        let known = preview ?? Book(id: id, title: id.rawValue)
        hasPreview = preview != nil
        let load = store.update { state in
            state = State()
            state.title = known.title
            return book.begin { [repository] () throws(BrowseError) in try await repository.details(of: known) }
        }
        await load()
    }
}

extension BookDetailViewModel.Details {
    init(_ details: BookDetails, texts: Texts) {
        let row = BookRow(details.book, texts: texts)
        facts = [
            Fact("authors", texts(.authors), row.authors, isMissing: details.book.authors.isEmpty),
            Fact("published", texts(.published), row.summary, missing: texts(.unknown)),
            Fact("description", texts(.description), details.description, missing: texts(.noDescription)),
            Fact("subjects", texts(.subjects), texts.formats.list(details.subjects), missing: texts(.unknown)),
        ]
        covers = details.covers
    }
}
