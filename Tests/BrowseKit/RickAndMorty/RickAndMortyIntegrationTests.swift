import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

/// Tests characters, episodes, and locations through all layers, on fixtures.
@MainActor @Suite(.bounded)
struct `Rick and Morty, all layers` {
    private func container(locale: String = "en_US") -> Container {
        Container.offline(configuration: .localized(locale))
    }

    @Test func `navigates from a list to a character, episodes, locations, and characters`() async throws {
        let container = container()
        let list = container.characterListViewModel()
        await list.show()
        var sizes = [list.state.content.rows.count]
        while list.state.content.hasMore, list.state.content.status == .ready {
            await list.rowAppeared(list.state.content.rows[list.state.content.rows.count - 1].id)
            sizes.append(list.state.content.rows.count)
        }
        #expect(sizes == [20, 40, 46])

        let id = list.state.content.rows[1].id
        #expect(list.select(id) == .rickAndMorty(.character(id)))
        let character = container.characterDetailViewModel()
        await character.show(id)
        let details = try #require(character.state.content.details)
        #expect(details.name == "Bram Marrow")
        #expect(character.state.related.rows.map(\.id) == details.character.episodes)
        #expect(character.state.related.rows.first?.code == "S01E01")

        let episodeID = character.state.related.rows[0].id
        #expect(character.related.select(episodeID) == .rickAndMorty(.episode(episodeID)))
        let episode = container.episodeDetailViewModel()
        await episode.show(episodeID)
        let shown = try #require(episode.state.content.details)
        #expect(shown.name == "A Cold Start")
        #expect(episode.state.related.rows.map(\.id) == shown.episode.characters)
        #expect(episode.state.related.rows.contains { $0.id == id })

        let place = try #require(details.character.location.id)
        #expect(details["location"]?.route == .rickAndMorty(.location(place)))
        let location = container.locationDetailViewModel()
        await location.show(place)
        #expect(location.state.related.rows.contains { $0.id == id })
        #expect(
            location.related.select(location.state.related.rows[0].id) == .rickAndMorty(.character(.init(rawValue: 1)))
        )
    }

    @Test func `shows the same favorite mark on all screens`() async throws {
        let container = container()
        let list = container.characterListViewModel()
        await list.show()
        let episode = container.episodeDetailViewModel()
        await episode.show(.init(rawValue: 1))
        let row = try #require(list.state.content.rows.firstIndex { $0.id == episode.state.related.rows.first?.id })
        let id = list.state.content.rows[row].id
        await list.toggleFavorite(list.state.content.rows[row].id)
        for await state in episode.states where state.related.rows.first?.isFavorite == true { break }
        let character = container.characterDetailViewModel()
        await character.show(id)
        #expect(character.state.isFavorite)
        let place = try #require(character.state.content.details?.character.location.id)
        let location = container.locationDetailViewModel()
        await location.show(place)
        #expect(location.state.related.rows.filter(\.isFavorite).map(\.id) == [id])
        await character.toggleFavorite()
        for await state in list.states where !state.content.rows[row].isFavorite { break }
    }

    @Test func `shows an empty search result without an error`() async {
        let container = container(locale: "ko_KR")
        let list = container.characterListViewModel()
        list.query.name = "ada"
        list.query.status = .alive
        await list.submit()
        #expect(list.state.content.rows.allSatisfy { $0.name.contains("Ada") && $0.status == "생존" })
        #expect(!list.state.content.rows.isEmpty)
        list.query.name = "nobody of that name"
        await list.submit()
        #expect(list.state.content.status.emptyMessage?.text == "필터와 일치하는 항목이 없습니다.")

        let episodes = container.episodeListViewModel()
        await episodes.show(.init { $0.code = "S05" })
        #expect(episodes.state.content.rows.map(\.code) == ["S05E01", "S05E02"])
        let locations = container.locationListViewModel()
        await locations.show(.init { $0.name = "home" })
        #expect(locations.state.content.rows.map(\.name) == ["Home (Q-1)"])
    }

    @Test(arguments: [
        ("https://api.github.com", "https://rickandmortyapi.com/api"), ("http://127.0.0.1:1", "http://127.0.0.1:1"),
        ("https://one.test", "https://one.test/api"), ("https://one.test/api/v3", "https://one.test/api"),
        ("https://one.test:8443/x", "https://one.test/x"),
    ])
    func `works next to GitHub at any base URLs`(gitHub: String, rickAndMorty: String) async throws {
        var configuration = Configuration()
        configuration.gitHub.url = try #require(URL(string: gitHub))
        configuration.rickAndMorty.url = try #require(URL(string: rickAndMorty))
        let container = Container.offline(configuration: configuration)
        let profile = try await container.userRepository().profile(of: GitHub.Login("octocat"))
        #expect(profile.name == "The Octocat")
        var next = try await container.characterRepository().page(of: .init(), at: nil)
        next = try await container.characterRepository().page(of: .init(), at: next.next)
        #expect(next.items.first?.id.rawValue == 21)
        #expect(try await container.episodeRepository().entity(.init(rawValue: 1)).name == "A Cold Start")
        // A login can equal the name of a resource.
        let error = await #expect(throws: BrowseError.self) {
            try await container.userRepository().profile(of: GitHub.Login("character"))
        }
        #expect(error?.request?.serverMessage == "Not Found")
    }

    @Test func `sends requests to the configured URL, without GitHub's token`() async throws {
        let server = ScriptedServer()
        server.on(
            .get,
            "/rm/character",
            query: ["status": "Dead"],
            response: .fixture("character-3", in: .rickAndMorty)
        )
        var configuration = Configuration()
        configuration.rickAndMorty.url = try #require(URL(string: "https://example.test/rm"))
        configuration.gitHub.token = try AccessToken("made-up")
        configuration.userAgent = "Story"
        configuration.cacheByteLimit = 0
        let container = Container(configuration)
        container.transport.override { _ in server.transport() }
        let page = try await container.characterRepository().page(of: .init { $0.status = .dead }, at: nil)
        #expect(page.items.count == 6)
        let request = try #require(server.requests.first)
        #expect(request.url.absoluteString == "https://example.test/rm/character?status=Dead")
        #expect(request.headers["Authorization"] == nil)
        #expect(request.headers["User-Agent"] == "Story")
        try server.verify()
    }
}
