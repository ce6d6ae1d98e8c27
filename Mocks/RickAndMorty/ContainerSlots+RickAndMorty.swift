import BrowseCore
public import BrowseCoreMocks
import BrowseRickAndMorty

extension ContainerSlots {
    /// The slots of the core and of the Rick and Morty API.
    public static let rickAndMorty = ContainerSlots(own: [
        "rickAndMortyClient": { $0.rickAndMortyClient() },
        "characterRepository": { $0.characterRepository() },
        "episodeRepository": { $0.episodeRepository() },
        "locationRepository": { $0.locationRepository() },
        "characterListViewModel": { $0.characterListViewModel() },
        "episodeListViewModel": { $0.episodeListViewModel() },
        "locationListViewModel": { $0.locationListViewModel() },
        "characterDetailViewModel": { $0.characterDetailViewModel() },
        "episodeDetailViewModel": { $0.episodeDetailViewModel() },
        "locationDetailViewModel": { $0.locationDetailViewModel() },
    ])
}
