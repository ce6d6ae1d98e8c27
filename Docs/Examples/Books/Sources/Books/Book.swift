import BrowseCore

/// A book of Open Library.
public nonisolated struct Book: Codable, Hashable, Identifiable, Sendable {
    /// The identifier, such as `OL27448W`.
    public let id: String
    /// The title.
    public let title: String
    /// The cover; `nil` if there is none.
    public let cover: WebAddress?
}

nonisolated extension Book: Favoritable {
    /// The kind under which books are stored; it must never change.
    public static let favoriteKind = Favorite.Kind(rawValue: "openlibrary.book")
    /// The identifier.
    public var favoriteKey: String { id }
    /// The title.
    public var favoriteTitle: String { title }
    /// The cover.
    public var favoriteImage: WebAddress? { cover }
}

/// The details of a book.
nonisolated struct BookDetails: Hashable, Sendable {
    let book: Book
    let published: String?
    let subjects: [String]
    /// The book that this one was merged into; `nil` for all others.
    var replacement: Book.ID?
}

/// The source of books.
nonisolated protocol BookRepository: Sendable {
    func books(matching text: String, at cursor: PageCursor?) async throws(BrowseError) -> Page<Book>
    func books(about subject: String, at cursor: PageCursor?) async throws(BrowseError) -> Page<Book>
    func details(of id: Book.ID) async throws(BrowseError) -> BookDetails
}
