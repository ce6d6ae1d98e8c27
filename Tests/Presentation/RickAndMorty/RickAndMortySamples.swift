import BrowseDomain
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation

// Screens in English, without favorites unless a test is about them.

extension CharacterDetailViewModel {
    convenience init(
        _ characters: any RickAndMorty.CharacterRepository,
        _ episodes: any RickAndMorty.EpisodeRepository,
        favorites: any FavoriteRepository = InMemoryFavoriteRepository(),
        texts: Texts = .english
    ) {
        let options = ScreenOptions(texts: texts).with(favorites)
        self.init(repository: characters, relatedRepository: episodes, options: options)
    }
}

extension RickAndMortyDetailViewModel where RelatedRow == CharacterRow {
    convenience init(
        _ repository: any RickAndMorty.Repository<Row.Entity>,
        _ characters: any RickAndMorty.CharacterRepository,
        favorites: any FavoriteRepository = InMemoryFavoriteRepository()
    ) {
        self.init(repository: repository, relatedRepository: characters, options: .english.with(favorites))
    }
}

extension RickAndMorty.Character {
    static func sample(_ number: Int64, name: String? = nil) -> RickAndMorty.Character {
        RickAndMorty.Character(id: ID(rawValue: number), name: name ?? "character-\(number)") {
            $0.status = .alive
            $0.species = "Human"
        }
    }
}

extension RickAndMorty.Episode {
    static func sample(_ number: Int64, characters: [Int64] = []) -> RickAndMorty.Episode {
        RickAndMorty.Episode(id: ID(rawValue: number), name: "episode-\(number)") {
            $0.code = "S01E0\(number)"
            $0.airDate = "December \(number), 2013"
            $0.characters = characters.map(RickAndMorty.Character.ID.init(rawValue:))
        }
    }
}

extension RickAndMorty.Location {
    static func sample(_ number: Int64, residents: [Int64] = []) -> RickAndMorty.Location {
        RickAndMorty.Location(id: ID(rawValue: number), name: "location-\(number)") {
            $0.type = "Planet"
            $0.dimension = "C-\(number)"
            $0.residents = residents.map(RickAndMorty.Character.ID.init(rawValue:))
        }
    }
}

extension Page<RickAndMorty.Character> {
    init(characters: some Sequence<Int64>, next: String? = nil) {
        self.init(items: characters.map { .sample($0) }, next: next.map(PageCursor.init(rawValue:)))
    }
}
