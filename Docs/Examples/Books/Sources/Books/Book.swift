import BrowseCore

/// A work of Open Library in a list.
public struct Book: Identifiable, Codable, Hashable, Sendable {
    /// The identifier of a work, such as `OL27448W`.
    public struct ID: RawRepresentable, Codable, Hashable, Sendable, LosslessStringConvertible {
        /// The identifier, without a path.
        public let rawValue: String

        /// Creates an identifier from its text, or from a key such as `/works/OL27448W`; `nil` for other text.
        public init?(rawValue text: String) {
            rawValue = text.hasPrefix("/works/") ? String(text.dropFirst(7)) : text
            guard rawValue.wholeMatch(of: /OL[0-9]+W/) != nil else { return nil }
        }

        /// Creates an identifier like ``init(rawValue:)``.
        public init?(_ text: String) { self.init(rawValue: text) }

        /// The identifier.
        public var description: String { rawValue }
    }

    /// The identifier.
    public internal(set) var id: ID
    /// The title; the identifier if the service has none.
    public var title: String
    /// The names of the authors.
    public var authors: [String] = []
    /// The year of the first edition.
    public var year: Int?
    /// The number of editions.
    public var editions: Int?
    /// The number of the cover.
    public var cover: Int?

    /// The cover, in a size for rows.
    public var coverImage: WebAddress? { cover.map { Self.cover($0, size: "M") } }

    /// A missing cover is a failure, not a blank image.
    static func cover(_ number: Int, size: String) -> WebAddress {
        WebAddress(rawValue: "https://covers.openlibrary.org/b/id/\(number)-\(size).jpg?default=false")
    }
}

extension Book: Favoritable {
    /// The kind under which books are stored; it must never change.
    public static let favoriteKind = Favorite.Kind(rawValue: "openlibrary.book")
    /// The identifier.
    public var favoriteKey: String { id.rawValue }
    /// The title.
    public var favoriteTitle: String { title }
    /// The cover.
    public var favoriteImage: WebAddress? { coverImage }
}

/// The details of a work.
struct BookDetails: Hashable, Sendable {
    /// The book from the list.
    let book: Book
    var description: String?
    var subjects: [String] = []
    /// The covers of its editions.
    var covers: [WebAddress] = []
    /// The work that it was merged into; `nil` for most works.
    var successor: Book.ID?
}

/// The source of books.
protocol BookRepository: Sendable {
    /// Searches for books.
    ///
    /// - Throws: `BrowseError`; `.refused(.foreignPage)` for a cursor of another repository.
    func books(matching text: String, at cursor: PageCursor?) async throws(BrowseError) -> Page<Book>

    /// Returns the details of a book, or of the one that it was merged into.
    func details(of book: Book) async throws(BrowseError) -> BookDetails
}
