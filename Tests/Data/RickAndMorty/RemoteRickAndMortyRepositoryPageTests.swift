import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite("A page of the Rick and Morty API", .bounded)
struct RemoteRickAndMortyRepositoryPageTests {
    private let everybody = RickAndMorty.CharacterFilter()

    private func characters(at address: String) throws -> any RickAndMorty.Repository<RickAndMorty.Character> {
        RemoteCharacterRepository(client: try .rickAndMorty(at: address))
    }

    /// Returns a list with a given JSON value of `next`.
    private func server(next: String) throws -> LoopbackServer {
        try LoopbackServer { _ in
            .json(RickAndMortyResponses.page(RickAndMortyResponses.characters([1, 2]), next: next))
        }
    }

    @Test(arguments: [("", "null"), ("/", "\"\"")])
    func `links to the next one, up to the last of 42`(slash: String, end: String) async throws {
        let api = try RickAndMortyServer(characters: 1...826, slash: slash, end: end)
        let characters = try characters(at: api.base)
        var cursor: PageCursor?
        var pages: [[Int64]] = []
        repeat {
            let page = try await characters.page(of: everybody, at: cursor)
            pages.append(page.ids)
            cursor = page.next
        } while cursor != nil && pages.count < 50
        #expect(pages.count == 42)
        #expect(pages.last?.count == 6)
        #expect(pages.flatMap(\.self) == Array(1...826))
        #expect(api.targets == ["/api/character"] + (2...42).map { "/api/character\(slash)?page=\($0)" })
    }

    @Test func `is requested with its filter, although the API doesn't encode it in links`() async throws {
        let server = try LoopbackServer { request in
            let next = "\"http://\(request.header("Host") ?? "")/api/character?page=2&species=Mythological Créature\""
            return .json(RickAndMortyResponses.page("[]", next: request.target.contains("page=2") ? "null" : next))
        }
        let characters = try characters(at: server.origin + "/api")
        let filter = RickAndMorty.CharacterFilter { $0.species = "Mythological Créature" }
        let page = try await characters.page(of: filter, at: nil)
        _ = try await characters.page(of: filter, at: page.next)
        #expect(server.requests.last?.target == "/api/character?page=2&species=Mythological%20Cr%C3%A9ature")
    }

    @Test func `is requested with the filter's fields only, encoded once`() async throws {
        let server = try LoopbackServer { _ in .json(RickAndMortyResponses.page("[]")) }
        let client = try HTTPClient.rickAndMorty(at: server.origin + "/api/")
        let characters = RemoteCharacterRepository(client: client)
        _ = try await characters.page(of: everybody, at: nil)
        _ = try await characters.page(
            of: .init { filter in
                filter.name = " 릭 & Morty "
                filter.status = .dead
                filter.species = "Human"
                filter.type = "C+"
                filter.gender = .genderless
            },
            at: nil
        )
        _ = try await RemoteEpisodeRepository(client: client)
            .page(of: .init { ($0.name, $0.code) = ("50% a://mona:secret@b", "S01E01") }, at: nil)
        _ = try await RemoteLocationRepository(client: client)
            .page(of: .init { ($0.name, $0.type, $0.dimension) = ("Earth (C-137)", "Planet", "unknown") }, at: nil)
        #expect(
            server.requests.map(\.target) == [
                "/api/character",
                "/api/character?name=%EB%A6%AD%20%26%20Morty&status=Dead&species=Human&type=C%2B&gender=Genderless",
                "/api/episode?name=50%25%20a%3A%2F%2Fb&episode=S01E01",
                "/api/location?name=Earth%20%28C-137%29&type=Planet&dimension=unknown",
            ]
        )
        #expect(server.requests.allSatisfy { $0.header("Accept") == "application/json" })
        #expect(server.requests.allSatisfy { $0.header("User-Agent") == "BrowseKit-Tests" })
        #expect(
            server.requests.allSatisfy { $0.header("Authorization") == nil && $0.header("X-GitHub-Api-Version") == nil }
        )
    }

    @Test func `on another host isn't requested`() async throws {
        let other = try LoopbackServer { _ in .json(RickAndMortyResponses.page("[]")) }
        let server = try server(next: "\"\(other.origin)/api/character?page=2\"")
        let characters = try characters(at: server.origin + "/api")
        let next = try #require(try await characters.page(of: everybody, at: nil).next)
        let error = await thrown { () async throws(BrowseError) in try await characters.page(of: everybody, at: next) }
        #expect(error == .refused(.foreignPage, .init(endpoint: "GET /character")))
        #expect(other.requests.isEmpty)
        #expect(server.requests.count == 1)
    }

    // MARK: - No results

    @Test func `is empty if the API reports no results`() async throws {
        let api = try RickAndMortyServer(characters: 1...21)
        let characters = try characters(at: api.base)
        let pastTheEnd = PageCursor(rawValue: api.base + "/character?page=3")
        #expect(try await characters.page(of: everybody, at: pastTheEnd) == Page(items: []))
        let server = try LoopbackServer { _ in .json(RickAndMortyResponses.error("There is nothing here"), status: 404)
        }
        let client = try HTTPClient.rickAndMorty(at: server.origin)
        #expect(
            try await RemoteCharacterRepository(client: client).page(of: .init { $0.name = "x" }, at: nil)
                == Page(items: [])
        )
        #expect(
            try await RemoteEpisodeRepository(client: client).page(of: .init { $0.name = "x" }, at: nil)
                == Page(items: [])
        )
        #expect(
            try await RemoteLocationRepository(client: client).page(of: .init { $0.name = "x" }, at: nil)
                == Page(items: [])
        )
    }

    @Test(
        arguments: [
            (RickAndMortyResponses.error("Character not found"), "Character not found"), ("{}", nil), ("", nil),
            (#"{"message":"There is nothing here"}"#, nil),
        ] as [(String, String?)]
    )
    func `with a 404 and another message is an error, not an empty list`(body: String, message: String?) async throws {
        let server = try LoopbackServer { _ in .json(body, status: 404) }
        let characters = try characters(at: server.origin)
        let error = await thrown { () async throws(BrowseError) in try await characters.page(of: everybody, at: nil) }
        #expect(error == .notFound(.init(endpoint: "GET /character", status: 404) { $0.serverMessage = message }))
    }

    // MARK: - Rows

    @Test func `keeps valid rows, and counts the others`() async throws {
        let rows = #"[{"id":1,"name":"a"},{"id":2},7,{"id":"3","name":"c"},{"id":4,"name":"d"}]"#
        let server = try LoopbackServer { _ in .json(RickAndMortyResponses.page(rows)) }
        let page = try await characters(at: server.origin).page(of: everybody, at: nil)
        #expect(page.ids == [1, 4])
        #expect(page.skipped.count == 3)
        #expect(page.skipped.first == .init(codingPath: "results[1].name", reason: "missing"))
    }
}
