import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@Suite("RickAndMorty: several things", .timeLimit(.minutes(5)))
struct RickAndMortyManyTests {
    private func characters(_ ids: [Int64], at base: String) async throws -> Page<RickAndMorty.Character> {
        let repository = RemoteCharacterRepository(client: try .rickAndMorty(at: base))
        return try await repository.characters(.init(numbers: ids))
    }

    @Test("come by one request in the order asked for, whatever the server's")
    func order() async throws {
        let api = try RickAndMortyServer(characters: 1...100)
        #expect(try await characters([38, 2, 99, 1], at: api.base).ids == [38, 2, 99, 1])
        #expect(api.targets == ["/api/character/38,2,99,1"])
    }

    @Test("are one object when one is asked for, and an array when more are")
    func shapes() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([3], at: api.base).ids == [3])
        #expect(try await characters([3, 3, 3], at: api.base).ids == [3])
        #expect(api.targets == ["/api/character/3", "/api/character/3"])
        // A server that always sends an array is understood too.
        let other = try LoopbackServer { _ in .json(RickAndMortyResponses.characters([7])) }
        #expect(try await characters([7], at: other.origin).ids == [7])
    }

    @Test("that do not exist are left out")
    func missing() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([9, 5, 8, 1], at: api.base) == characters([5, 1], at: api.base))
        #expect(try await characters([9, 8], at: api.base) == Page(items: []))
        #expect(try await characters([9], at: api.base) == Page(items: []))
    }

    @Test("that are asked for twice come once, where they were asked for first")
    func duplicates() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([4, 1, 4, 2, 1], at: api.base).ids == [4, 1, 2])
        #expect(api.targets == ["/api/character/4,1,2"])
    }

    @Test("that are none need no request")
    func none() async throws {
        let api = try RickAndMortyServer(characters: 1...5)
        #expect(try await characters([], at: api.base) == Page(items: []))
        #expect(api.targets.isEmpty)
    }

    @Test("that nobody asked for are dropped")
    func uninvited() async throws {
        let server = try LoopbackServer { _ in .json(RickAndMortyResponses.characters([9, 2, 1])) }
        #expect(try await characters([1, 2], at: server.origin).ids == [1, 2])
    }

    @Test("that cannot be read are counted, and the others stay")
    func skipped() async throws {
        let server = try LoopbackServer { _ in .json(#"[{"id":1},{"id":2,"name":"b"}]"#) }
        let page = try await characters([2, 1], at: server.origin)
        #expect(page.ids == [2])
        #expect(page.skipped == [SkippedRow(index: 0, reason: "[0].name: missing")])
    }

    @Test(
        "that are too many for one address come by several, each under 2,000 characters",
        arguments: ["", "/a/long/way"]
    )
    func split(path: String) async throws {
        let wanted: [Int64] = (1...1200).reversed()
        let server = try LoopbackServer { request in
            let ids = (request.target.split(separator: "/").last ?? "").split(separator: ",").compactMap { Int64($0) }
            guard ids.count > 1 else { return .json(RickAndMortyResponses.character(id: ids.first ?? 0)) }
            return .json(RickAndMortyResponses.characters(ids.sorted()))
        }
        let base = server.origin + path
        #expect(try await characters(wanted, at: base).ids == wanted)
        let lengths = server.requests.map { server.origin.utf8.count + $0.target.utf8.count }
        #expect(lengths.allSatisfy { $0 < 2000 })
        // No more requests than needed: all but the last are so long that another number would not have fitted.
        #expect(lengths.dropLast().allSatisfy { $0 > 1999 - 5 })
        #expect(lengths.count == 3)
    }

    @Test("leave out the one that is missing when the last request is for it alone")
    func missingRest() async throws {
        let api = try RickAndMortyServer(characters: 1...600)
        // As many as fit into the first address, and one more that does not exist.
        let count = (1...600).last { number in
            let ids = (1...number).map(String.init).joined(separator: ",")
            return "\(api.base)/character/\(ids)".utf8.count < 2000
        }
        let wanted = Array(1...Int64(try #require(count))) + [9999]
        #expect(try await characters(wanted, at: api.base).ids == Array(wanted.dropLast()))
        #expect(api.targets.last == "/api/character/9999")
        #expect(api.targets.count == 2)
    }

    @Test("do not come at all when one of the requests fails")
    func failure() async throws {
        let server = try LoopbackServer { request in
            let ids = (request.target.split(separator: "/").last ?? "").split(separator: ",").compactMap { Int64($0) }
            guard ids.contains(1) else { return .json(RickAndMortyResponses.error("x"), status: 503) }
            return .json(RickAndMortyResponses.characters(ids))
        }
        let repository = RemoteCharacterRepository(client: try .rickAndMorty(at: server.origin))
        let error = await thrown { () async throws(BrowseError) in
            try await repository.characters(.init(numbers: 1...900))
        }
        #expect(error == .serverFailure(.init(endpoint: "GET /character/{}", status: 503, serverMessage: "x")))
        #expect(server.requests.count == 2)
    }

    @Test(
        "that an address is wrong for are an error, and nothing that is missing",
        arguments: [[1], [1, 2]] as [[Int64]]
    )
    func wrongAddress(ids: [Int64]) async throws {
        for body in ["<html>", "{}", RickAndMortyResponses.error("There is nothing here")] {
            let server = try LoopbackServer { _ in .json(body, status: 404) }
            let repository = RemoteCharacterRepository(client: try .rickAndMorty(at: server.origin))
            let error = await thrown { () async throws(BrowseError) in
                try await repository.characters(.init(numbers: ids))
            }
            guard case .notFound(let info) = error else {
                Issue.record("\(body): \(String(describing: error))")
                continue
            }
            #expect(info.endpoint == "GET /character/{}")
        }
    }

    @Test("come of every kind")
    func kinds() async throws {
        let episodes = try RickAndMortyServer(
            kind: "episode",
            rows: [(1, #"{"id":1,"name":"a"}"#), (2, #"{"id":2,"name":"b"}"#)]
        )
        let remote = RemoteEpisodeRepository(client: try .rickAndMorty(at: episodes.base))
        #expect(try await remote.episodes([.init(rawValue: 2), .init(rawValue: 1)]).items.map(\.name) == ["b", "a"])
        let locations = try RickAndMortyServer(kind: "location", rows: [(1, #"{"id":1,"name":"a"}"#)])
        let places = RemoteLocationRepository(client: try .rickAndMorty(at: locations.base))
        #expect(try await places.locations([.init(rawValue: 1)]).items.map(\.name) == ["a"])
        #expect(episodes.targets + locations.targets == ["/api/episode/2,1", "/api/location/1"])
    }
}
