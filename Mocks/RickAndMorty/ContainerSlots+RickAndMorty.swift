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
    ])
}
