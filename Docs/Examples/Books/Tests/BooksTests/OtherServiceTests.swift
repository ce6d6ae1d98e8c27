import BrowseCore
import BrowseCoreMocks
import BrowseData
import Foundation
import Testing

@testable import Books

private nonisolated struct Story: Equatable, Sendable {
    let title: String
    let date: Date?
}

private nonisolated struct StoryDTO: Decodable, Sendable {
    let title: String
    let time: Lenient<Double>
}

/// The format of a book; an open set.
nonisolated struct BookFormat: RawRepresentable, Codable, Hashable, Sendable {
    let rawValue: String

    static let paperback = BookFormat(rawValue: "paperback")
}

private nonisolated struct EditionDTO: Decodable, Sendable {
    let format: Lenient<BookFormat>
}

private nonisolated struct NotesDTO: Decodable, Sendable {
    let results: LossyArray<String>
    let cursor: Lenient<String>

    private enum CodingKeys: String, CodingKey {
        case results
        case cursor = "next_cursor"
    }
}

nonisolated extension Endpoint<Story> {
    fileprivate static func story(_ id: Int) -> Self {
        .json(.path("/item/\(id).json")) { (story: StoryDTO?, _) in
            guard let story else { throw ResponseFailure { .notFound($0) } }
            return Story(title: story.title, date: story.time.value.map { Date(timeIntervalSince1970: $0) })
        }
    }
}

nonisolated extension Endpoint<Page<Book>> {
    fileprivate static func notes(matching text: String, at cursor: PageCursor?) -> Self {
        var body = ["query": text]
        body["start_cursor"] = cursor?.rawValue
        var endpoint = Self.json(.path("/search"), body: body) { (response: NotesDTO, _) in
            Page(
                items: response.results.rows.map { Book(id: $0, title: $0, cover: nil) },
                next: response.cursor.value.map { PageCursor(rawValue: $0) },
                skipped: response.results.skipped
            )
        }
        endpoint.onlyReads = true
        return endpoint
    }
}

/// Responses in the form of public services.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct `Another service` {
    private let server = ScriptedServer()

    private func service(_ change: (inout HTTPClient.Service) -> Void = { _ in }) throws -> HTTPClient.Service {
        let url = try #require(URL(string: "https://other.example/v1"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Books (me@example.com)")
        change(&service)
        return service
    }

    private func client(of service: HTTPClient.Service) -> HTTPClient {
        HTTPClient.standard(service, transport: server.transport(), options: .init { $0.clock = ImmediateClock() })
    }

    /// Hacker News
    @Test func `can send null in place of an entity, and dates as numbers`() async throws {
        server.on(.get, "/v1/item/1.json", response: .json(#"{"title": "Tea", "time": 1175714200}"#))
        server.on(.get, "/v1/item/2.json", response: .json("null"))
        let client = client(of: try service())
        let story = try await client.send(.story(1))
        #expect(story == Story(title: "Tea", date: Date(timeIntervalSince1970: 1_175_714_200)))
        let error = await #expect(throws: BrowseError.self) { _ = try await client.send(.story(2)) }
        guard case .notFound = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// OMDb
    @Test(arguments: [("Movie not found!", 200), ("Request limit reached!", 401)])
    func `can have its own meaning of a status`(reason: String, status: Int) async throws {
        server.on(.get, "/v1/item/1.json", response: .json(#"{"Error": "\#(reason)"}"#, status: status))
        let service = try service { service in
            service.status = { response in
                switch (try? response.decoded([String: String].self))?["Error"] {
                case "Movie not found!": 404
                case "Request limit reached!": 429
                default: response.status
                }
            }
        }
        let client = client(of: service)
        let error = await #expect(throws: BrowseError.self) { _ = try await client.send(.story(1)) }
        switch error {
        case .notFound: #expect(status == 200)
        case .rateLimited: #expect(status == 401)
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test(arguments: ["paperback", "scroll"])
    func `can send a value that no version of the app knows`(format: String) async throws {
        server.on(.get, "/v1/editions/1", response: .json(#"{"format": "\#(format)"}"#))
        let edition = Endpoint<BookFormat?>.json(.path("/editions/1")) { (dto: EditionDTO, _) in dto.format.value }
        let read = try await client(of: try service()).send(edition)
        #expect(read == BookFormat(rawValue: format) && (read == .paperback) == (format == "paperback"))
    }

    /// Notion
    @Test func `can search by POST, and have cursors in bodies`() async throws {
        let first = RequestMatcher.post("/v1/search").json(#"{"query": "tea"}"#)
        server.on(first, response: .json(#"{"results": ["a", "b"], "next_cursor": "c"}"#))
        let second = RequestMatcher.post("/v1/search").json(#"{"query": "tea", "start_cursor": "c"}"#)
        server.on(second, responses: [.status(503), .json(#"{"results": ["c"], "next_cursor": null}"#)])
        let client = client(of: try service())
        let options = Container.offline(services: [OfflineBooks()]).screenOptions(for: .openLibrary)
        let model = PagedListViewModel<String, BookRow>(options: options) { text in
            text
        } empty: { text in
            options.texts.noResults(for: text)
        } page: { text, cursor throws(BrowseError) in
            try await client.send(.notes(matching: text, at: cursor))
        } row: { book in
            BookRow(book)
        }
        await model.show("tea")
        await model.loadMore()
        #expect(model.state.content.rows.map(\.id) == ["a", "b", "c"] && !model.state.content.hasMore)
    }

    /// arXiv
    @Test func `can send a format other than JSON`() async throws {
        let feed = Data("<feed><title>Tea</title></feed>".utf8)
        let page = Data("<html><p>Sign in to the network</p></html>".utf8)
        server.on(
            .get,
            "/v1/query",
            responses: [
                .body(feed, headers: ["Content-Type": "application/atom+xml"]),
                .body(page, headers: ["Content-Type": "text/html"]),
            ]
        )
        let service = try service { service in
            service.headers["Accept"] = "application/atom+xml"
            service.evidence = HTTPClient.Service.Evidence { $0.mediaType == "application/atom+xml" }
        }
        let client = client(of: service)
        let query = Endpoint<String>(.path("/query")) { response in
            let text = String(decoding: response.body, as: UTF8.self)
            guard let title = text.firstMatch(of: /<title>(.*)<\/title>/) else { throw ResponseFailure(.status) }
            return String(title.1)
        }
        #expect(try await client.send(query) == "Tea")
        let error = await #expect(throws: BrowseError.self) { _ = try await client.send(query) }
        guard case .unreachable(.intercepted, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// Nextcloud
    @Test func `can expect a username and a password`() async throws {
        let headers: HTTPHeaders = ["WWW-Authenticate": #"Basic realm="Files""#]
        let authorized = RequestMatcher(.get, "/v1/item/1.json").header("Authorization", "Basic bW9uYTpwIHc=")
        server.on(authorized, response: .json("{}", status: 401, headers: headers))
        let token = try Secret(Data("mona:p w".utf8).base64EncodedString())
        let client = HTTPClient.standard(
            try service { $0.evidence = .json(scheme: "basic") },
            transport: server.transport(),
            tokens: AccessGrant(account: "mona", token: token),
            in: TokenField("Authorization", prefix: "Basic ")
        )
        let error = await #expect(throws: BrowseError.self) { _ = try await client.send(.story(1)) }
        guard case .unauthorized = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
