import BrowseData
import BrowseDomain
import BrowseRickAndMortyDomain

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
