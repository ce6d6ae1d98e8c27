import BrowseCore
import BrowseData
import Foundation

/// The settings of Open Library.
public nonisolated struct BooksSettings: ServiceSettings {
    /// The name in messages about invalid settings.
    public static let name = "Open Library"
    /// Books, with their title and screen in the list of favorites.
    public static var favoriteKinds: [FavoriteKind] { [FavoriteKind(Book.self, title: .booksTitle) { .book($0.id) }] }

    // The string is a constant, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The URL of Open Library, or of a mirror.
    public var url = URL(string: "https://openlibrary.org")!

    /// Creates the settings of the public service.
    public init() {}

    /// Returns Open Library, which allows more requests to clients with a contact in their user agent.
    public func service(in configuration: Configuration) -> HTTPClient.Service {
        var service = HTTPClient.Service.json(baseURL: url, userAgent: configuration.userAgent)
        service.evidence = .json()
        return service
    }
}

nonisolated extension Configuration {
    /// The settings of Open Library.
    public var books: BooksSettings {
        get { self[BooksSettings.self] }
        set { self[BooksSettings.self] = newValue }
    }
}

nonisolated extension Container {
    /// The client of Open Library.
    var bookClient: Dependency<HTTPClient> {
        dependency(.shared) { $0.client(of: $0.configuration.books.service(in: $0.configuration)) }
    }

    /// The source of books.
    var bookRepository: Dependency<any BookRepository> {
        dependency(.singleton) { RemoteBookRepository(client: $0.bookClient()) }
    }
}

@MainActor
extension Container {
    /// The screen that searches for books.
    public func bookSearchViewModel() -> BookSearchViewModel {
        BookSearchViewModel(bookRepository(), options: screenOptions(for: .openLibrary))
    }

    /// The screen of one book.
    public func bookDetailViewModel() -> BookDetailViewModel {
        BookDetailViewModel(bookRepository(), options: screenOptions(for: .openLibrary))
    }

    /// The screen with the books about a subject.
    public func bookListViewModel() -> PagedListViewModel<String, BookRow> {
        let repository = bookRepository()
        let options = screenOptions(for: .openLibrary)
        return PagedListViewModel(options: options) { subject in
            subject
        } empty: { subject in
            Message(kind: .empty, title: options.texts(.noBooks), text: options.texts(.noBooks(about: subject)))
        } page: { subject, cursor throws(BrowseError) in
            try await repository.books(about: subject, at: cursor)
        } row: { book in
            BookRow(book)
        }
    }
}
