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

/// A transport that responds by a closure, and remembers its requests.
private final class Server: HTTPTransport {
    let requests = Monitor<[HTTPClient.Request]>([])
    private let respond: @Sendable (HTTPClient.Request) -> (status: Int, headers: HTTPHeaders, body: String)

    init(_ respond: @escaping @Sendable (HTTPClient.Request) -> (status: Int, headers: HTTPHeaders, body: String)) {
        self.respond = respond
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        requests.withLock { $0.append(request) }
        var (status, headers, body) = respond(request)
        headers["Content-Type"] = "application/json"
        return HTTPClient.Response(status: status, headers: headers, body: Data(body.utf8), url: request.url)
    }

    var queries: [String?] { requests.value.map { $0.url.query(percentEncoded: true) } }
}

@MainActor @Suite(.bounded)
struct `The next page` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "pages-\(UUID().uuidString)")

    private func container(_ server: Server, locale: String = "en_US") -> Container {
        var configuration = Configuration.localized(locale)
        configuration.storageFolder = folder
        configuration.cacheFolder = folder
        // Waits for the disk have no limit, however busy the machine is.
        configuration.clock = TestClock()
        let container = Container(configuration)
        container.transport.override { _ in server }
        container.gitHubTokenStore.override { _ in InMemoryTokenStore() }
        return container
    }

    private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

    /// The API writes the decoded query into its links.
    @Test(arguments: [
        ("Rick S", "Rick S", "Rick%20S"), ("C+", "C+", "C%2B"), ("a&b", "a&b", "a%26b"), ("50%", "50%", "50%25"),
        ("#1", "#1", "%231"), ("a&page=7", "a&page=7", "a%26page%3D7"), ("김", "김", "%EA%B9%80"),
    ])
    func `of a Rick and Morty list has the filter of the request`(name: String, linked: String, sent: String) async {
        defer { cleanUp() }
        let server = Server { request in
            let isFirst = request.url.query()?.contains("page=2") != true
            let address = "https://rickandmortyapi.com/api/character?page=2&name=\(linked)"
            let next = isFirst ? "\"\(address)\"" : "null"
            let row = "{\"id\": \(isFirst ? 1 : 2), \"name\": \"Rick\"}"
            return (200, [:], "{\"info\": {\"count\": 2, \"next\": \(next)}, \"results\": [\(row)]}")
        }
        for (locale, summary) in [("en_US", "2 results"), ("ko_KR", "결과 2개")] {
            let model = container(server, locale: locale).characterListViewModel()
            model.query.name = name
            await model.submit()
            await model.loadMore()
            #expect(model.state.content.rows.map(\.id.rawValue) == [1, 2])
            #expect(model.state.content.status == .ready)
            #expect(model.state.totalCount == 2)
            #expect(model.state.summary == summary)
            #expect(server.queries.suffix(2) == ["name=\(sent)", "page=2&name=\(sent)"])
        }
    }

    /// Servers in Go encode an empty list as null.
    @Test func `isn't missing from a list that is null`() async {
        defer { cleanUp() }
        let model = container(Server { _ in (200, [:], "null") }).followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        #expect(model.state.content.rows.isEmpty && !model.state.content.hasMore)
        #expect(model.state.content.status.message?.kind == .empty)
    }

    /// A validator covers one page, so a server confirms a full last page that rows were added behind.
    @Test(arguments: [(100, true), (99, false)])
    func `is found when rows were added behind a full last one`(count: Int, isFound: Bool) async {
        defer { cleanUp() }
        let hasGrown = Monitor(false)
        let server = Server { request in
            let rows = (0..<count).map { "{\"id\": \($0 + 1), \"login\": \"user-\($0)\"}" }.joined(separator: ",")
            if request.url.query()?.contains("page=2") == true {
                return (200, [:], "[{\"id\": 999, \"login\": \"new\"}]")
            }
            guard request.headers["If-None-Match"] == nil else { return (304, ["ETag": "\"a\""], "") }
            var headers: HTTPHeaders = ["ETag": "\"a\""]
            if hasGrown.value {
                headers["Link"] = "<https://api.github.com/user/1/followers?per_page=100&page=2>; rel=\"next\""
            }
            return (200, headers, "[\(rows)]")
        }
        let model = container(server).followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        #expect(!model.state.content.hasMore)
        hasGrown.withLock { $0 = true }
        await model.refresh()
        #expect(model.state.content.hasMore == isFound)
        #expect(server.requests.value.last?.headers["If-None-Match"] == (isFound ? nil : "\"a\""))
        await model.loadMore()
        #expect(model.state.content.rows.count == (isFound ? 101 : count))
    }

    /// pezra/hal-client#32, otto-de/edison-hal#1
    @Test(
        arguments: [
            ("/api/orders?page=2", "https://shop.example/api/orders?page=2"),
            ("?page=2", "https://shop.example/api/orders?page=2"), ("next/2", "https://shop.example/api/next/2"),
            ("https://shop.example/api/orders?page=2", "https://shop.example/api/orders?page=2"), ("", nil),
        ] as [(String, String?)]
    )
    func `of an own service's list is named by an address in a body, which can be relative`(
        address: String,
        next: String?
    ) throws {
        let url = try #require(URL(string: "https://shop.example/api/orders"))
        let response = HTTPClient.Response(status: 200, headers: [:], body: Data(), url: url)
        #expect(Page(items: [1], next: response.page(at: address)).next?.rawValue == next)
    }
}
