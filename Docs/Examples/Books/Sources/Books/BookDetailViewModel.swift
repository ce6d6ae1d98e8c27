import BrowseCore

/// A screen with the details of a book.
@MainActor
public final class BookDetailViewModel: DetailViewModel {
    /// The state of the screen.
    public typealias State = EntityState<Details>

    /// The localized details of a book.
    public struct Details: EntityDetails {
        /// The year, and the subjects, which lead to lists of books.
        public let facts: [Fact]
    }

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the book.
    public var detail: DetailControls { book.controls }

    private let store = StateStore(State())
    private let book: DetailController<BookDetails, Details>
    private let repository: any BookRepository
    private var id: Book.ID?

    init(_ repository: any BookRepository, options: ScreenOptions) {
        self.repository = repository
        book = DetailController(in: store, at: \.content, notice: \.notice, options: options) {
            Details($0, texts: options.texts)
        }
        store.addPart { [weak book] in $0.title = book?.entity?.book.title ?? "" }
        book.markFavorite { Favorite($0.book) }
    }

    /// Shows a book; if it's shown already, only repeats what failed.
    public func showIfNeeded(_ id: Book.ID) async {
        if id == self.id { await retry() } else { await show(id) }
    }

    /// Shows a book.
    public func show(_ id: Book.ID) async {
        self.id = id
        await store.load { state in
            state = State()
            return book.begin { [repository] () throws(BrowseError) in try await repository.details(of: id) }
        }
    }
}

nonisolated extension BookDetailViewModel.Details {
    init(_ details: BookDetails, texts: Texts) {
        let published = Fact("published", texts(.published), details.published, missing: texts(.unknown))
        facts =
            [published]
            + Set(details.subjects).sorted().map { subject in
                Fact("subject-\(subject)", texts(.subject), subject, route: .books(about: subject))
            }
    }
}
