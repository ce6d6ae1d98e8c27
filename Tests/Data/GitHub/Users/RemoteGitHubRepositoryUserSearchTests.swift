import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("A search for accounts", .bounded)
struct RemoteGitHubRepositoryUserSearchTests {
    private let mona: GitHub.SearchText

    init() throws {
        mona = try GitHub.SearchText("mona")
    }

    /// The result for a response body.
    private func outcome(
        _ body: String,
        status: Int = 200,
        link: String? = nil
    ) async throws -> Result<Page<GitHub.User>, BrowseError> {
        let service = try FakeService { _, _ in (status, link, body) }
        return await Result.of { () throws(BrowseError) in
            try await RemoteGitHubRepository(client: service.client).search(for: mona, at: nil)
        }
    }

    @Test func `returns rows in the server's order, the total count, and the next page's cursor`() async throws {
        let body = GitHubResponses.found(GitHubResponses.list([3, 1, 2]), total: 6038)
        let link = "<https://api.github.com/search/users?q=mona&per_page=100&page=2>; rel=\"next\""
        let found = try await outcome(body, link: link).get()
        #expect(found.ids == [3, 1, 2])
        #expect(found.items.first?.login == .init("user-3"))
        #expect(found.skipped.count == 0)
        #expect(found.totalCount == 6038)
        #expect(!found.isIncomplete)
        #expect(found.next?.rawValue == "https://api.github.com/search/users?q=mona&per_page=100&page=2")
    }

    @Test func `continues at exactly the URL of the previous page's link`() async throws {
        let service = try FakeService { _, _ in (200, nil, GitHubResponses.found("[]", total: 0)) }
        let users = RemoteGitHubRepository(client: service.client)
        _ = try await users.search(for: mona, at: nil)
        let next = PageCursor(rawValue: service.origin + "/search/users?q=mo%20na&per_page=100&page=2")
        _ = try await users.search(for: mona, at: next)
        #expect(
            service.targets == ["/search/users?q=mona&per_page=100", "/search/users?q=mo%20na&per_page=100&page=2"]
        )
        let foreign = PageCursor(rawValue: "https://elsewhere.example/search/users?q=mona&page=2")
        let error = await thrown { () async throws(BrowseError) in try await users.search(for: mona, at: foreign) }
        #expect(error == .refused(.foreignPage, .init(endpoint: "GET /search/users")))
        #expect(service.targets.count == 2)
    }

    @Test(arguments: [("true", true), ("false", false), ("null", false), ("\"no\"", false)])
    func `reports incomplete results`(value: String, isIncomplete: Bool) async throws {
        let body = "{\"total_count\":9,\"incomplete_results\":\(value),\"items\":[]}"
        #expect(try await outcome(body).get().isIncomplete == isIncomplete)
        // Old servers omit the field.
        #expect(try await outcome("{\"total_count\":9,\"items\":[]}").get().isIncomplete == false)
    }

    @Test func `counts rows that can't be decoded, and keeps the others`() async throws {
        let rows =
            "[\(GitHubResponses.row(id: 1)),{\"id\":2},null,\(GitHubResponses.row(id: 3)),{\"login\":\"x\",\"id\":\"4\"}]"
        let page = try await outcome(GitHubResponses.found(rows, total: 5)).get()
        #expect(page.ids == [1, 3])
        #expect(page.skipped.count == 3)
        #expect(page.skipped.first == .init(codingPath: "items[1].login", reason: "missing"))
    }

    @Test(arguments: [
        ("{\"items\":[]}", "total_count", "missing"),
        ("{\"total_count\":null,\"items\":[]}", "total_count", "null where Int was expected"),
        ("{\"total_count\":\"1\",\"items\":[]}", "total_count", "not of type Int"),
        ("{\"total_count\":1}", "items", "missing"),
        ("{\"total_count\":1,\"items\":{}}", "items", "not of type Array<Any>"),
        ("{\"total_count\":1,\"items\":[{\"id\":1}]}", "items[0].login", "missing"),
        ("[]", "", "not of type Dictionary<String, Any>"), ("{", "", "not valid JSON"),
    ])
    func `throws for an unexpected response`(body: String, path: String, reason: String) async throws {
        guard case .failure(.unusableResponse(.decoding(let failure), let info)) = try await outcome(body) else {
            Issue.record("\(body)")
            return
        }
        #expect(failure.codingPath == path)
        #expect(failure.reason == reason)
        #expect(info == .init(endpoint: "GET /search/users", status: 200))
    }

    @Test(arguments: [(100, 10), (99, 11), (30, 34), (1, 1000)])
    func `ends at the 1,000th result, even if pages have few rows`(size: Int, count: Int) async throws {
        // GitHub counts page × per_page, even if pages had gaps.
        let transport = FakeTransport { request, index throws(BrowseError) in
            let address = "https://api.github.com/search/users?q=mona&per_page=\(size)&page=\(index + 2)"
            let rows = GitHubResponses.list([index])
            return HTTPClient.Response(
                status: 200,
                headers: ["Content-Type": "application/json", "Link": "<\(address)>; rel=\"next\""],
                body: Data(GitHubResponses.found(rows, total: 5000).utf8),
                url: request.url
            )
        }
        let client = try HTTPClient.gitHub(at: "https://api.github.com", transport: transport)
        let users = RemoteGitHubRepository(client: client, pageSize: size)
        var pages = [try await users.search(for: mona, at: nil)]
        while let next = pages.last?.next { pages.append(try await users.search(for: mona, at: next)) }
        #expect(pages.count == count)
        #expect(transport.requests.count == count)
    }
}
