public import BrowseDomain

/// A character as a list shows it: every field has a text.
public struct CharacterRow: FavoriteRow {
    /// The character behind the texts.
    public let character: RickAndMorty.Character
    /// Whether they live, or that nobody said.
    public let status: String
    /// What they are, or that nobody said.
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

    /// The character's identity.
    public var id: RickAndMorty.Character.ID { character.id }
    /// What would be kept.
    public var favorite: Favorite { .character(character) }
    /// The identity of the favorite.
    public var favoriteID: Favorite.ID { .character(character.id) }
    /// The character's page.
    public var route: Route? { .character(character.id) }

    /// The character that is a favorite.
    public static func id(of favorite: Favorite.ID) -> RickAndMorty.Character.ID? {
        favorite.kind == .character ? favorite.number.map(RickAndMorty.Character.ID.init(rawValue:)) : nil
    }

    /// The name.
    public var name: String { character.name }
    /// Where the picture is.
    public var image: WebAddress? { character.image }
}

/// An episode as a list shows it: every field has a text.
public struct EpisodeRow: ListRow {
    /// The episode behind the texts.
    public let episode: RickAndMorty.Episode
    /// Season and number, as in `S01E01`, or that nobody said.
    public let code: String
    /// The day it was first shown, as the reader writes it, or that nobody said.
    public let airDate: String

    /// Creates a row.
    public init(_ episode: RickAndMorty.Episode, texts: Texts) {
        self.episode = episode
        code = texts.value(episode.code)
        airDate = texts.airDate(episode.airDate)
    }

    /// The episode's identity.
    public var id: RickAndMorty.Episode.ID { episode.id }
    /// The episode's page.
    public var route: Route? { .episode(episode.id) }
    /// The title.
    public var name: String { episode.name }
}

/// A location as a list shows it: every field has a text.
public struct LocationRow: ListRow {
    /// The location behind the texts.
    public let location: RickAndMorty.Location
    /// What it is, or that nobody said.
    public let type: String
    /// The dimension it is in, or that nobody said.
    public let dimension: String

    /// Creates a row.
    public init(_ location: RickAndMorty.Location, texts: Texts) {
        self.location = location
        type = texts.value(location.type)
        dimension = texts.value(location.dimension)
    }

    /// The location's identity.
    public var id: RickAndMorty.Location.ID { location.id }
    /// The location's page.
    public var route: Route? { .location(location.id) }
    /// The name.
    public var name: String { location.name }
}
