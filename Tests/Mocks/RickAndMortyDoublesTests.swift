import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import TestLimits
import Testing

@Suite(.bounded)
struct RickAndMortyDoublesTests {
    private static func character(
        _ number: Int64,
        name: String = "a",
        status: RickAndMorty.Character.Status? = nil,
        gender: RickAndMorty.Character.Gender? = nil
    ) -> RickAndMorty.Character {
        RickAndMorty.Character(id: .init(rawValue: number), name: name, status: status, gender: gender)
    }

    // MARK: - In memory

    @Test
    func `Rows in memory come page by page, filtered as the API filters`() async throws {
        let rows = [
            Self.character(1, name: "Rick", gender: .male), Self.character(2, name: "Summer", gender: .female),
            Self.character(3, name: "rickety", gender: .female), Self.character(1, name: "double"),
        ]
        let characters = InMemoryCharacterRepository(rows, pageSize: 2)
        let first = try await characters.page(of: .init(), at: nil)
        #expect(first.items == Array(rows[..<2]))
        #expect(try await characters.page(of: .init(), at: first.next).items == [rows[2]])
        #expect(try await characters.page(of: .init(name: "RICK"), at: nil).items == [rows[0], rows[2]])
        #expect(try await characters.page(of: .init(gender: .male), at: nil).items == [rows[0]])
        #expect(try await characters.page(of: .init(status: .dead), at: nil) == Page(items: []))
        // A cursor is good for its own filter only.
        let error = await failure { () throws(BrowseError) in
            try await characters.page(of: .init(name: "x"), at: first.next)
        }
        guard case .refused(.foreignPage, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test
    func `Episodes and locations in memory are filtered by their own fields`() async throws {
        let episodes = InMemoryEpisodeRepository([
            .init(id: .init(rawValue: 1), name: "Pilot", code: "S01E01"),
            .init(id: .init(rawValue: 2), name: "Second", code: "S02E01"),
        ])
        #expect(try await episodes.page(of: .init(code: "s02"), at: nil).items.map(\.name) == ["Second"])
        #expect(try await episodes.page(of: .init(name: "PIL", code: "s02"), at: nil).items.isEmpty)
        let locations = InMemoryLocationRepository([
            .init(id: .init(rawValue: 1), name: "Earth", type: "Planet", dimension: "C-137"),
            .init(id: .init(rawValue: 2), name: "Moon"),
        ])
        #expect(
            try await locations.page(of: .init(type: "plan", dimension: "c-1"), at: nil).items.map(\.name) == ["Earth"]
        )
        #expect(try await locations.page(of: .init(name: "o"), at: nil).items.map(\.name) == ["Moon"])
    }

    // MARK: - Doubles

    @Test
    func `A controlled double answers late`() async throws {
        let held = ControlledResponses<LocationRepositoryDouble.Request, Page<RickAndMorty.Location>>()
        let late = LocationRepositoryDouble.controlled(by: held)
        let place = RickAndMorty.Location(id: .init(rawValue: 7), name: "a")
        for number in 0..<3 { held.answer(number, with: .success(Page(items: [place]))) }
        held.answer(3, with: .success(Page(items: [])))
        #expect(try await late.entity(place.id) == place)
        #expect(try await late.entities([place.id]).items == [place])
        #expect(try await late.page(of: .init(name: "a"), at: nil).items == [place])
        guard case .notFound = await failure({ () throws(BrowseError) in try await late.entity(place.id) }) else {
            Issue.record("found")
            return
        }
        #expect(
            held.requests == [
                .entity(place.id), .entities([place.id]), .page(of: .init(name: "a"), at: nil), .entity(place.id),
            ]
        )
    }
}
