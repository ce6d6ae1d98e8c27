import BrowseData
import BrowseDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

extension HTTPClient {
    fileprivate static func rickAndMorty(
        on transport: any HTTPTransport,
        at base: String = "https://rickandmortyapi.com/api"
    ) throws -> HTTPClient {
        let baseURL = try #require(URL(string: base))
        return HTTPClient(service: .rickAndMorty(baseURL: baseURL, userAgent: "MocksTests"), transport: transport)
    }
}

extension OfflineRickAndMorty {
    /// Asks without a client.
    fileprivate func get(_ path: String, method: HTTPMethod = .get) async throws -> HTTPClient.Response {
        let url = try #require(URL(string: "https://host.test" + path))
        return try await respond(to: HTTPClient.Request(method: method, url: url, endpoint: "TEST")).get()
    }
}

@Suite(.bounded)
struct OfflineRickAndMortyTests {
    private let service = OfflineRickAndMorty()

    /// Every page of a list, from the first.
    private func all<Row: Sendable>(
        _ page: (PageCursor?) async throws(BrowseError) -> Page<Row>
    ) async throws(BrowseError) -> [Page<Row>] {
        var pages: [Page<Row>] = []
        var cursor: PageCursor?
        repeat {
            let next = try await page(cursor)
            pages.append(next)
            cursor = next.next
        } while cursor != nil && pages.count < 100
        return pages
    }

    private func characters(_ filter: RickAndMorty.CharacterFilter = .init()) async throws -> [RickAndMorty.Character] {
        let repository = RemoteCharacterRepository(client: try .rickAndMorty(on: service.transport()))
        return try await all { cursor throws(BrowseError) in try await repository.page(of: filter, at: cursor) }
            .flatMap(\.items)
    }

    // MARK: - Lists

    @Test(arguments: ["https://rickandmortyapi.com/api", "http://127.0.0.1:8080/a/b/", "https://x.test"])
    func `Every list has three pages, which lead to one another at the API's own address`(base: String) async throws {
        let log = Log()
        let client = try HTTPClient.rickAndMorty(on: LoggingTransport(next: service.transport(), log: log), at: base)
        let characters = RemoteCharacterRepository(client: client)
        let characterPages = try await all { cursor throws(BrowseError) in
            try await characters.page(of: .init(), at: cursor)
        }
        #expect(characterPages.map(\.items.count) == [20, 20, 6])
        #expect(characterPages.allSatisfy { $0.skipped == [] })
        #expect(characterPages.flatMap(\.items).map(\.id.rawValue) == Array(1...46))
        let episodes = RemoteEpisodeRepository(client: client)
        let episodePages = try await all { cursor throws(BrowseError) in
            try await episodes.page(of: .init(), at: cursor)
        }
        #expect(episodePages.map(\.items.count) == [20, 20, 3])
        let locations = RemoteLocationRepository(client: client)
        let locationPages = try await all { cursor throws(BrowseError) in
            try await locations.page(of: .init(), at: cursor)
        }
        #expect(locationPages.map(\.items.count) == [20, 20, 1])
        let root = base.hasSuffix("/") ? String(base.dropLast()) : base
        #expect(
            log.entries
                == ["character", "episode", "location"].flatMap { kind in
                    ["", "?page=2", "?page=3"].map { "\(root)/\(kind)\($0)" }
                }
        )
    }

    @Test
    func `Who names a thing is named by it`() async throws {
        let client = try HTTPClient.rickAndMorty(on: service.transport())
        let characters = try await characters()
        let episodes = try await RemoteEpisodeRepository(client: client)
            .entities((1...43).map(RickAndMorty.Episode.ID.init(rawValue:))).items
        let locations = try await RemoteLocationRepository(client: client)
            .entities((1...41).map(RickAndMorty.Location.ID.init(rawValue:))).items
        #expect(episodes.count == 43 && locations.count == 41)
        #expect(
            Set(characters.flatMap { character in character.episodes.map { [character.id.rawValue, $0.rawValue] } })
                == Set(episodes.flatMap { episode in episode.characters.map { [$0.rawValue, episode.id.rawValue] } })
        )
        #expect(
            Set(
                characters.compactMap { character in character.location.id.map { [character.id.rawValue, $0.rawValue] }
                }
            )
                == Set(locations.flatMap { place in place.residents.map { [$0.rawValue, place.id.rawValue] } })
        )
        let names = Dictionary(uniqueKeysWithValues: locations.map { ($0.id, $0.name) })
        for place in characters.flatMap({ [$0.origin, $0.location] }) {
            #expect(place.name == place.id.flatMap { names[$0] } ?? "unknown")
        }
        // What is hard for a screen is there: nothing, an unknown word, other scripts.
        #expect(characters.contains { $0.type == nil } && characters.contains { $0.type != nil })
        #expect(characters.contains { $0.episodes.isEmpty } && locations.contains { $0.residents.isEmpty })
        #expect(characters.contains { $0.status.map { !RickAndMorty.Character.Status.known.contains($0) } == true })
        #expect(characters.allSatisfy { $0.created != nil && $0.image != nil })
        #expect(characters.contains { $0.name.contains("안개") })
    }

    // MARK: - Filters

    @Test
    func `A filter finds a part in any case, but a gender as a whole`() async throws {
        let everybody = try await characters()
        #expect(
            try await characters(.init(name: "ADA")).map(\.name) == everybody.map(\.name).filter { $0.contains("Ada") }
        )
        #expect(try await characters(.init(name: "“other” one")).map(\.id.rawValue) == [33])
        #expect(try await characters(.init(name: "beep & b")).map(\.id.rawValue) == [44])
        let males = try await characters(.init(gender: .male))
        #expect(males == everybody.filter { $0.gender == .male } && !males.isEmpty)
        let dead = try await characters(.init(status: .dead, species: "human", gender: .init(rawValue: "female")))
        #expect(
            dead
                == everybody.filter {
                    $0.status == .dead && $0.species?.lowercased().contains("human") == true && $0.gender == .female
                }
        )
        #expect(!dead.isEmpty)
    }

    @Test
    func `Episodes and locations are filtered by their own fields`() async throws {
        let client = try HTTPClient.rickAndMorty(on: service.transport())
        let (episodes, locations) = (RemoteEpisodeRepository(client: client), RemoteLocationRepository(client: client))
        #expect(try await episodes.page(of: .init(code: "s05"), at: nil).items.map(\.code) == ["S05E01", "S05E02"])
        #expect(try await episodes.page(of: .init(name: "cold start"), at: nil).items.map(\.id.rawValue) == [1])
        let dreams = try await locations.page(of: .init(type: "dream", dimension: "Q-1"), at: nil).items
        #expect(!dreams.isEmpty && dreams.allSatisfy { $0.type == "Dream" && $0.dimension == "Dimension Q-1" })
    }

    // MARK: - Things

    @Test
    func `One number is an object, more are an array by their numbers, missing ones are left out`() async throws {
        let one = try await service.get("/api/character/2")
        #expect(one.status == 200 && one.text.hasPrefix("{\"id\":2,"))
        let several = try await service.get("/api/character/3,1,999")
        #expect(several.text.hasPrefix("[{\"id\":1,") && several.text.contains(",\n{\"id\":3,") == false)
        let rows = try #require(JSONSerialization.jsonObject(with: several.body) as? [[String: Any]])
        #expect(rows.map { $0["id"] as? Int } == [1, 3])
        #expect(try await service.get("/api/character/998,999").text == "[]")
        #expect(try await service.get("/character/?page=3").status == 200)
    }

    @Test(
        arguments: [
            ("/api/character/999", 404, "Character not found"), ("/api/episode/0", 404, "Episode not found"),
            ("/api/location/-1", 404, "Location not found"), ("/api/character/abc", 500, "Hey! you must provide an id"),
            ("/api/character/1,x", 500, "Hey! you must provide an id"), ("/api/character?page=4", 404, nil),
            ("/api/character?name=nobody-at-all-x", 404, nil), ("/api/character?page=0", 404, nil),
        ] as [(String, Int, String?)]
    )
    func `What is not there is said in the API's words`(path: String, status: Int, words: String?) async throws {
        let response = try await service.get(path)
        #expect(response.status == status)
        #expect(response.text == "{\"error\":\"\(words ?? "There is nothing here")\"}\n")
        #expect(response.headers["Content-Type"] == "application/json; charset=utf-8")
    }

    @Test(arguments: ["/api", "/api/characters", "/", "/users/octocat"])
    func `What no endpoint answers is reported`(path: String) async throws {
        let report = await service.transport().report(path)
        #expect(report.hasPrefix("OfflineRickAndMorty has no answer to GET \(path). Add one to it: "))
    }

    // MARK: - Scenarios

    @Test
    func `When it is empty, lists are, and nothing is related to what there is`() async throws {
        service.scenario = .empty
        let client = try HTTPClient.rickAndMorty(on: service.transport())
        #expect(try await characters().isEmpty)
        let ada = try await RemoteCharacterRepository(client: client).entity(.init(rawValue: 1))
        #expect(ada.name == "Ada Quark" && ada.episodes.isEmpty)
        #expect(try await RemoteLocationRepository(client: client).entity(.init(rawValue: 1)).residents.isEmpty)
        #expect(try await RemoteEpisodeRepository(client: client).entity(.init(rawValue: 1)).characters.isEmpty)
    }
}
