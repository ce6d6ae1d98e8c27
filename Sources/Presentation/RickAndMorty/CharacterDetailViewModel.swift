public import BrowseDomain

/// A screen with the details of a character, and the episodes of the character.
public typealias CharacterDetailViewModel = RickAndMortyDetailViewModel<
    RickAndMorty.Character, CharacterDetails, EpisodeRow
>

/// The localized details of a character, which also have the properties of its row.
@dynamicMemberLookup
public struct CharacterDetails: Equatable, Sendable {
    /// The row.
    public let row: CharacterRow
    /// The gender.
    public let gender: String
    /// The type of the species.
    public let type: String
    /// The place of origin.
    public let origin: String
    /// The last known location.
    public let location: String
    /// The day on which the API added the character.
    public let created: String
    /// The number of episodes.
    public let episodeCount: String

    init(_ character: RickAndMorty.Character, texts: Texts) {
        row = CharacterRow(character, texts: texts)
        gender = texts.gender(character.gender)
        type = texts.value(character.type)
        origin = texts.value(character.origin.name)
        location = texts.value(character.location.name)
        created = texts.created(character.created)
        episodeCount = texts(.count(character.episodes.count))
    }

    /// A property of the row.
    public subscript<Value>(dynamicMember property: KeyPath<CharacterRow, Value>) -> Value { row[keyPath: property] }
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
        page.entity?.origin.id.map(Route.location)
    }

    /// Returns the last known location; `nil` if the API doesn't have it, or the character isn't loaded.
    public func showLocation() -> Route? {
        page.entity?.location.id.map(Route.location)
    }
}

extension CharacterDetailViewModel: FavoriteDetailViewModel {}
