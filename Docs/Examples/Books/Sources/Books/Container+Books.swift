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
        mainActorDependency {
            let options = $0.screenOptions(for: .openLibrary)
            return BookSearchViewModel($0.bookRepository(), favorites: $0.favoriteRepository(), options: options)
        }
    }

    /// The screen of one book.
    public var bookDetailViewModel: MainActorDependency<BookDetailViewModel> {
        mainActorDependency {
            let options = $0.screenOptions(for: .openLibrary)
            return BookDetailViewModel($0.bookRepository(), favorites: $0.favoriteRepository(), options: options)
        }
    }
}
