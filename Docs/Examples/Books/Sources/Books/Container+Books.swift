import BrowseData
import BrowseKit
import Foundation

extension HTTPClient.Service {
    /// Open Library, which allows more requests to clients with a contact in their user agent.
    static func openLibrary(userAgent: String) -> HTTPClient.Service {
        // The address is a constant, and valid.
        // swift-format-ignore: NeverForceUnwrap
        .json(baseURL: URL(string: "https://openlibrary.org")!, userAgent: userAgent)
    }
}

extension Container {
    /// The client of Open Library.
    public var bookClient: Dependency<HTTPClient> {
        dependency(.singleton) { $0.client(of: .openLibrary(userAgent: $0.configuration.userAgent)) }
    }

    /// The source of books.
    public var bookRepository: Dependency<any BookRepository> {
        dependency(.singleton) { RemoteBookRepository(client: $0.bookClient()) }
    }
}

extension Container {
    /// The screen that searches for books.
    public var bookSearchViewModel: MainActorDependency<BookSearchViewModel> {
        mainActorDependency { container in
            BookSearchViewModel(
                repository: container.bookRepository(),
                favorites: container.favoriteRepository(),
                options: container.screenOptions()
            )
        }
    }

    /// The screen of one book.
    public var bookDetailViewModel: MainActorDependency<BookDetailViewModel> {
        mainActorDependency { container in
            BookDetailViewModel(
                repository: container.bookRepository(),
                favorites: container.favoriteRepository(),
                options: container.screenOptions()
            )
        }
    }
}
