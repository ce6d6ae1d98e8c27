import BrowseData
import BrowseDomain
import BrowseRickAndMortyDomain

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
