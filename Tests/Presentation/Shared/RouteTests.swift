import BrowseDomain
import BrowseMocks
import BrowsePresentation
import Foundation
import Testing

@Suite struct `A route` {
    private struct Planet: Hashable, Codable {
        var name: String
    }

    private struct Moon: Hashable, Codable {
        var name: String
    }

    private func decode(_ data: Data, with types: [any Route.Destination.Value.Type] = []) throws -> [Route] {
        let decoder = JSONDecoder()
        decoder.userInfo[.destinationTypes] = types
        return try decoder.decode([Route].self, from: data)
    }

    @Test func `of every kind is the same after coding`() throws {
        let login = GitHub.Login("octocat")
        let app = AppStore.App(id: AppStore.AppID(rawValue: 1), name: "Browse")
        let page = WebAddress(rawValue: "https://github.com/octocat")
        let routes: [Route] = [
            .followList(.followers(of: login)), .followList(.following(by: login)), .userProfile(login),
            .repoList(.publicRepos(of: login)), .repoList(.own), .repoList(.starred), .signIn,
            .character(RickAndMorty.Character.ID(rawValue: 1)), .episode(RickAndMorty.Episode.ID(rawValue: 2)),
            .location(RickAndMorty.Location.ID(rawValue: 3)), .app(app),
            .screenshotGallery(ScreenshotGallery([page, page, page], at: 2)), .webPage(page),
            .other(Route.Destination(Planet(name: "Earth"))), .other(Route.Destination(7)),
        ]
        let data = try JSONEncoder().encode(routes)
        #expect(try decode(data, with: [Planet.self, Int.self]) == routes)
    }

    @Test func `to a service of one's own needs the type of its value`() throws {
        let earth = Route.other(Route.Destination(Planet(name: "Earth")))
        let data = try JSONEncoder().encode([earth])
        // Both types would decode the value.
        #expect(try decode(data, with: [Moon.self, Planet.self]) == [earth])
        #expect(throws: DecodingError.self) { try decode(data, with: [Moon.self]) }
        #expect(throws: DecodingError.self) { try decode(data) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Route].self, from: data) }
    }

    @Test func `to a gallery has a valid position after decoding`() throws {
        let gallery = ScreenshotGallery([WebAddress(rawValue: "https://images.example/1")], at: 0)
        let data = try JSONEncoder().encode(Route.screenshotGallery(gallery))
        for position in ["-1", "1", "9223372036854775807"] {
            let text = String(decoding: data, as: UTF8.self)
            let edited = text.replacing("\"position\":0", with: "\"position\":\(position)")
            #expect(edited != text)
            #expect(try JSONDecoder().decode(Route.self, from: Data(edited.utf8)) == .screenshotGallery(gallery))
        }
    }
}
