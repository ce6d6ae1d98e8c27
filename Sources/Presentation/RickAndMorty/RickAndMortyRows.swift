public import BrowseDomain
public import BrowsePresentation
public import BrowseRickAndMortyDomain

/// A row of a character, an episode, or a location.
public protocol RickAndMortyRow<Entity>: ListRow where ID == Entity.ID {
    /// The type of the entity.
    associatedtype Entity: RickAndMorty.Entity

    /// The title of a list.
    static var listTitle: Phrase { get }
    /// The title of the list of related items.
    static var relatedTitle: Phrase { get }
    /// The text in place of the related items of an entity that has none.
    static var noRelatedItems: Phrase { get }
    /// Returns the fields of a filter.
    static func fields(in texts: Texts) -> [QueryField<Entity.Filter>]

    /// Creates a row.
    init(_ entity: Entity, texts: Texts)

    /// Returns the facts about the entity, in display order.
    func facts(in texts: Texts) -> [Fact]
}

/// A row of a character, which also has the properties of the character.
///
/// Texts for missing values say so.
public struct CharacterRow: EntityRow, RickAndMortyRow {
    /// The character.
    public let character: RickAndMorty.Character
    /// The localized status.
    public let status: String
    /// The species.
    public let species: String
    /// The localized gender.
    public let gender: String
    /// The type of the species.
    public let type: String
    /// The place of origin.
    public let origin: String
    /// The last known location.
    public let location: String
    /// Whether the character is a favorite.
    public var isFavorite: Bool = false

    /// Creates a row, with localized texts in place of missing values.
    public init(_ character: RickAndMorty.Character, texts: Texts) {
        self.character = character
        status = texts.status(character.status)
        species = texts.value(character.species)
        gender = texts.gender(character.gender)
        type = texts.value(character.type)
        origin = texts.value(character.origin.name)
        location = texts.value(character.location.name)
    }

    /// The entity.
    public var entity: RickAndMorty.Character { character }
    /// The id of the character.
    public var id: RickAndMorty.Character.ID { character.id }
    /// The details of the character.
    public var route: Route? { .rickAndMorty(.character(character.id)) }

    /// The title of a list of characters.
    public static let listTitle: Phrase = Phrase("characters.title", "Characters", ko: "등장인물")
    /// The title of the list of episodes.
    public static let relatedTitle: Phrase = EpisodeRow.listTitle
    /// The text in place of the episodes of a character.
    public static let noRelatedItems: Phrase = Phrase(
        "character.noEpisodes",
        "No episodes are known.",
        ko: "알려진 에피소드가 없습니다."
    )
}

/// A row of an episode.
public struct EpisodeRow: RickAndMortyRow {
    /// The episode.
    public let episode: RickAndMorty.Episode
    /// The season and number, such as `S01E01`, or a text for a missing one.
    public let code: String
    /// The localized day of the first airing, or a text for a missing one.
    public let airDate: String

    /// Creates a row, with localized texts in place of missing values.
    public init(_ episode: RickAndMorty.Episode, texts: Texts) {
        self.episode = episode
        code = texts.value(episode.code)
        airDate = texts.airDate(episode.airDate)
    }

    /// The id of the episode.
    public var id: RickAndMorty.Episode.ID { episode.id }
    /// The details of the episode.
    public var route: Route? { .rickAndMorty(.episode(episode.id)) }
    /// The title.
    public var name: String { episode.name }

    /// The title of a list of episodes.
    public static let listTitle: Phrase = Phrase("episodes.title", "Episodes", ko: "에피소드")
    /// The title of the list of characters.
    public static let relatedTitle: Phrase = CharacterRow.listTitle
    /// The text in place of the characters in an episode.
    public static let noRelatedItems: Phrase = Phrase(
        "episode.noCharacters",
        "No characters are known.",
        ko: "알려진 등장인물이 없습니다."
    )
}

/// A row of a location.
public struct LocationRow: RickAndMortyRow {
    /// The location.
    public let location: RickAndMorty.Location
    /// The type, or a text for a missing one.
    public let type: String
    /// The dimension, or a text for a missing one.
    public let dimension: String

    /// Creates a row, with localized texts in place of missing values.
    public init(_ location: RickAndMorty.Location, texts: Texts) {
        self.location = location
        type = texts.value(location.type)
        dimension = texts.value(location.dimension)
    }

    /// The id of the location.
    public var id: RickAndMorty.Location.ID { location.id }
    /// The details of the location.
    public var route: Route? { .rickAndMorty(.location(location.id)) }
    /// The name.
    public var name: String { location.name }

    /// The title of a list of locations.
    public static let listTitle: Phrase = Phrase("locations.title", "Locations", ko: "장소")
    /// The title of the list of residents.
    public static let relatedTitle: Phrase = Phrase("location.residents", "Residents", ko: "주민")
    /// The text in place of the residents of a location.
    public static let noRelatedItems: Phrase = Phrase(
        "location.noResidents",
        "No residents are known.",
        ko: "알려진 주민이 없습니다."
    )
}
