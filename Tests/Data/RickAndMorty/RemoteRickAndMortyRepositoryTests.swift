import BrowseData
import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite("A Rick and Morty entity", .bounded)
struct RemoteRickAndMortyRepositoryTests {
    /// Creates a client and a server with one response for all requests.
    private func client(_ body: String, status: Int = 200) throws -> (HTTPClient, LoopbackServer) {
        let server = try LoopbackServer { _ in .json(body, status: status) }
        return (try .rickAndMorty(at: server.origin + "/api"), server)
    }

    private func character(_ fields: String) async throws -> RickAndMorty.Character {
        let (client, server) = try client("{\"id\":1,\"name\":\"a\"\(fields)}")
        defer { _ = server }
        return try await RemoteCharacterRepository(client: client).entity(.init(rawValue: 1))
    }

    @Test func `has every field of the response: character`() async throws {
        let (client, server) = try client(
            """
            {"id":9007199254740993,"name":"Made Up","status":"Dead","species":" Human ","type":"","gender":"Female",\
            "origin":{"name":"Earth (X)","url":"https://rickandmortyapi.com/api/location/7"},\
            "location":{"name":"unknown","url":""},"image":"https://rickandmortyapi.com/api/character/avatar/1.jpeg",\
            "episode":["https://rickandmortyapi.com/api/episode/10","https://rickandmortyapi.com/api/episode/2"],\
            "url":"https://rickandmortyapi.com/api/character/1","created":"2017-11-04T18:48:46.250Z"}
            """
        )
        let made = try await RemoteCharacterRepository(client: client).entity(
            .init(rawValue: 9_007_199_254_740_993)
        )
        #expect(
            made
                == RickAndMorty.Character(id: .init(rawValue: 9_007_199_254_740_993), name: "Made Up") {
                    $0.status = .dead
                    $0.species = "Human"
                    $0.gender = .female
                    $0.origin = .init(name: "Earth (X)", id: .init(rawValue: 7))
                    $0.location = .init(name: "unknown")
                    $0.image = WebAddress(rawValue: "https://rickandmortyapi.com/api/character/avatar/1.jpeg")
                    $0.episodes = [.init(rawValue: 10), .init(rawValue: 2)]
                    $0.created = Date(timeIntervalSince1970: 1_509_821_326.25)
                }
        )
        #expect(made.type == nil)
        #expect(server.requests.map(\.target) == ["/api/character/9007199254740993"])
    }

    @Test func `has every field of the response: episode`() async throws {
        let (client, server) = try client(
            """
            {"id":3,"name":"A Title","air_date":"December 2, 2013","episode":"S01E03",\
            "characters":["https://rickandmortyapi.com/api/character/9","https://rickandmortyapi.com/api/character/1"],\
            "url":"https://rickandmortyapi.com/api/episode/3","created":"2017-11-10T12:56:33.000Z"}
            """
        )
        #expect(
            try await RemoteEpisodeRepository(client: client).entity(.init(rawValue: 3))
                == RickAndMorty.Episode(id: .init(rawValue: 3), name: "A Title") {
                    $0.code = "S01E03"
                    $0.airDate = "December 2, 2013"
                    $0.characters = .init(numbers: [9, 1])
                    $0.created = Date(timeIntervalSince1970: 1_510_318_593)
                }
        )
        #expect(server.requests.map(\.target) == ["/api/episode/3"])
    }

    @Test func `has every field of the response: location`() async throws {
        let (client, server) = try client(
            """
            {"id":4,"name":"A Place","type":"Planet","dimension":"unknown",\
            "residents":["https://rickandmortyapi.com/api/character/38"],\
            "url":"https://rickandmortyapi.com/api/location/4","created":"2017-11-10T12:42:04.500Z"}
            """
        )
        #expect(
            try await RemoteLocationRepository(client: client).entity(.init(rawValue: 4))
                == RickAndMorty.Location(id: .init(rawValue: 4), name: "A Place") {
                    $0.type = "Planet"
                    $0.dimension = "unknown"
                    $0.residents = .init(numbers: [38])
                    $0.created = Date(timeIntervalSince1970: 1_510_317_724.5)
                }
        )
        #expect(server.requests.map(\.target) == ["/api/location/4"])
    }

    @Test func `needs only an ID and a name, and has no values for missing fields`() async throws {
        let names = ["status", "species", "type", "gender", "origin", "location", "image", "episode", "created"]
        let nulls = names.map { ",\"\($0)\":null" }.joined()
        let expected = RickAndMorty.Character(id: .init(rawValue: 1), name: "a")
        #expect(try await character("") == expected)
        #expect(try await character(nulls) == expected)
        #expect(try await character(#","origin":{},"location":{"name":null,"url":null},"image":"""#) == expected)
        let (client, server) = try client(#"{"id":1,"name":"a"}"#)
        defer { _ = server }
        let episode = try await RemoteEpisodeRepository(client: client).entity(.init(rawValue: 1))
        #expect(episode == RickAndMorty.Episode(id: .init(rawValue: 1), name: "a"))
        let location = try await RemoteLocationRepository(client: client).entity(.init(rawValue: 1))
        #expect(location == RickAndMorty.Location(id: .init(rawValue: 1), name: "a"))
    }

    @Test(arguments: ["Frozen", "alive", "unknown", "☠️"])
    func `keeps unknown values of status and gender`(word: String) async throws {
        let character = try await character(",\"status\":\"\(word)\",\"gender\":\"\(word)\"")
        #expect(character.status?.rawValue == word)
        #expect(character.gender?.rawValue == word)
    }

    @Test(
        arguments: [
            ("https://rickandmortyapi.com/api/episode/28", 28), ("http://127.0.0.1:8080/api/episode/1", 1),
            ("/episode/9223372036854775807", .max), ("https://rickandmortyapi.com/api/location/28", nil), ("", nil),
            ("28", nil), ("https://rickandmortyapi.com/api/episode/", nil), ("/episode/-1", nil), ("/episode/0", nil),
            ("/episode/9223372036854775808", nil), ("/episode/2x", nil), ("/episodes/2", nil), ("/episode/2?x=1", nil),
        ] as [(String, Int64?)]
    )
    func `identifies related entities by the ID at the end of their URLs`(address: String, id: Int64?) async throws {
        let character = try await character(",\"episode\":[\"\(address)\"]")
        #expect(character.episodes.map(\.rawValue) == (id.map { [$0] } ?? []))
    }

    // MARK: - Failures

    @Test(arguments: ["Character not found", "Location not found", "Episode not found", "There is nothing here"])
    func `that doesn't exist throws notFound`(message: String) async throws {
        let (client, server) = try client(RickAndMortyResponses.error(message), status: 404)
        defer { _ = server }
        func info(_ endpoint: String) -> BrowseError.RequestInfo {
            .init(endpoint: endpoint, status: 404) { $0.serverMessage = message }
        }
        #expect(
            await thrown { () async throws(BrowseError) in
                try await RemoteCharacterRepository(client: client).entity(.init(rawValue: 1))
            } == .notFound(info("GET /character/{}"))
        )
        #expect(
            await thrown { () async throws(BrowseError) in
                try await RemoteEpisodeRepository(client: client).entity(.init(rawValue: 1))
            } == .notFound(info("GET /episode/{}"))
        )
        #expect(
            await thrown { () async throws(BrowseError) in
                try await RemoteLocationRepository(client: client).entity(.init(rawValue: 1))
            } == .notFound(info("GET /location/{}"))
        )
    }

    @Test func `that the server rejects throws an error with the server's message`() async throws {
        for (status, make) in [
            (400, BrowseError.rejected), (401, BrowseError.unauthorized), (403, BrowseError.forbidden),
            (410, BrowseError.notFound), (422, BrowseError.rejected), (500, BrowseError.serverFailure),
            (503, BrowseError.serverFailure),
        ] {
            let (client, server) = try client(
                RickAndMortyResponses.error("Hey! you must provide an id"),
                status: status
            )
            defer { _ = server }
            let error = await thrown { () async throws(BrowseError) in
                try await RemoteCharacterRepository(client: client).entity(.init(rawValue: 1))
            }
            let words = "Hey! you must provide an id"
            #expect(error == make(.init(endpoint: "GET /character/{}", status: status) { $0.serverMessage = words }))
        }
    }

    @Test(
        "over the rate limit throws the server's wait, or one minute",
        arguments: [
            ("7", 7, true), ("Fri, 02 Jan 2026 03:05:35 GMT", 90, true), ("Sun, 06 Nov 1994 08:49:37 GMT", 0, true),
            (nil, 60, false), ("soon", 60, false), ("99999999", 86_400, true),
        ] as [(String?, TimeInterval, Bool)]
    )
    func rateLimited(retryAfter: String?, seconds: TimeInterval, isServerTime: Bool) async throws {
        let server = try LoopbackServer { _ in
            .json("slow down", status: 429, headers: retryAfter.map { [("Retry-After", $0)] } ?? [])
        }
        let characters = RemoteCharacterRepository(client: try .rickAndMorty(at: server.origin))
        let error = await thrown { () async throws(BrowseError) in try await characters.page(of: .init(), at: nil) }
        let limit = BrowseError.RateLimit(
            kind: .primary,
            retryAt: testNow.addingTimeInterval(seconds),
            isServerTime: isServerTime
        )
        #expect(error == .rateLimited(limit, .init(endpoint: "GET /character", status: 429)))
    }
}
