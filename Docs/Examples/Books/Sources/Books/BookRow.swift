import BrowseCore

/// A row of a list of books.
public struct BookRow: EntityRow {
    /// The book.
    public let book: Book
    /// The authors, or a text for unknown ones.
    public let authors: String
    /// The year and the number of editions, if known.
    public let summary: String
    /// Whether the book is a favorite.
    public var isFavorite: Bool = false
    /// Whether the person has read the book.
    public var isRead: Bool = false

    init(_ book: Book, texts: Texts) {
        self.book = book
        authors = book.authors.isEmpty ? texts(.authorUnknown) : book.authors.joined(separator: ", ")
        summary = [book.year.map(String.init), book.editions.map { texts(.editions($0)) }].compactMap(\.self)
            .joined(separator: " · ")
    }

    /// The book.
    public var entity: Book { book }
    /// The identifier.
    public var id: Book.ID { book.id }
    /// The screen of the book.
    public var route: Route? { .book(book) }
}

/// A screen of Open Library.
public enum BookScreen: RouteDestination {
    /// A book, and what is known about it.
    case book(Book.ID, preview: Book? = nil)

    /// `open-library`.
    public static let routeName = "open-library"

    /// `books`, and the identifier.
    public var routePath: [String] {
        switch self {
        case .book(let id, _): ["books", id.rawValue]
        }
    }

    /// Reads a path.
    public init?(routePath path: [String]) {
        guard let id = path.last.flatMap(Book.ID.init(rawValue:)) else { return nil }
        self = .book(id)
    }
}

extension Route {
    /// The screen of a book.
    public static func book(_ book: Book) -> Route { .other(Destination(BookScreen.book(book.id, preview: book))) }
}
