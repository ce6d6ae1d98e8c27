@_spi(Services) import BrowseData
import BrowseDomain
import BrowseRickAndMortyDomain

/// A character in the API's format; only the ID and the name are required.
struct CharacterDTO: RickAndMortyDTO {
    static var kind: RickAndMortyKind { .character }

    let entity: RickAndMorty.Character

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: JSONKey.self)
        entity = RickAndMorty.Character(
            id: RickAndMorty.Character.ID(rawValue: try json.required("id")),
            name: try json.required("name")
        ) {
            $0.status = json["status"].map(RickAndMorty.Character.Status.init(rawValue:))
            $0.species = json["species"]
            $0.type = json["type"]
            $0.gender = json["gender"].map(RickAndMorty.Character.Gender.init(rawValue:))
            $0.origin = (json["origin"] as PlaceDTO?)?.place ?? RickAndMorty.Character.Place()
            $0.location = (json["location"] as PlaceDTO?)?.place ?? RickAndMorty.Character.Place()
            $0.image = json[address: "image"]
            $0.episodes = json[list: "episode"].compactMap(RickAndMortyKind.episode.id)
            $0.created = json[date: "created"]
        }
    }

    static func query(_ filter: RickAndMorty.CharacterFilter) -> [(name: String, value: String?)] {
        [
            ("name", filter.name), ("status", filter.status?.rawValue), ("species", filter.species),
            ("type", filter.type), ("gender", filter.gender?.rawValue),
        ]
    }
}

/// A character's place: a name, and the URL of the location, which is empty for unknown places.
private struct PlaceDTO: Decodable, Sendable {
    let place: RickAndMorty.Character.Place

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: JSONKey.self)
        place = RickAndMorty.Character.Place(
            name: json["name"],
            id: json["url"].flatMap(RickAndMortyKind.location.id)
        )
    }
}

/// An episode in the API's format; only the ID and the name are required.
struct EpisodeDTO: RickAndMortyDTO {
    static var kind: RickAndMortyKind { .episode }

    let entity: RickAndMorty.Episode

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: JSONKey.self)
        entity = RickAndMorty.Episode(
            id: RickAndMorty.Episode.ID(rawValue: try json.required("id")),
            name: try json.required("name")
        ) {
            $0.code = json["episode"]
            $0.airDate = json["air_date"]
            $0.characters = json[list: "characters"].compactMap(RickAndMortyKind.character.id)
            $0.created = json[date: "created"]
        }
    }

    static func query(_ filter: RickAndMorty.EpisodeFilter) -> [(name: String, value: String?)] {
        [("name", filter.name), ("episode", filter.code)]
    }
}

/// A location in the API's format; only the ID and the name are required.
struct LocationDTO: RickAndMortyDTO {
    static var kind: RickAndMortyKind { .location }

    let entity: RickAndMorty.Location

    init(from decoder: any Decoder) throws {
        let json = try decoder.container(keyedBy: JSONKey.self)
        entity = RickAndMorty.Location(
            id: RickAndMorty.Location.ID(rawValue: try json.required("id")),
            name: try json.required("name")
        ) {
            $0.type = json["type"]
            $0.dimension = json["dimension"]
            $0.residents = json[list: "residents"].compactMap(RickAndMortyKind.character.id)
            $0.created = json[date: "created"]
        }
    }

    static func query(_ filter: RickAndMorty.LocationFilter) -> [(name: String, value: String?)] {
        [("name", filter.name), ("type", filter.type), ("dimension", filter.dimension)]
    }
}
