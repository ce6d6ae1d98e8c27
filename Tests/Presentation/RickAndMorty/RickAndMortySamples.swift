import BrowseDomain
import BrowseRickAndMortyDomain
import Foundation

extension RickAndMorty.Character {
    static func sample(_ number: Int64, name: String? = nil, episodes: [Int64] = []) -> RickAndMorty.Character {
        RickAndMorty.Character(
            id: ID(rawValue: number),
            name: name ?? "character-\(number)",
            status: .alive,
            species: "Human",
            episodes: episodes.map(RickAndMorty.Episode.ID.init(rawValue:))
        )
    }
}

extension RickAndMorty.Episode {
    static func sample(_ number: Int64, characters: [Int64] = []) -> RickAndMorty.Episode {
        RickAndMorty.Episode(
            id: ID(rawValue: number),
            name: "episode-\(number)",
            code: "S01E0\(number)",
            airDate: "December \(number), 2013",
            characters: characters.map(RickAndMorty.Character.ID.init(rawValue:))
        )
    }
}

extension RickAndMorty.Location {
    static func sample(_ number: Int64, residents: [Int64] = []) -> RickAndMorty.Location {
        RickAndMorty.Location(
            id: ID(rawValue: number),
            name: "location-\(number)",
            type: "Planet",
            dimension: "C-\(number)",
            residents: residents.map(RickAndMorty.Character.ID.init(rawValue:))
        )
    }
}

extension Page<RickAndMorty.Character> {
    init(characters: some Sequence<Int64>, next: String? = nil) {
        self.init(items: characters.map { .sample($0) }, next: next.map(PageCursor.init(rawValue:)))
    }
}
