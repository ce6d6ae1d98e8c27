import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTesting
import Foundation
import TestLimits
import Testing

// The sample of a GraphQL endpoint of GitHub, which also runs as a test.

nonisolated struct Discussion: Decodable, Hashable, Identifiable, Sendable {
    let id: String
    let title: String
}

nonisolated struct DiscussionsQuery: Encodable {
    let variables: [String: String?]
    let query = """
        query($owner: String!, $repo: String!, $after: String) { repository(owner: $owner, name: $repo) {
        discussions(first: 50, after: $after) { nodes { id title } pageInfo { endCursor hasNextPage } } } }
        """
}

nonisolated struct DiscussionsDTO: Decodable, Sendable {
    nonisolated struct Content: Decodable, Sendable {
        let repository: [String: List]?
    }

    nonisolated struct List: Decodable, Sendable {
        let nodes: LossyArray<Discussion>
        let pageInfo: PageInfo
    }

    nonisolated struct PageInfo: Decodable, Sendable {
        let endCursor: String?
        let hasNextPage: Bool
    }

    let data: Content?
    let errors: [[String: Lenient<String>]]?
}

nonisolated extension Endpoint<Page<Discussion>> {
    static func discussions(of repo: String, by owner: GitHub.Login, at cursor: PageCursor?) -> Self {
        let body = DiscussionsQuery(variables: ["owner": owner.rawValue, "repo": repo, "after": cursor?.rawValue])
        var endpoint = json(.path("/graphql"), body: body, bucket: "graphql") { (dto: DiscussionsDTO, response) in
            guard let list = dto.data?.repository?["discussions"] else {
                let (type, reason) = (dto.errors?.first?["type"]?.value, dto.errors?.first?["message"]?.value)
                throw ResponseFailure { info in
                    type == "RATE_LIMITED"
                        ? .rateLimited(BrowseError.RateLimit(response.headers, now: Date()), info)
                        : .rejected(info.reporting(reason))
                }
            }
            let next = list.pageInfo.hasNextPage ? list.pageInfo.endCursor : nil
            return Page(items: list.nodes.rows, next: next.map(PageCursor.init(rawValue:)), skipped: list.nodes.skipped)
        }
        endpoint.onlyReads = true
        return endpoint
    }
}

nonisolated extension Container {
    /// The client of GitHub's GraphQL API.
    var gitHubGraphQLClient: Dependency<HTTPClient> {
        dependency(.singleton) { container in
            let settings = container.configuration.gitHub
            guard settings.url.lastPathComponent == "v3" else { return container.gitHubClient() }
            var service = settings.service(in: container.configuration)
            service.baseURL.deleteLastPathComponent()
            return container.client(
                of: service,
                shared: container.gitHubMiddleware(),
                tokens: container.gitHubTokenRepository()
            )
        }
    }
}

@Suite(.bounded) struct `A GraphQL endpoint of GitHub` {
    private let octocat = GitHub.Login("octocat")

    @Test(
        .verifiesMocks,
        arguments: [
            ("https://github.com", "https://api.github.com/graphql"),
            ("https://github.example.com", "https://github.example.com/api/graphql"),
        ]
    )
    func `reads page after page, at the address of the server`(server address: String, endpoint: String) async throws {
        let server = ScriptedServer()
        for (cursor, end) in [("null", #""c1", "hasNextPage": true"#), (#""c1""#, #""c2", "hasNextPage": false"#)] {
            let page = #"{"nodes": [{"id": "D_1", "title": "Tea"}, null], "pageInfo": {"endCursor": \#(end)}}"#
            let body = #"{"data": {"repository": {"discussions": \#(page)}}}"#
            let request = RequestMatcher.post(endpoint).matching("the cursor is \(cursor)") { sent in
                String(decoding: sent.body ?? Data(), as: UTF8.self).contains(#""after":"# + cursor)
            }
            server.on(request, times: 1, response: .json(body, headers: .gitHub).undecodable())
        }
        let url = try #require(URL(string: address))
        let configuration = Configuration().with { $0.gitHub = GitHubSettings(server: url) }
        let client = Container.production(on: server.transport(), configuration: configuration).gitHubGraphQLClient()
        let first = try await client.send(.discussions(of: "hello", by: octocat, at: nil))
        let last = try await client.send(.discussions(of: "hello", by: octocat, at: first.next))
        #expect(first.items.map(\.title) == ["Tea"] && first.next == PageCursor(rawValue: "c1"))
        #expect(last.items == first.items && last.next == nil && last.skipped.count == 1)
    }

    @Test(.verifiesMocks) func `throws an error of a 200`() async throws {
        let server = ScriptedServer()
        let missing = #"{"type": "NOT_FOUND", "path": ["repository"], "message": "Could not resolve to a Repository."}"#
        let body = #"{"data": {"repository": null}, "errors": [\#(missing)]}"#
        server.on(.post, "/graphql", response: .json(body, headers: .gitHub))
        let client = Container.production(on: server.transport()).gitHubGraphQLClient()
        let error = await #expect(throws: BrowseError.self) {
            try await client.send(.discussions(of: "hello", by: octocat, at: nil))
        }
        guard case .rejected(let info)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(info.serverMessage == "Could not resolve to a Repository.")
    }

    @Test(.verifiesMocks) func `has a limit of its own`() async throws {
        let server = ScriptedServer()
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        var headers = HTTPHeaders.gitHub
        headers["X-RateLimit-Resource"] = "graphql"
        headers["X-RateLimit-Limit"] = "5000"
        headers["X-RateLimit-Remaining"] = "0"
        headers["X-RateLimit-Reset"] = "1000000060"
        let body = #"{"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded."}]}"#
        server.on(.post, "/graphql", times: 1, response: .json(body, headers: headers))
        server.on(.get, "/users/octocat", response: .fixture("user-octocat", in: .gitHub))
        let configuration = Configuration().with { $0.now = { now } }
        let container = Container.production(on: server.transport(), configuration: configuration)
        // The second one isn't sent.
        for _ in 1...2 {
            let error = await #expect(throws: BrowseError.self) {
                try await container.gitHubGraphQLClient().send(.discussions(of: "hello", by: octocat, at: nil))
            }
            guard case .rateLimited? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(try await container.userRepository().profile(of: octocat).user.login == octocat)
    }
}
