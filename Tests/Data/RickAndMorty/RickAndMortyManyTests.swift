import BrowseData
import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite("Several Rick and Morty entities", .bounded)
struct RickAndMortyManyTests {
    private func characters(_ ids: [Int64], at base: String) async throws -> Page<RickAndMorty.Character> {
        let repository = RickAndMorty.remoteCharacters(client: try .rickAndMorty(at: base))
        return try await repository.entities(.init(numbers: ids))
    }

    @Test("are loaded by one request, in the requested order")
    func order() async throws {
        let api = try RickAndMortyServer(characters: 1...100)
        #expect(try await characters([38, 2, 99, 1], at: api.base).ids == [38, 2, 99, 1])
        #expect(api.targets == ["/api/character/38,2,99,1"])
    }

    @Test("are an object for one ID, and an array for more")
    func shapes() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([3], at: api.base).ids == [3])
        #expect(try await characters([3, 3, 3], at: api.base).ids == [3])
        #expect(api.targets == ["/api/character/3", "/api/character/3"])
        // A server that always sends an array works, too.
        let other = try LoopbackServer { _ in .json(RickAndMortyResponses.characters([7])) }
        #expect(try await characters([7], at: other.origin).ids == [7])
    }

    @Test("that don't exist are omitted")
    func missing() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([9, 5, 8, 1], at: api.base) == characters([5, 1], at: api.base))
        #expect(try await characters([9, 8], at: api.base) == Page(items: []))
        #expect(try await characters([9], at: api.base) == Page(items: []))
    }

    @Test("without IDs send no request")
    func none() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([], at: api.base) == Page(items: []))
        #expect(api.targets.isEmpty)
    }

    @Test("that can't be decoded are counted, and the others remain")
    func skipped() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id":1},{"id":2,"name":"b"}]"#) }
        let page = try await characters([2, 1], at: server.origin)
        #expect(page.ids == [2])
        #expect(page.skipped == SkippedRows(count: 1, first: .init(codingPath: "[0].name", reason: "missing")))
    }

    @Test("that don't fit into one URL are loaded by several, each under 2,000 characters")
    func split() async throws {
        let requested: [Int64] = (1...1200).reversed()
        let server = try LoopbackServer { request in
            let ids = (request.target.split(separator: "/").last ?? "").split(separator: ",").compactMap { Int64($0) }
            guard ids.count > 1 else { return .json(RickAndMortyResponses.character(id: ids.first ?? 0)) }
            return .json(RickAndMortyResponses.characters(ids.sorted()))
        }
        let base = server.origin + "/a/long/way"
        #expect(try await characters(requested, at: base).ids == requested)
        let lengths = server.requests.map { server.origin.utf8.count + $0.target.utf8.count }
        #expect(lengths.allSatisfy { $0 < 2000 })
        // No unnecessary requests: no other ID would fit into any URL but the last.
        #expect(lengths.dropLast().allSatisfy { $0 > 1999 - 5 })
        #expect(lengths.count == 3)
    }

    @Test("fail if one of the requests fails")
    func failure() async throws {
        let server = try LoopbackServer { request in
            let ids = (request.target.split(separator: "/").last ?? "").split(separator: ",").compactMap { Int64($0) }
            guard ids.contains(1) else { return .json(RickAndMortyResponses.error("x"), status: 503) }
            return .json(RickAndMortyResponses.characters(ids))
        }
        let repository = RickAndMorty.remoteCharacters(client: try .rickAndMorty(at: server.origin))
        let error = await thrown { () async throws(BrowseError) in
            try await repository.entities(.init(numbers: 1...900))
        }
        #expect(error == .serverFailure(.init(endpoint: "GET /character/{}", status: 503, serverMessage: "x")))
        #expect(server.requests.count == 2)
    }

    @Test(
        "at a wrong URL are an error, not missing entities",
        arguments: [[1], [1, 2]] as [[Int64]]
    )
    func wrongAddress(ids: [Int64]) async throws {
        for body in ["<html>", "{}", RickAndMortyResponses.error("There is nothing here")] {
            let server = try LoopbackServer { _ in .json(body, status: 404) }
            let repository = RickAndMorty.remoteCharacters(client: try .rickAndMorty(at: server.origin))
            let error = await thrown { () async throws(BrowseError) in
                try await repository.entities(.init(numbers: ids))
            }
            guard case .notFound(let info) = error else {
                Issue.record("\(body): \(String(describing: error))")
                continue
            }
            #expect(info.endpoint == "GET /character/{}")
        }
    }

    @Test("are loaded for each kind")
    func kinds() async throws {
        let episodes = try RickAndMortyServer(
            kind: "episode",
            rows: [(1, #"{"id":1,"name":"a"}"#), (2, #"{"id":2,"name":"b"}"#)]
        )
        let remote = RickAndMorty.remoteEpisodes(client: try .rickAndMorty(at: episodes.base))
        #expect(try await remote.entities([.init(rawValue: 2), .init(rawValue: 1)]).items.map(\.name) == ["b", "a"])
        let locations = try RickAndMortyServer(kind: "location", rows: [(1, #"{"id":1,"name":"a"}"#)])
        let places = RickAndMorty.remoteLocations(client: try .rickAndMorty(at: locations.base))
        #expect(try await places.entities([.init(rawValue: 1)]).items.map(\.name) == ["a"])
        #expect(episodes.targets + locations.targets == ["/api/episode/2,1", "/api/location/1"])
    }
}
