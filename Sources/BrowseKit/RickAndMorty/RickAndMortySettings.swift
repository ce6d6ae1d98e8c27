@_exported public import BrowseCore
public import BrowseData
public import BrowsePresentation
import BrowseRickAndMortyData
@_exported public import BrowseRickAndMortyDomain
@_exported public import BrowseRickAndMortyPresentation
import Foundation

/// The settings of the Rick and Morty API.
public struct RickAndMortySettings: ServiceSettings {
    /// The service's name in problems of a configuration.
    public static let name = "Rick and Morty"
    /// The kind of favorites for characters.
    public static var favoriteKinds: [FavoriteKind] { FavoriteKind.rickAndMorty }

    // The string is a constant, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The URL of the API.
    public var url: URL = URL(string: "https://rickandmortyapi.com/api")!

    /// Creates the settings of the public API.
    public init() {}

    /// Returns the service of the Rick and Morty API.
    public func service(in configuration: Configuration) -> HTTPClient.Service {
        .rickAndMorty(baseURL: url, userAgent: configuration.userAgent)
    }
}

extension Configuration {
    /// The settings of the Rick and Morty API.
    public var rickAndMorty: RickAndMortySettings {
        get { self[RickAndMortySettings.self] }
        set { self[RickAndMortySettings.self] = newValue }
    }
}
