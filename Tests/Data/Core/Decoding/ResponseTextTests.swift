import BrowseAppStoreData
import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `An optional text of a response` {
    /// Texts as JSON has them between quotes, and what is known of them.
    private static let texts: [(String, String?)] = [
        ("", nil), (#" \n\t"#, nil), ("\u{3000}", nil), (#" a  b\n"#, "a  b"), ("맑은 ☀️ ", "맑은 ☀️"), ("C++", "C++"),
        ("\u{3164}", nil), (" \u{200B}\u{2060} ", nil), ("\u{200F}\u{2800}", nil), (#"\u0000"#, nil),
        ("\u{200B}a", "\u{200B}a"), (#" one\n two \n"#, "one\n two"), ("한", "한"),
    ]

    private func transport(_ fields: [String], _ text: String, in head: String, _ tail: String = "") -> FakeTransport {
        FakeTransport(json: "{\(head)" + fields.map { ",\"\($0)\":\"\(text)\"" }.joined() + "}\(tail)")
    }

    @Test(arguments: texts)
    func `is trimmed, and a blank one is missing, on GitHub`(text: String, expected: String?) async throws {
        func client(_ fields: [String], in head: String) throws -> HTTPClient {
            try .gitHub(at: "https://api.github.com", transport: transport(fields, text, in: head))
        }
        let user = try client(["name", "bio", "company", "location", "blog"], in: #""id":1,"login":"a""#)
        let profile = try await RemoteGitHubRepository(client: user).profile(of: GitHub.Login("a"))
        #expect([profile.name, profile.bio, profile.company, profile.location].allSatisfy { $0 == expected })
        #expect(profile.blog?.rawValue == expected)
        let page = try client(["description", "language", "homepage"], in: #""id":1,"name":"a","full_name":"o/a""#)
        let details = try await RemoteGitHubRepository(client: page).details(named: "a", of: GitHub.Login("o"))
        #expect([details.repo.summary, details.repo.language].allSatisfy { $0 == expected })
        #expect(details.homepage?.rawValue == expected)
    }

    @Test(arguments: texts)
    func `is trimmed, and a blank one is missing, in the App Store`(text: String, expected: String?) async throws {
        let fields = [
            "primaryGenreName", "trackContentRating", "description", "version", "releaseNotes", "minimumOsVersion",
        ]
        let transport = transport(fields, text, in: #""results":[{"trackId":7,"trackName":"A""#, "]}")
        let apps = RemoteAppRepository(client: try .appStore(at: "https://itunes.apple.com", transport: transport))
        let app = try await apps.lookUp(.id(AppStore.AppID(7)), in: .init())
        #expect(
            [app.genre, app.ageRating, app.description, app.version, app.releaseNotes, app.minimumOSVersion]
                .allSatisfy { $0 == expected }
        )
    }

    @Test(arguments: texts)
    func `is trimmed, and a blank one is missing, of Rick and Morty`(text: String, expected: String?) async throws {
        func client(_ fields: [String], in head: String = #""id":1,"name":"a""#) throws -> HTTPClient {
            let transport = transport(fields, text, in: head)
            return try .rickAndMorty(at: "https://rickandmortyapi.com/api", transport: transport)
        }
        let places = #""origin":{"name":"\#(text)"},"location":{"name":"\#(text)"}"#
        let characters = RemoteCharacterRepository(
            client: try client(["status", "species", "type", "gender"], in: #""id":1,"name":"a",\#(places)"#)
        )
        let character = try await characters.entity(.init(rawValue: 1))
        #expect([character.status?.rawValue, character.gender?.rawValue].allSatisfy { $0 == expected })
        #expect([character.species, character.type].allSatisfy { $0 == expected })
        #expect([character.origin.name, character.location.name].allSatisfy { $0 == expected })
        let episodes = RemoteEpisodeRepository(client: try client(["episode", "air_date"]))
        let episode = try await episodes.entity(.init(rawValue: 1))
        #expect([episode.code, episode.airDate].allSatisfy { $0 == expected })
        let locations = RemoteLocationRepository(client: try client(["type", "dimension"]))
        let location = try await locations.entity(.init(rawValue: 1))
        #expect([location.type, location.dimension].allSatisfy { $0 == expected })
    }
}
