import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `The description of an error of input` {
    private static let errors: [any Error] = [
        BrowseError.storageFailed(StorageFailure(reason: .full, file: "a")), Configuration.Problem.userAgent,
        Configuration.Problem.baseURL(service: "GitHub", .insecureConnection), Configuration.Problem.clientID,
        Configuration.Problem.redirect,
    ]

    /// Foundation's text for other errors is "The operation could not be completed. (… error 0.)".
    private func expectSentence(_ error: any Error, sourceLocation: SourceLocation = #_sourceLocation) {
        let text = error.localizedDescription
        #expect(
            text.contains(" ") && !text.contains("error") && !text.contains("operation"),
            sourceLocation: sourceLocation
        )
    }

    @Test func `is a sentence`() {
        for error in Self.errors { expectSentence(error) }
        for problem in HTTPClient.Service.Problem.allCases { expectSentence(problem) }
    }

    @MainActor @Test func `doesn't blame the service for input that wasn't sent`() async throws {
        let server = ScriptedServer()
        let container = Container.production(on: server.transport())
        let model = container.userProfileViewModel()
        await model.show(GitHub.Login(""))
        let error = await #expect(throws: BrowseError.self) {
            try await container.userRepository().profile(of: GitHub.Login(""))
        }
        let message = container.texts().about(.gitHub).message(for: try #require(error))
        #expect(message.title == "Invalid Input")
        #expect(!message.text.contains("GitHub"))
        #expect(server.requests.isEmpty)
    }
}

@Suite(.bounded) struct `Promises about names and versions` {
    @Test(arguments: ["a b", "", "a:", "é", "a\n"])
    func `services and requests refuse the same field names`(name: String) async throws {
        var service = HTTPClient.Service.json(baseURL: try #require(URL(string: "https://a.example")), userAgent: "a")
        service.headers[name] = "1"
        #expect(throws: HTTPClient.Service.Problem.unusableHeader) { try service.validate() }
        service.headers = HTTPHeaders()
        var request = HTTPClient.Request(url: service.baseURL, endpoint: "GET /")
        request.headers[name] = "1"
        #expect(throws: BrowseError.refused(.invalidParameter, request.info)) { try request.validatedOrigin() }
    }

    @Test func `a list that links to its first page is requested once`() async throws {
        let calls = Monitor(0)
        let cursor = PageCursor(rawValue: "a")
        let followers = InMemoryFollowerRepository { _ in
            calls.withLock { $0 += 1 }
            return Page(items: [], next: cursor)
        }
        let list = GitHub.FollowList.followers(of: GitHub.Login("mona"))
        try await followers.pages(of: list, from: cursor, concurrency: 1) { _ throws(BrowseError) in }
        #expect(calls.value == 1)
    }

    @Test(arguments: [
        "https://user:hunter2@a.example/b", #"https:\/\/user:hunter2@a.example"#,
        "https%3A%2F%2Fuser%3Ahunter2%40a.example",
    ])
    func `a password in a URL doesn't stay in a recording`(text: String) async throws {
        let recorder = RecordingTransport(
            over: InProcessTransport { request in
                .success(HTTPClient.Response(status: 200, body: Data("see \(text)".utf8), url: request.url))
            }
        )
        let url = try #require(URL(string: "https://a.example/c"))
        _ = try await recorder.send(HTTPClient.Request(url: url, endpoint: "GET /"))
        let exchange = try #require(recorder.recording.exchanges.first)
        guard case .response(let response) = exchange.outcome else {
            Issue.record("\(exchange.outcome)")
            return
        }
        let body = String(decoding: response.body, as: UTF8.self)
        #expect(!body.contains("hunter2") && body.contains("a.example"))
    }
}
