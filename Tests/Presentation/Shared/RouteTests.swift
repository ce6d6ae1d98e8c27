import BrowseAppStoreDomain
import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import Testing

@Suite struct `A route` {
    private struct Planet: RouteDestination {
        static let routeName = "planet"
        var name: String
    }

    private struct Moon: RouteDestination {
        static let routeName = "moon"
        var name: String
    }

    /// A type with the name of another.
    private struct Star: RouteDestination {
        static let routeName = "planet"
        var name: String
    }

    private static let services: [any RouteDestination.Type] = [
        GitHub.Screen.self, RickAndMorty.Screen.self, AppStore.Screen.self,
    ]

    private func decode(_ data: Data, with types: [any RouteDestination.Type] = []) throws -> [Route] {
        let decoder = JSONDecoder()
        decoder.userInfo[.destinationTypes] = types
        return try decoder.decode([Route].self, from: data)
    }

    @Test func `of every kind is the same after coding`() throws {
        let login = GitHub.Login("octocat")
        let app = AppStore.App(id: AppStore.AppID(rawValue: 1), name: "Browse")
        let page = WebAddress(rawValue: "https://github.com/octocat")
        let routes: [Route] = [
            .gitHub(.followList(.followers(of: login))), .gitHub(.followList(.following(by: login))),
            .gitHub(.userProfile(login)),
            .gitHub(.repoList(.publicRepos(of: login))), .gitHub(.repoList(.own)), .gitHub(.repoList(.starred)),
            .signIn,
            .rickAndMorty(.character(RickAndMorty.Character.ID(rawValue: 1))),
            .rickAndMorty(.episode(RickAndMorty.Episode.ID(rawValue: 2))),
            .rickAndMorty(.location(RickAndMorty.Location.ID(rawValue: 3))), .appStore(.app(app)),
            .appStore(.screenshotGallery(ScreenshotGallery([page, page, page], at: 2))), .webPage(page),
            .other(Route.Destination(Planet(name: "Earth"))),
        ]
        let data = try JSONEncoder().encode(routes)
        #expect(try decode(data, with: Self.services + [Planet.self]) == routes)
        // The names of modules and types can change.
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("Browse.") && !text.contains("BrowsePresentation") && !text.contains("Planet"))
        for name in ["github", "rick-and-morty", "app-store", "planet"] { #expect(text.contains("\"\(name)\"")) }
    }

    @Test func `to a service of one's own needs the type of its value`() throws {
        let earth = Route.other(Route.Destination(Planet(name: "Earth")))
        let data = try JSONEncoder().encode([earth])
        // Both types would decode the value.
        #expect(try decode(data, with: [Moon.self, Planet.self]) == [earth])
        #expect(throws: DecodingError.self) { try decode(data, with: [Moon.self]) }
        #expect(throws: DecodingError.self) { try decode(data, with: [Planet.self, Star.self]) }
        #expect(throws: DecodingError.self) { try decode(data) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Route].self, from: data) }
    }

    @Test func `to a gallery has a valid position after decoding`() throws {
        let gallery = ScreenshotGallery([WebAddress(rawValue: "https://images.example/1")], at: 0)
        let data = try JSONEncoder().encode([Route.appStore(.screenshotGallery(gallery))])
        for position in ["-1", "1", "9223372036854775807"] {
            let text = String(decoding: data, as: UTF8.self)
            let edited = text.replacing("\"position\":0", with: "\"position\":\(position)")
            #expect(edited != text)
            #expect(try decode(Data(edited.utf8), with: Self.services) == [.appStore(.screenshotGallery(gallery))])
        }
    }
}
