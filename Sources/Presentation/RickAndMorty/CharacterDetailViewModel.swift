public import BrowseDomain

/// A screen with the details of a character, and the episodes of the character.
public typealias CharacterDetailViewModel = RickAndMortyDetailViewModel<
    RickAndMorty.Character, CharacterDetails, EpisodeRow
>

/// The localized details of a character.
public struct CharacterDetails: Equatable, Sendable {
    /// The character.
    public var character: RickAndMorty.Character
    /// The name.
    public var name: String
    /// The address of the image; `nil` if there is none.
    public var image: WebAddress?
    /// Alive, dead, or unknown.
    public var status: String
    /// The gender.
    public var gender: String
    /// The species.
    public var species: String
    /// The type of the species.
    public var type: String
    /// The place of origin.
    public var origin: String
    /// The last known location.
    public var location: String
    /// The day on which the API added the character.
    public var created: String
    /// The number of episodes.
    public var episodeCount: String

    init(_ character: RickAndMorty.Character, texts: Texts) {
        self.character = character
        name = character.name
        image = character.image
        status = texts.status(character.status)
        gender = texts.gender(character.gender)
        species = texts.value(character.species)
        type = texts.value(character.type)
        origin = texts.value(character.origin.name)
        location = texts.value(character.location.name)
        created = texts.created(character.created)
        episodeCount = texts(.count(character.episodes.count))
    }
}

extension CharacterDetailViewModel {
    /// Creates the screen; ``show(_:)`` loads it.
    public convenience init(
        characterRepository: any RickAndMorty.CharacterRepository,
        episodeRepository: any RickAndMorty.EpisodeRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions
    ) {
        self.init(options, empty: .noEpisodes) { id throws(BrowseError) in
            try await characterRepository.character(id)
        } details: {
            CharacterDetails($0, texts: $1)
        } related: { character throws(BrowseError) in
            try await episodeRepository.episodes(character.episodes)
        } row: {
            EpisodeRow($0, texts: $1)
        }
        page.markFavorite(in: favorites, store: store, at: \.isFavorite) { .character($0) }
    }

    /// Returns the place of origin; `nil` if the API doesn't have it, or the character isn't loaded.
    public func showOrigin() -> Route? {
        page.thing?.origin.id.map(Route.location)
    }

    /// Returns the last known location; `nil` if the API doesn't have it, or the character isn't loaded.
    public func showLocation() -> Route? {
        page.thing?.location.id.map(Route.location)
    }
}

extension CharacterDetailViewModel: FavoriteDetailViewModel {}
