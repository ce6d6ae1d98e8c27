import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("A bad response", .bounded)
struct BadResponseTests {
    private let login = GitHub.Login("octocat")

    @Test(arguments: BadResponse.all)
    func `maps to its error promptly, and the next request succeeds`(bad: BadResponse) async throws {
        let server = try LoopbackServer(first: bad.response)
        let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        let list = GitHub.FollowList.followers(of: login)
        let error = await thrown { () async throws(BrowseError) in try await followers.page(of: list, at: nil) }
        #expect(error == bad.error(.init(endpoint: "GET /users/{}/followers")))
        #expect(try await followers.page(of: list, at: nil).ids == [1, 2])
        #expect(server.requests.count == 2)
    }

    @Test(arguments: BadResponse.broken)
    func `doesn't affect other requests of the client`(bad: BadResponse) async throws {
        let gate = LoopbackGate()
        let server = try LoopbackServer { request in
            guard !request.target.hasPrefix("/users/bad") else { return bad.response }
            return LoopbackResponse(steps: [.holdUntil(gate)] + GitHubResponses.good(for: request).steps)
        }
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        try await withThrowingTaskGroup { group in
            for number in 1...3 {
                group.addTask { try await users.profile(of: .init("good-\(number)")).user.id.rawValue }
            }
            await server.waitForRequests(3)
            let error = await thrown { () async throws(BrowseError) in try await users.profile(of: .init("bad")) }
            #expect(error == .unreachable(.connectionLost, .init(endpoint: "GET /users/{}")))
            gate.open()
            for try await id in group { #expect(id == 1) }
        }
    }

    @Test func `isn't needed to detect a closed port`() async throws {
        let users = RemoteGitHubRepository(client: try .gitHub(at: closedAddress))
        for _ in 1...2 {
            let error = await thrown { () async throws(BrowseError) in try await users.profile(of: login) }
            #expect(error == .unreachable(.connectionRefused, .init(endpoint: "GET /users/{}")))
        }
    }

    @Test(arguments: [
        ("{\"id\":2}", "[1].login", "missing"), ("{\"login\":\"x\"}", "[1].id", "missing"),
        ("{\"id\":\"2\",\"login\":\"x\"}", "[1].id", "not of type Int64"),
        ("{\"id\":2,\"login\":\"@\"}", "[1]", "not a valid value"),
    ])
    func `with one faulty row skips only that row`(row: String, path: String, reason: String) async throws {
        var bytes = Array("[\(GitHubResponses.row(id: 1)),\(row),\(GitHubResponses.row(id: 3))]".utf8)
        // Replaces the at sign with a byte that is invalid in UTF-8.
        if let index = bytes.firstIndex(of: UInt8(ascii: "@")) { bytes[index] = 0xFF }
        let server = try LoopbackServer(first: .json(bytes: bytes))
        let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        let page = try await followers.page(of: .following(by: login), at: nil)
        #expect(page.ids == [1, 3])
        #expect(page.skipped == SkippedRows(count: 1, first: .init(codingPath: path, reason: reason)))
    }
}
