public import BrowseDomain

/// A screen with the details of a location, and its residents.
public typealias LocationDetailViewModel = RickAndMortyDetailViewModel<
    RickAndMorty.Location, LocationDetails, CharacterRow
>

/// A location in words.
public struct LocationDetails: Equatable, Sendable {
    /// The location.
    public var location: RickAndMorty.Location
    /// The name.
    public var name: String
    /// The type, such as a planet.
    public var type: String
    /// The dimension.
    public var dimension: String
    /// The day on which the API added it.
    public var created: String
    /// The number of residents: characters who were last seen there.
    public var residentCount: String

    init(_ location: RickAndMorty.Location, texts: Texts) {
        self.location = location
        name = location.name
        type = texts.value(location.type)
        dimension = texts.value(location.dimension)
        created = texts.created(location.created)
        residentCount = texts(.count(location.residents.count))
    }
}

extension LocationDetailViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(
        locationRepository: any RickAndMorty.LocationRepository,
        characterRepository: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions
    ) {
        self.init(options, empty: .noResidents, details: LocationDetails.init, row: { CharacterRow($0, texts: $1) }) {
            id throws(BrowseError) in
            try await locationRepository.location(id)
        } related: { location throws(BrowseError) in
            try await characterRepository.characters(location.residents)
        }
        rows.markFavorites(in: favorites)
    }
}
