import BrowseData
import BrowseCore
import Foundation

extension Container {
    /// The client of Open Library.
    var bookClient: Dependency<HTTPClient> {
        dependency(.shared) { container in
            let settings = container.configuration.books
            return container.client(
                of: settings.service(in: container.configuration),
                tokens: settings.token.map { AccessGrant(account: "mirror", token: $0) }
            )
        }
    }

    /// The source of books.
    var bookRepository: Dependency<any BookRepository> {
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
