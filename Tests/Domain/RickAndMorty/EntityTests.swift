import BrowseDomain
import BrowseRickAndMortyDomain
import TestLimits
import Testing

@Suite(.bounded) struct `Rick and Morty entities` {
    private static let texts: [(String?, String?)] = [
        (nil, nil), ("", nil), (" \n\t", nil), ("\u{3000}", nil), (" a  b\n", "a  b"), ("맑은 ☀️ ", "맑은 ☀️"),
        ("\u{3164}", nil), (" \u{200B}\u{2060} ", nil), ("\u{200F}\u{2800}", nil), ("\u{0}", nil),
        ("\u{200B}a", "\u{200B}a"),
    ]

    @Test(arguments: texts)
    func `have trimmed strings, and no blank ones`(text: String?, expected: String?) {
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: "a") {
            $0.species = text
            $0.type = text
            $0.origin = .init(name: text)
            $0.location = .init(name: text)
        }
        #expect(character.species == expected)
        #expect(character.type == expected)
        #expect(character.origin.name == expected)
        #expect(character.location.name == expected)
        let episode = RickAndMorty.Episode(id: .init(rawValue: 1), name: "a") {
            $0.code = text
            $0.airDate = text
        }
        #expect(episode.code == expected)
        #expect(episode.airDate == expected)
        let location = RickAndMorty.Location(id: .init(rawValue: 1), name: "a") {
            $0.type = text
            $0.dimension = text
        }
        #expect(location.type == expected)
        #expect(location.dimension == expected)
    }

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

    @Test(arguments: ["", " "])
    func `have no blank status or gender`(word: String) {
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: "a") {
            $0.status = .init(rawValue: word)
            $0.gender = .init(rawValue: word)
        }
        #expect(character.status == nil)
        #expect(character.gender == nil)
    }

    @Test func `preserve the order of related entities`() {
        let ids: [Int64] = [9, 1, 5, 1]
        let character = RickAndMorty.Character(id: .init(rawValue: 1), name: "a") {
            $0.episodes = ids.map(RickAndMorty.Episode.ID.init(rawValue:))
        }
        #expect(character.episodes.map(\.rawValue) == ids)
    }
}
