@_exported public import BrowseCore
public import BrowseData
import BrowseDomain
public import BrowsePresentation
import BrowseRickAndMortyData
@_exported public import BrowseRickAndMortyDomain
@_exported public import BrowseRickAndMortyPresentation
import Foundation

extension Container {
    /// The client of the Rick and Morty API.
    public var rickAndMortyClient: Dependency<HTTPClient> {
        dependency(.shared) { container in
            container.client(of: container.configuration.rickAndMorty.service(in: container.configuration))
        }
    }

    /// Loads characters.
    public var characterRepository: Dependency<any RickAndMorty.CharacterRepository> {
        dependency(.singleton) { RickAndMorty.remoteCharacters(client: $0.rickAndMortyClient()) }
    }

    /// Loads episodes.
    public var episodeRepository: Dependency<any RickAndMorty.EpisodeRepository> {
        dependency(.singleton) { RickAndMorty.remoteEpisodes(client: $0.rickAndMortyClient()) }
    }

    /// Loads locations.
    public var locationRepository: Dependency<any RickAndMorty.LocationRepository> {
        dependency(.singleton) { RickAndMorty.remoteLocations(client: $0.rickAndMortyClient()) }
    }

    private var rickAndMortyOptions: ScreenOptions { screenOptions(for: .rickAndMorty) }

    /// The screen with all characters, or those that match a filter.
    public var characterListViewModel: MainActorDependency<CharacterListViewModel> {
        mainActorDependency { container in
            CharacterListViewModel(
                repository: container.characterRepository(),
                favorites: container.favoriteRepository(),
                options: container.rickAndMortyOptions
            )
        }
    }

    /// The screen with all episodes, or those that match a filter.
    public var episodeListViewModel: MainActorDependency<EpisodeListViewModel> {
        mainActorDependency {
            EpisodeListViewModel(repository: $0.episodeRepository(), options: $0.rickAndMortyOptions)
        }
    }

    /// The screen with all locations, or those that match a filter.
    public var locationListViewModel: MainActorDependency<LocationListViewModel> {
        mainActorDependency {
            LocationListViewModel(repository: $0.locationRepository(), options: $0.rickAndMortyOptions)
        }
    }

    /// The screen with a character's details.
    public var characterDetailViewModel: MainActorDependency<CharacterDetailViewModel> {
        mainActorDependency { container in
            CharacterDetailViewModel(
                repository: container.characterRepository(),
                relatedRepository: container.episodeRepository(),
                favorites: container.favoriteRepository(),
                options: container.rickAndMortyOptions
            )
        }
    }

    /// The screen with an episode's details.
    public var episodeDetailViewModel: MainActorDependency<EpisodeDetailViewModel> {
        mainActorDependency { container in
            EpisodeDetailViewModel(
                repository: container.episodeRepository(),
                relatedRepository: container.characterRepository(),
                favorites: container.favoriteRepository(),
                options: container.rickAndMortyOptions
            )
        }
    }

    /// The screen with a location's details.
    public var locationDetailViewModel: MainActorDependency<LocationDetailViewModel> {
        mainActorDependency { container in
            LocationDetailViewModel(
                repository: container.locationRepository(),
                relatedRepository: container.characterRepository(),
                favorites: container.favoriteRepository(),
                options: container.rickAndMortyOptions
            )
        }
    }
}

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
        .rickAndMorty(baseURL: url, userAgent: configuration.userAgent, now: configuration.now)
    }
}

extension Configuration {
    /// The settings of the Rick and Morty API.
    public var rickAndMorty: RickAndMortySettings {
        get { self[RickAndMortySettings.self] }
        set { self[RickAndMortySettings.self] = newValue }
    }
}
