public import BrowseDomain

/// A screen with the details of a location, and its residents.
public typealias LocationDetailViewModel = RickAndMortyDetailViewModel<
    RickAndMorty.Location, RickAndMortyDetails<LocationRow>, CharacterRow
>

extension LocationDetailViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(
        locationRepository: any RickAndMorty.LocationRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions
    ) {
        self.init(options, empty: .noResidents) { id throws(BrowseError) in
            try await locationRepository.location(id)
        } details: {
            RickAndMortyDetails(
                LocationRow($0, texts: $1),
                created: $0.created,
                relatedCount: $0.residents.count,
                texts: $1
            )
        } related: { location throws(BrowseError) in
            try await characterRepository.characters(location.residents)
        } row: {
            CharacterRow($0, texts: $1)
        }
        rows.markFavorites(in: favorites)
    }
}
