import Books
import BrowseCore
import BrowseCoreMocks
import BrowseData
import Foundation

/// Open Library without a network: one search, with two pages of books.
final class OfflineBooks: OfflineService {
    typealias Settings = BooksSettings
    let scenarios = OfflineScenarios()

    func hasEndpoint(for request: HTTPClient.Request) -> Bool { request.url.lastPathComponent == "search.json" }

    func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
        let page = request.url.query()?.contains("page=2") == true ? 2 : 1
        let name = scenario == .empty ? "search-nothing" : "search-tea-\(page)"
        return HTTPClient.Response(status: 200, body: try Fixtures(in: .module)[name], url: request.url)
    }
}

/// Another service of the same app, whose favorites are in the same list.
struct MusicSettings: ServiceSettings {
    static let name = "Music"
    static var favoriteKinds: [FavoriteKind] {
        [FavoriteKind(Song.self, title: Phrase("music.songs", "Songs", ko: "노래")) { .webPage($0.page) }]
    }

    // swift-format-ignore: NeverForceUnwrap
    var url = URL(string: "https://music.example")!

    func service(in configuration: Configuration) -> HTTPClient.Service {
        .json(baseURL: url, userAgent: configuration.userAgent)
    }
}

/// A song, the favorite of another service.
struct Song: Favoritable, Hashable {
    static let favoriteKind = Favorite.Kind(rawValue: "music.song")
    let name: String
    var favoriteKey: String { name }
    var favoriteTitle: String { name }
    var page: WebAddress { WebAddress(rawValue: "https://music.example/\(name)") }
}
