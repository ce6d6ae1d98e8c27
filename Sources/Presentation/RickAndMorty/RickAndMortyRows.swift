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

    /// The entity.
    var entity: Entity { get }

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
    /// The source of the character.
    public var previewSource: PreviewSource = .saved

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
    public static let noRelatedItems: Phrase = .noEpisodes
}

/// A row of an episode.
public struct EpisodeRow: RickAndMortyRow {
    /// The episode.
    public let episode: RickAndMorty.Episode
    /// The season and number, such as `S01E01`, or a text for a missing one.
    public let code: String
    /// The localized day of the first airing, or a text for a missing one.
    public let airDate: String
    /// The source of the episode.
    public var previewSource: PreviewSource = .saved

    /// Creates a row, with localized texts in place of missing values.
    public init(_ episode: RickAndMorty.Episode, texts: Texts) {
        self.episode = episode
        code = texts.value(episode.code)
        airDate = texts.airDate(episode.airDate)
    }

    /// The entity.
    public var entity: RickAndMorty.Episode { episode }
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
    public static let noRelatedItems: Phrase = .noCharacters
}

/// A row of a location.
public struct LocationRow: RickAndMortyRow {
    /// The location.
    public let location: RickAndMorty.Location
    /// The type, or a text for a missing one.
    public let type: String
    /// The dimension, or a text for a missing one.
    public let dimension: String
    /// The source of the location.
    public var previewSource: PreviewSource = .saved

    /// Creates a row, with localized texts in place of missing values.
    public init(_ location: RickAndMorty.Location, texts: Texts) {
        self.location = location
        type = texts.value(location.type)
        dimension = texts.value(location.dimension)
    }

    /// The entity.
    public var entity: RickAndMorty.Location { location }
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
    public static let noRelatedItems: Phrase = .noResidents
}

extension CharacterRow {
    /// Returns the fields of a filter for characters.
    public static func fields(in texts: Texts) -> [QueryField<RickAndMorty.CharacterFilter>] {
        let statuses = RickAndMorty.Character.Status.known.map { ($0.rawValue, texts.status($0), Optional($0)) }
        let genders = RickAndMorty.Character.Gender.known.map { ($0.rawValue, texts.gender($0), Optional($0)) }
        return [
            .text("name", texts(.name), \.name),
            .choice("status", texts(.status), \.status, [("", texts(.any), nil)] + statuses),
            .choice("gender", texts(.gender), \.gender, [("", texts(.any), nil)] + genders),
            .text("species", texts(.species), \.species),
            .text("type", texts(.type), \.type),
        ]
    }

    /// Returns the facts about the character; places have routes.
    public func facts(in texts: Texts) -> [Fact] {
        func place(_ id: String, _ label: Phrase, _ name: String, _ place: RickAndMorty.Character.Place) -> Fact {
            let route = place.id.map { Route.rickAndMorty(.location($0)) }
            return Fact(id, texts(label), name, isMissing: place.name == nil, route: route)
        }
        return [
            Fact("status", texts(.status), status, isMissing: character.status == nil),
            Fact("species", texts(.species), species, isMissing: character.species == nil),
            Fact("type", texts(.type), type, isMissing: character.type == nil),
            Fact("gender", texts(.gender), gender, isMissing: character.gender == nil),
            place("origin", .origin, origin, character.origin),
            place("location", .lastLocation, location, character.location),
        ]
    }
}

extension EpisodeRow {
    /// Returns the fields of a filter for episodes.
    public static func fields(in texts: Texts) -> [QueryField<RickAndMorty.EpisodeFilter>] {
        [.text("name", texts(.name), \.name), .text("code", texts(.code), \.code)]
    }

    /// Returns the facts about the episode.
    public func facts(in texts: Texts) -> [Fact] {
        [
            Fact("code", texts(.code), code, isMissing: episode.code == nil),
            Fact("airDate", texts(.airDate), airDate, isMissing: episode.airDate == nil),
        ]
    }
}

extension LocationRow {
    /// Returns the fields of a filter for locations.
    public static func fields(in texts: Texts) -> [QueryField<RickAndMorty.LocationFilter>] {
        [
            .text("name", texts(.name), \.name), .text("type", texts(.type), \.type),
            .text("dimension", texts(.dimension), \.dimension),
        ]
    }

    /// Returns the facts about the location.
    public func facts(in texts: Texts) -> [Fact] {
        [
            Fact("type", texts(.type), type, isMissing: location.type == nil),
            Fact("dimension", texts(.dimension), dimension, isMissing: location.dimension == nil),
        ]
    }
}
