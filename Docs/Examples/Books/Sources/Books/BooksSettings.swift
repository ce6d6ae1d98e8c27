import BrowseData
import BrowseCore
import Foundation

/// The settings of Open Library.
public struct BooksSettings: ServiceSettings {
    /// The name in messages about invalid settings.
    public static let name = "Open Library"
    /// Books, with their title and screen in the list of favorites.
    public static var favoriteKinds: [FavoriteKind] { [FavoriteKind(Book.self, title: .booksTitle) { .book($0) }] }

    // The string is a constant, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The URL of Open Library, or of a mirror.
    public var url = URL(string: "https://openlibrary.org")!
    /// A token for a mirror that requires one; it's sent only to the origin of ``url``.
    public var token: Secret?

    /// Creates the settings of the public service.
    public init() {}

    /// Returns Open Library, which allows more requests to clients with a contact in their user agent.
    public func service(in configuration: Configuration) -> HTTPClient.Service {
        var service = HTTPClient.Service.json(baseURL: url, userAgent: configuration.userAgent)
        service.carriesSecrets = token != nil
        return service
    }
}

extension Configuration {
    /// The settings of Open Library.
    public var books: BooksSettings {
        get { self[BooksSettings.self] }
        set { self[BooksSettings.self] = newValue }
    }
}
