import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
@testable import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import Testing

@testable import BrowseData
import TestLimits

@Suite(.bounded)
struct `The requests of a sweep` {
    private let folder = TemporaryFolder()

    private static let base = "https://api.github.com"

    private func client(_ transport: FakeTransport, _ middleware: any HTTPMiddleware...) throws -> HTTPClient {
        HTTPClient(
            service: .gitHub(baseURL: try #require(URL(string: Self.base)), userAgent: "Tests"),
            transport: transport,
            middleware: middleware
        )
    }

    /// Three pages of followers with entity tags, of which each has its own row.
    private func followers(next: String = Self.base + "/user/1/followers?page=") -> FakeTransport {
        FakeTransport { request, _ throws(BrowseError) in
            let page = request.url.query()?.split(separator: "&").first { $0.hasPrefix("page=") }
            let number = page.flatMap { Int($0.dropFirst(5)) } ?? 1
            var headers: HTTPHeaders = ["ETag": "\"\(number)\"", "Content-Type": "application/json"]
            if number < 3 { headers["Link"] = "<\(next)\(number + 1)>; rel=\"next\", <\(next)3>; rel=\"last\"" }
            if request.headers["If-None-Match"] == headers["ETag"] {
                return HTTPResponse(status: 304, headers: headers, url: request.url)
            }
            let body = Data(GitHubResponses.list([number]).utf8)
            return HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
        }
    }

    private let list = GitHub.FollowList.followers(of: GitHub.Login("mona"))

    @Test func `confirm pages in a second pass, and don't use the response cache`() async throws {
        let transport = followers()
        let cache = ResponseCache(folder: folder.url, byteLimit: 1 << 20, clock: TestClock())
        let client = try client(transport, ConditionalCache(cache))
        let source = client.sweepSource(of: list, named: "GitHub")
        #expect(source.list == "GitHub: https://api.github.com/users/mona/followers?per_page=100")
        let sink = SweepFile<GitHub.User>.jsonLines(at: folder.file("followers.jsonl"))
        let first = try await Sweep(source, into: sink).run()
        #expect(first.rowCount == 3 && first.totalCount == 300)
        let second = try await Sweep(source, into: sink).run(again: true)
        #expect(second.pageCount == 3 && second.rowCount == 3)
        let requests = transport.requests
        #expect(requests.map { $0.headers["If-None-Match"] } == [nil, nil, nil, "\"1\"", "\"2\"", nil])
        #expect(requests.allSatisfy { $0.options.priority == .prefetch })
        await #expect(throws: BrowseError.self) {
            try await LoadOptions(source: .cacheOnly).load { () throws(BrowseError) in
                try await client.send(.page(of: self.list, at: nil))
            }
        }
    }

    @Test func `don't follow a cursor to another origin, even from the checkpoint`() async throws {
        let transport = followers(next: "https://evil.example/users/mona/followers?page=")
        let source = try client(transport).sweepSource(of: list, named: "GitHub")
        let sink = SweepFile<GitHub.User>.jsonLines(at: folder.file("followers.jsonl"))
        for count in 1...2 {
            let error = await #expect(throws: SweepError.self) { try await Sweep(source, into: sink).run() }
            guard case .failed(.refused(.foreignPage, _)) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(transport.requests.count == 1, "run \(count)")
        }
    }

    @Test func `belong to the account that they were sent with`() async throws {
        let source = try client(followers(), Account()).sweepSource(of: list, named: "GitHub")
        let sink = SweepFile<GitHub.User>.jsonLines(at: folder.file("followers.jsonl"))
        #expect(try await Sweep(source, into: sink).run().account == "mona")
    }

    @Test func `report the rate limit of their bucket`() async throws {
        let limited = FakeTransport(
            headers: [
                "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "4000000000",
                "X-RateLimit-Resource": "core",
            ],
            json: "[]"
        )
        let service = HTTPClient.Service.gitHub(baseURL: try #require(URL(string: Self.base)), userAgent: "Tests")
        let source = try client(limited, RateLimitGate(service: service)).sweepSource(of: list, named: "GitHub")
        let sink = SweepFile<GitHub.User>.jsonLines(at: folder.file("followers.jsonl"))
        #expect(try await Sweep(source, into: sink).run().rateLimit?.remaining == 59)
    }

    @Test func `of a filter without results end with an empty list`() async throws {
        let transport = FakeTransport { request, _ throws(BrowseError) in
            HTTPResponse(
                status: 404,
                headers: ["Content-Type": "application/json"],
                body: Data(#"{"error":"There is nothing here"}"#.utf8),
                url: request.url
            )
        }
        let url = try #require(URL(string: "https://rickandmortyapi.com/api"))
        let client = HTTPClient(service: .rickAndMorty(baseURL: url, userAgent: "Tests"), transport: transport)
        let source = RemoteCharacterRepository(client: client)
            .sweepSource(of: RickAndMorty.CharacterFilter(name: "nobody"), named: "Rick and Morty")
        let sink = SweepFile<RickAndMorty.Character>.jsonLines(at: folder.file("characters.jsonl"))
        #expect(try await Sweep(source, into: sink).run().rowCount == 0)
    }

    /// Adds an account.
    private struct Account: HTTPMiddleware {
        func send(
            _ request: HTTPRequest,
            next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
        ) async throws(BrowseError) -> HTTPResponse {
            var request = request
            request.account = "mona"
            return try await next(request)
        }
    }
}
