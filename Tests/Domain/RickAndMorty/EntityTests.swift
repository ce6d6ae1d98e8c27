import BrowseDomain
import BrowseRickAndMortyDomain
import TestLimits
import Testing

@Suite(.bounded) struct `Rick and Morty entities` {
    @Test(arguments: ["Alive", "alive", "Frozen", "unknown", "상태", " odd "])
    func `preserve an unknown status or gender`(word: String) {
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: "a") {
            $0.status = .init(rawValue: word)
            $0.gender = .init(rawValue: word)
        }
        #expect(character.status?.rawValue == word)
        #expect(character.gender?.rawValue == word)
        #expect((character.status == .alive) == (word == "Alive"))
    }

    @Test func `preserve the order of related entities`() {
        let ids: [Int64] = [9, 1, 5, 1]
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: "a") {
            $0.episodes = ids.map(RickAndMorty.Episode.ID.init(rawValue:))
        }
        #expect(character.episodes.map(\.rawValue) == ids)
    }
}
