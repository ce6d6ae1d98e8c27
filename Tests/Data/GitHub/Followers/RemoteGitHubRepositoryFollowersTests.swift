import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@Suite("A page of followers", .bounded)
struct RemoteGitHubRepositoryFollowersTests {
    private let list = GitHub.FollowList.followers(of: .init("octocat"))

    /// Returns a list with a given `next` link.
    private func server(linkingTo next: String) throws -> LoopbackServer {
        try LoopbackServer { _ in .json(GitHubResponses.list([1, 2]), headers: [("Link", "<\(next)>; rel=\"next\"")]) }
    }

    @Test func `has its rows in the server's order, and the cursor of the next page`() async throws {
        let server = try LoopbackServer { request in
            let link = "</user/1/followers?page=2>; rel=\"next\""
            return .json(GitHubResponses.list([3, 1, 2]), headers: [("Link", link)])
        }
        let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        let page = try await followers.page(of: list, at: nil)
        #expect(page.ids == [3, 1, 2])
        #expect(page.next == PageCursor(rawValue: "\(server.origin)/user/1/followers?page=2"))
        #expect(page.skipped.count == 0)
        #expect(
            page.items.first
                == GitHub.User(
                    id: .init(rawValue: 3),
                    login: .init("user-3"),
                    avatar: WebAddress(rawValue: "https://avatars.example/u/3?v=4"),
                    webPage: WebAddress(rawValue: "https://github.example/user-3"),
                    kind: .user
                )
        )
    }

    @Test func `is requested with 100 rows, below the base URL`() async throws {
        let server = try LoopbackServer { _ in .json("[]") }
        let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin + "/api/v3/"))
        _ = try await followers.page(of: .followers(of: .init("a_b")), at: nil)
        _ = try await followers.page(of: .following(by: .init("c[bot]")), at: nil)
        #expect(
            server.requests.map(\.target)
                == ["/api/v3/users/a_b/followers?per_page=100", "/api/v3/users/c%5Bbot%5D/following?per_page=100"]
        )
    }

    @Test func `on another host isn't requested`() async throws {
        let other = try LoopbackServer { GitHubResponses.good(for: $0) }
        let server = try server(linkingTo: other.origin + "/user/1/followers?page=2")
        let token = try AccessToken("abc")
        let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin, token: token))
        let page = try await followers.page(of: list, at: nil)
        let refusal = BrowseError.refused(.foreignPage, .init(endpoint: "GET /users/{}/followers"))
        let next = try #require(page.next)
        #expect(
            await thrown { () async throws(BrowseError) in try await followers.page(of: list, at: next) } == refusal
        )

        let received = Mutex<[[Int64]]>([])
        let all = await thrown { () async throws(BrowseError) in
            try await followers.pages(of: list, from: nil, concurrency: 4) { page in
                received.withLock { $0.append(page.ids) }
            }
        }
        #expect(all == refusal)
        #expect(received.withLock { $0 } == [[1, 2]])
        #expect(other.requests.isEmpty)
    }

    @Test func `that links to itself or to an earlier one ends the list`() async throws {
        for targets in [["2", "2"], ["2", "3", "2"], ["2", "3", "1"]] {
            let origin = Mutex("")
            let requestCount = Mutex(0)
            let server = try LoopbackServer { request in
                let index = requestCount.withLock { requestCount in
                    defer { requestCount += 1 }
                    return requestCount
                }
                let target = index < targets.count ? targets[index] : "2"
                let link = "<\(origin.withLock { $0 })/user/1/followers?page=\(target)>; rel=\"next\""
                return .json(GitHubResponses.list([index]), headers: [("Link", link)])
            }
            origin.withLock { $0 = server.origin }
            let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
            let pages = Mutex(0)
            try await followers.pages(of: list, from: nil, concurrency: 4) { _ in pages.withLock { $0 += 1 } }
            // The first page's URL has no number, so a link to page 1 loads it once more.
            #expect(pages.withLock { $0 } <= targets.count + 1)
        }
    }
}
