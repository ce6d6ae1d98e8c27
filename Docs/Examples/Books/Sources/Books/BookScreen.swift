import BrowseCore

/// A screen of Open Library.
public nonisolated enum BookScreen: RouteDestination {
    /// A book.
    case book(Book.ID)
    /// The books about a subject.
    case subject(String)

    /// The first segment of the paths.
    public static let routeName = "open-library"

    /// The other segments, as in `/open-library/books/OL27448W`.
    public var routePath: [String] {
        switch self {
        case .book(let id): ["books", id]
        case .subject(let subject): ["subjects", subject]
        }
    }

    /// Reads a path.
    public init?(routePath path: [String]) {
        guard path.count == 2 else { return nil }
        switch path[0] {
        case "books": self = .book(path[1])
        case "subjects": self = .subject(path[1])
        default: return nil
        }
    }
}

nonisolated extension Route {
    /// The screen of a book.
    public static func book(_ id: Book.ID) -> Route { .other(Destination(BookScreen.book(id))) }
    /// The screen with the books about a subject.
    public static func books(about subject: String) -> Route { .other(Destination(BookScreen.subject(subject))) }
}

/// A row of a list of books, which also has the properties of the book.
public nonisolated struct BookRow: EntityRow {
    /// The book.
    public let entity: Book
    /// Whether the book is a favorite.
    public var isFavorite: Bool = false
    /// Whether the person has read the book.
    public var isRead: Bool = false

    init(_ book: Book) { entity = book }

    /// The identifier.
    public var id: Book.ID { entity.id }
    /// The screen of the book.
    public var route: Route? { .book(id) }
}

nonisolated extension Phrase {
    static let openLibrary = Phrase("books.service", "Open Library", ko: "Open Library")
    static let booksTitle = Phrase("books.title", "Books", ko: "책")
    static let published = Phrase("books.published", "Published", ko: "출간")
    static let subject = Phrase("books.subject", "Subject", ko: "주제")
    static let noBooks = Phrase("books.none", "No Books", ko: "책 없음")

    static func noBooks(about subject: String) -> Phrase {
        Phrase("books.none.text", "There are no books about \(subject).", ko: "이 주제의 책이 없습니다: \(subject)")
    }
}

nonisolated extension Texts.Service {
    /// The texts about Open Library.
    public static let openLibrary = Texts.Service(name: .openLibrary)
}
