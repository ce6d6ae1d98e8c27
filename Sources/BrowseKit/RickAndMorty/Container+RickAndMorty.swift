@_spi(Services) @_exported public import BrowseCore
public import BrowseData
import BrowsePresentation
import BrowseRickAndMortyData
@_exported public import BrowseRickAndMortyDomain
@_exported public import BrowseRickAndMortyPresentation

extension Container {
    /// The client of the Rick and Morty API.
    public var rickAndMortyClient: Dependency<HTTPClient> {
        dependency(.shared) { container in
            container.client(of: container.configuration.rickAndMorty.service(in: container.configuration))
        }
    }

    /// Loads characters.
    public var characterRepository: Dependency<any RickAndMorty.CharacterRepository> {
        dependency(.singleton) { RemoteCharacterRepository(client: $0.rickAndMortyClient()) }
    }

    /// Loads episodes.
    public var episodeRepository: Dependency<any RickAndMorty.EpisodeRepository> {
        dependency(.singleton) { RemoteEpisodeRepository(client: $0.rickAndMortyClient()) }
    }

    /// Loads locations.
    public var locationRepository: Dependency<any RickAndMorty.LocationRepository> {
        dependency(.singleton) { RemoteLocationRepository(client: $0.rickAndMortyClient()) }
    }
}

@MainActor
extension Container {
    /// The screen with all characters, or those that match a filter.
    public func characterListViewModel() -> CharacterListViewModel {
        CharacterListViewModel(repository: characterRepository(), options: screenOptions())
    }

    /// The screen with all episodes, or those that match a filter.
    public func episodeListViewModel() -> EpisodeListViewModel {
        EpisodeListViewModel(repository: episodeRepository(), options: screenOptions())
    }

    /// The screen with all locations, or those that match a filter.
    public func locationListViewModel() -> LocationListViewModel {
        LocationListViewModel(repository: locationRepository(), options: screenOptions())
    }

    /// The screen with a character's details.
    public func characterDetailViewModel() -> CharacterDetailViewModel {
        CharacterDetailViewModel(
            repository: characterRepository(),
            relatedRepository: episodeRepository(),
            options: screenOptions()
        )
    }

    /// The screen with an episode's details.
    public func episodeDetailViewModel() -> EpisodeDetailViewModel {
        EpisodeDetailViewModel(
            repository: episodeRepository(),
            relatedRepository: characterRepository(),
            options: screenOptions()
        )
    }

    /// The screen with a location's details.
    public func locationDetailViewModel() -> LocationDetailViewModel {
        LocationDetailViewModel(
            repository: locationRepository(),
            relatedRepository: characterRepository(),
            options: screenOptions()
        )
    }
}
