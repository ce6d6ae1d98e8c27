import BrowseData
import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite("Several Rick and Morty entities", .bounded)
struct RemoteRickAndMortyRepositoryManyTests {
    private func characters(_ ids: [Int64], at base: String) async throws -> Page<RickAndMorty.Character> {
        let repository = RemoteCharacterRepository(client: try .rickAndMorty(at: base))
        return try await repository.entities(.init(numbers: ids))
    }

    @Test func `are loaded by one request, in the requested order`() async throws {
        let api = try RickAndMortyServer(characters: 1...100)
        #expect(try await characters([38, 2, 99, 1], at: api.base).ids == [38, 2, 99, 1])
        #expect(api.targets == ["/api/character/38,2,99,1"])
    }

    @Test func `are an object for one ID, and an array for more`() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([3], at: api.base).ids == [3])
        #expect(try await characters([3, 3, 3], at: api.base).ids == [3])
        #expect(api.targets == ["/api/character/3", "/api/character/3"])
    }

    @Test func `that don't exist are omitted`() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([9, 5, 8, 1], at: api.base) == characters([5, 1], at: api.base))
        #expect(try await characters([9, 8], at: api.base) == Page(items: [], totalCount: 2))
        #expect(try await characters([9], at: api.base) == Page(items: [], totalCount: 1))
    }

    @Test func `without IDs send no request`() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([], at: api.base) == Page(items: []))
        #expect(api.targets.isEmpty)
    }

    @Test func `that can't be decoded are counted, and the others remain`() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id":1},{"id":2,"name":"b"}]"#) }
        let page = try await characters([2, 1], at: server.origin)
        #expect(page.ids == [2])
        #expect(page.skipped == SkippedRows(count: 1, first: .init(codingPath: "[0].name", reason: "missing")))
    }

    @Test func `fail with the request, which is one for as many as a location has residents`() async throws {
        let server = try LoopbackServer { _ in .json(RickAndMortyResponses.error("x"), status: 503) }
        let repository = RemoteCharacterRepository(client: try .rickAndMorty(at: server.origin))
        let error = await thrown { () async throws(BrowseError) in
            try await repository.entities(.init(numbers: 1...490))
        }
        #expect(error == .serverFailure(.init(endpoint: "GET /character/{}", status: 503) { $0.serverMessage = "x" }))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [[1], [1, 2]] as [[Int64]])
    func `at a wrong URL are an error, not missing entities`(ids: [Int64]) async throws {
        for body in ["<html>", "{}", RickAndMortyResponses.error("There is nothing here")] {
            let server = try LoopbackServer { _ in .json(body, status: 404) }
            let repository = RemoteCharacterRepository(client: try .rickAndMorty(at: server.origin))
            let error = await thrown { () async throws(BrowseError) in
                try await repository.entities(.init(numbers: ids))
            }
            switch error {
            case .notFound(let info) where body != "<html>": #expect(info.endpoint == "GET /character/{}")
            case .unreachable(.intercepted, _) where body == "<html>": break
            default: Issue.record("\(body): \(String(describing: error))")
            }
        }
    }

    @Test func `are loaded for each kind`() async throws {
        let episodes = try RickAndMortyServer(
            kind: "episode",
            rows: [(1, #"{"id":1,"name":"a"}"#), (2, #"{"id":2,"name":"b"}"#)]
        )
        let remote = RemoteEpisodeRepository(client: try .rickAndMorty(at: episodes.base))
        #expect(try await remote.entities([.init(rawValue: 2), .init(rawValue: 1)]).items.map(\.name) == ["b", "a"])
        let locations = try RickAndMortyServer(kind: "location", rows: [(1, #"{"id":1,"name":"a"}"#)])
        let places = RemoteLocationRepository(client: try .rickAndMorty(at: locations.base))
        #expect(try await places.entities([.init(rawValue: 1)]).items.map(\.name) == ["a"])
        #expect(episodes.targets + locations.targets == ["/api/episode/2,1", "/api/location/1"])
    }
}
