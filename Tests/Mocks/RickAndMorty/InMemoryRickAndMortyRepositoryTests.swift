import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import TestLimits
import Testing

@Suite(.bounded)
struct `A Rick and Morty repository in memory` {
    @Test func `returns the answer to a call that was canceled meanwhile`() async throws {
        let rick = RickAndMorty.Character(id: .init(rawValue: 1), name: "Rick")
        let characters = InMemoryCharacterRepository { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return Page(items: [rick])
        }
        let character = try await Task { try await characters.entity(rick.id) }.value
        #expect(character == rick)
    }
}
