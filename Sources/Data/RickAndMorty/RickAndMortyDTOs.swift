import BrowseData
import BrowseDomain
import BrowseRickAndMortyDomain

/// A character in the API's format; only the ID and the name are required.
struct CharacterDTO: RickAndMortyDTO {
    static var kind: RickAndMortyKind { .character }

    let id: Int64
    let name: String
    @Lenient var status: String?
    @Lenient var species: String?
    @Lenient var type: String?
    @Lenient var gender: String?
    @Lenient var origin: PlaceDTO?
    @Lenient var location: PlaceDTO?
    @Lenient var image: String?
    @Lenient var episode: [String]?
    @Lenient var created: String?

    static func query(_ filter: RickAndMorty.CharacterFilter) -> [(name: String, value: String?)] {
        [
            ("name", filter.name), ("status", filter.status?.rawValue), ("species", filter.species),
            ("type", filter.type), ("gender", filter.gender?.rawValue),
        ]
    }

    var entity: RickAndMorty.Character {
        RickAndMorty.Character(
            id: RickAndMorty.Character.ID(rawValue: id),
            name: name,
            status: status.map(RickAndMorty.Character.Status.init(rawValue:)),
            species: species,
            type: type,
            gender: gender.map(RickAndMorty.Character.Gender.init(rawValue:)),
            origin: origin?.place ?? RickAndMorty.Character.Place(),
            location: location?.place ?? RickAndMorty.Character.Place(),
            image: image.flatMap { $0.isEmpty ? nil : WebAddress(rawValue: $0) },
            episodes: (episode ?? []).compactMap(RickAndMortyKind.episode.id),
            created: Self.date(created)
        )
    }
}

/// A character's place: a name, and the URL of the location, which is empty for unknown places.
struct PlaceDTO: Decodable, Sendable {
    @Lenient var name: String?
    @Lenient var url: String?

    var place: RickAndMorty.Character.Place {
        RickAndMorty.Character.Place(name: name, id: url.flatMap(RickAndMortyKind.location.id))
    }
}

/// An episode in the API's format; only the ID and the name are required.
struct EpisodeDTO: RickAndMortyDTO {
    static var kind: RickAndMortyKind { .episode }

    let id: Int64
    let name: String
    @Lenient var airDate: String?
    @Lenient var episode: String?
    @Lenient var characters: [String]?
    @Lenient var created: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, episode, characters, created
        case airDate = "air_date"
    }

    static func query(_ filter: RickAndMorty.EpisodeFilter) -> [(name: String, value: String?)] {
        [("name", filter.name), ("episode", filter.code)]
    }

    var entity: RickAndMorty.Episode {
        RickAndMorty.Episode(
            id: RickAndMorty.Episode.ID(rawValue: id),
            name: name,
            code: episode,
            airDate: airDate,
            characters: (characters ?? []).compactMap(RickAndMortyKind.character.id),
            created: Self.date(created)
        )
    }
}

/// A location in the API's format; only the ID and the name are required.
struct LocationDTO: RickAndMortyDTO {
    static var kind: RickAndMortyKind { .location }

    let id: Int64
    let name: String
    @Lenient var type: String?
    @Lenient var dimension: String?
    @Lenient var residents: [String]?
    @Lenient var created: String?

    static func query(_ filter: RickAndMorty.LocationFilter) -> [(name: String, value: String?)] {
        [("name", filter.name), ("type", filter.type), ("dimension", filter.dimension)]
    }

    var entity: RickAndMorty.Location {
        RickAndMorty.Location(
            id: RickAndMorty.Location.ID(rawValue: id),
            name: name,
            type: type,
            dimension: dimension,
            residents: (residents ?? []).compactMap(RickAndMortyKind.character.id),
            created: Self.date(created)
        )
    }
}
