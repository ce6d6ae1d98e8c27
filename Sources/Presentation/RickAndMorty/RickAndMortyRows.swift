public import BrowseDomain

/// A row of a character.
public struct CharacterRow: EntityRow {
    /// The character.
    public let character: RickAndMorty.Character
    /// The localized status.
    public let status: String
    /// The species, or a text that says that it's unknown.
    public let species: String
    /// Whether the character is a favorite.
    public var isFavorite: Bool

    /// Creates a row.
    public init(_ character: RickAndMorty.Character, isFavorite: Bool = false, texts: Texts) {
        self.character = character
        self.isFavorite = isFavorite
        status = texts.status(character.status)
        species = texts.value(character.species)
    }

    /// The entity.
    public var entity: RickAndMorty.Character { character }
    /// The id of the character.
    public var id: RickAndMorty.Character.ID { character.id }
    /// The details of the character.
    public var route: Route? { .character(character.id) }
}

/// A row of an episode.
public struct EpisodeRow: ListRow {
    /// The episode.
    public let episode: RickAndMorty.Episode
    /// The season and number, such as `S01E01`, or a text that says that they're unknown.
    public let code: String
    /// The localized day of the first airing, or a text that says that it's unknown.
    public let airDate: String

    /// Creates a row.
    public init(_ episode: RickAndMorty.Episode, texts: Texts) {
        self.episode = episode
        code = texts.value(episode.code)
        airDate = texts.airDate(episode.airDate)
    }

    /// The id of the episode.
    public var id: RickAndMorty.Episode.ID { episode.id }
    /// The details of the episode.
    public var route: Route? { .episode(episode.id) }
    /// The title.
    public var name: String { episode.name }
}

/// A row of a location.
public struct LocationRow: ListRow {
    /// The location.
    public let location: RickAndMorty.Location
    /// The type, or a text that says that it's unknown.
    public let type: String
    /// The dimension, or a text that says that it's unknown.
    public let dimension: String

    /// Creates a row.
    public init(_ location: RickAndMorty.Location, texts: Texts) {
        self.location = location
        type = texts.value(location.type)
        dimension = texts.value(location.dimension)
    }

    /// The id of the location.
    public var id: RickAndMorty.Location.ID { location.id }
    /// The details of the location.
    public var route: Route? { .location(location.id) }
    /// The name.
    public var name: String { location.name }
}
