import BrowseCore
import BrowseCoreMocks
import BrowseData
import Foundation
import Testing

@testable import Books

@Suite(.timeLimit(.minutes(5))) struct `The settings of Open Library` {
    private static let token = "made-up-mirror-token"
    private let server = ScriptedServer()

    private func container(_ configuration: Configuration) -> Container {
        .production(on: server.transport(), configuration: configuration, services: [BooksSettings.self])
    }

    @Test(arguments: [
        ("https://mona:made-up@mirror.example", HTTPClient.Service.Problem.userInfo),
        ("http://mirror.example", .insecureConnection),
    ])
    func `are invalid before anything is sent`(text: String, problem: HTTPClient.Service.Problem) async throws {
        var configuration = Configuration()
        configuration.books.url = try #require(URL(string: text))
        configuration.books.token = try Secret(Self.token)
        #expect(throws: Configuration.Problem.baseURL(service: "Open Library", problem)) {
            try configuration.validate()
        }
        let repository = container(configuration).bookRepository()
        await #expect {
            _ = try await repository.books(matching: "tea", at: nil)
        } throws: { error in
            guard case .refused(.invalidConfiguration, _) = error as? BrowseError else { return false }
            return true
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `choose a mirror, whose token is sent and masked in events`() async throws {
        server.on(.get, "/library/search.json", response: .status(404, headers: ["X-Echo": Self.token]))
        let events = Broadcast<HTTPEvent>()
        let stream = events.stream()
        var configuration = Configuration(observers: [events])
        configuration.books.url = try #require(URL(string: "https://mirror.example/library"))
        configuration.books.token = try Secret(Self.token)
        try configuration.validate()
        let container = container(configuration)
        await #expect(throws: BrowseError.self) {
            _ = try await container.bookRepository().books(matching: Self.token, at: nil)
        }
        #expect(server.requests.map { $0.headers["Authorization"] } == ["Bearer \(Self.token)"])
        events.finish()
        let log = await stream.reduce(into: "") { dump($1, to: &$0) }
        #expect(log.contains("mirror.example") && log.contains("***"))
        #expect(!log.contains(Self.token))
    }

    @Test(arguments: [("en", "Books"), ("ko", "책")])
    func `add books to the favorites of a container`(language: String, title: String) async throws {
        let configuration = Configuration(locale: Locale(identifier: language))
        let container = Container(configuration, services: [BooksSettings.self])
        let kinds = try #require(await container.favoriteListViewModel().state.fields.first { $0.id == "kind" })
        guard case .choice(let choices) = kinds.input else {
            Issue.record("\(kinds.input)")
            return
        }
        #expect(choices.map(\.title).last == title)
    }
}
