@_spi(Services) public import BrowseData
import BrowseDomain
public import BrowseRickAndMortyDomain

/// A character in the API's format; only the ID and the name are required.
@_spi(Services) extension RickAndMorty.Character: RemoteEntity {
    package static var kind: RickAndMortyKind { .character }

    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(id: ID(rawValue: try json.required("id")), name: try json.required("name")) {
            $0.status = json["status"].map(Status.init(rawValue:))
            $0.species = json["species"]
            $0.type = json["type"]
            $0.gender = json["gender"].map(Gender.init(rawValue:))
            $0.origin = json[entity: "origin"] ?? Place()
            $0.location = json[entity: "location"] ?? Place()
            $0.image = json[address: "image"]
            $0.episodes = json[list: "episode"].compactMap(RickAndMortyKind.episode.id)
            $0.created = json[date: "created"]
        }
    }

    package static func query(_ filter: RickAndMorty.CharacterFilter) -> [(name: String, value: String?)] {
        [
            ("name", filter.name), ("status", filter.status?.rawValue), ("species", filter.species),
            ("type", filter.type), ("gender", filter.gender?.rawValue),
        ]
    }
}

/// A character's place: a name, and the URL of the location, which is empty for unknown places.
@_spi(Services) extension RickAndMorty.Character.Place: JSONReadable {
    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) {
        self.init(name: json["name"], id: json["url"].flatMap(RickAndMortyKind.location.id))
    }
}

/// An episode in the API's format; only the ID and the name are required.
@_spi(Services) extension RickAndMorty.Episode: RemoteEntity {
    package static var kind: RickAndMortyKind { .episode }

    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(id: ID(rawValue: try json.required("id")), name: try json.required("name")) {
            $0.code = json["episode"]
            $0.airDate = json["air_date"]
            $0.characters = json[list: "characters"].compactMap(RickAndMortyKind.character.id)
            $0.created = json[date: "created"]
        }
    }

    package static func query(_ filter: RickAndMorty.EpisodeFilter) -> [(name: String, value: String?)] {
        [("name", filter.name), ("episode", filter.code)]
    }
}

/// A location in the API's format; only the ID and the name are required.
@_spi(Services) extension RickAndMorty.Location: RemoteEntity {
    package static var kind: RickAndMortyKind { .location }

    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(id: ID(rawValue: try json.required("id")), name: try json.required("name")) {
            $0.type = json["type"]
            $0.dimension = json["dimension"]
            $0.residents = json[list: "residents"].compactMap(RickAndMortyKind.character.id)
            $0.created = json[date: "created"]
        }
    }

    package static func query(_ filter: RickAndMorty.LocationFilter) -> [(name: String, value: String?)] {
        [("name", filter.name), ("type", filter.type), ("dimension", filter.dimension)]
    }
}
