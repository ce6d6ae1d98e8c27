import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct ScenarioTests {
    let login = GitHub.Login("octocat")

    @Test
    func `When it is empty, people are there and their lists and counts are not`() async throws {
        let client = try HTTPClient.gitHub(on: OfflineGitHub(scenario: .empty).transport())
        let profile = try await RemoteUserRepository(client: client).profile(of: login)
        #expect(profile.name == "The Octocat")
        #expect(profile.followerCount == 0)
        #expect(profile.followingCount == 0)
        #expect(profile.publicRepoCount == 0)
        #expect(profile.publicGistCount == 0)
        let followers = RemoteFollowerRepository(client: client)
        for list in [.followers(of: login), .following(by: login)] as [GitHub.FollowList] {
            #expect(try await followers.page(of: list, at: nil) == Page(items: []))
        }
        guard case .notFound = try await profileError(.empty, login: GitHub.Login("nobody-at-all")) else {
            Issue.record("nobody was found")
            return
        }
    }

    @Test
    func `A failing server is a server failure, with its words`() async throws {
        #expect(
            try await profileError(.serverError)
                == .serverFailure(info(status: 502, message: "Server Error"))
        )
    }

    @Test
    func `A used-up budget is a rate limit that ends when the scenario says`() async throws {
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        let end = now.addingTimeInterval(777)
        let gitHub = OfflineGitHub(scenario: .rateLimited(until: end), now: { now })
        let headers = try await gitHub.get("/users/octocat").headers
        #expect(headers["X-RateLimit-Limit"] == "60")
        #expect(headers["X-RateLimit-Remaining"] == "0")

        let error = try await profileError(gitHub, now: now)
        guard case .rateLimited(let limit, let info) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(limit == BrowseError.RateLimit(kind: .primary, retryAt: end, isServerTime: true))
        #expect(info.status == 403)
    }

    @Test
    func `A slow server answers when the clock says so`() async throws {
        let clock = TestClock()
        let gitHub = OfflineGitHub(scenario: .slow(.seconds(3)), clock: clock)
        let users = RemoteUserRepository(client: try .gitHub(on: gitHub.transport()))
        async let profile = users.profile(of: login)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(2))
        #expect(clock.sleeperCount == 1)
        await clock.advance(by: .seconds(1))
        #expect(try await profile.followerCount == 257)
    }

    private func profileError(_ scenario: Scenario, login: GitHub.Login? = nil) async throws -> BrowseError? {
        try await profileError(OfflineGitHub(scenario: scenario), login: login)
    }

    private func profileError(
        _ gitHub: OfflineGitHub,
        login: GitHub.Login? = nil,
        now: Date = Date()
    ) async throws -> BrowseError? {
        let baseURL = try #require(URL(string: "https://api.github.com"))
        let client = HTTPClient(
            service: .gitHub(baseURL: baseURL, userAgent: "MocksTests", now: { now }),
            transport: gitHub.transport()
        )
        let users = RemoteUserRepository(client: client)
        return await failure { () throws(BrowseError) in try await users.profile(of: login ?? self.login) }
    }

    private func info(status: Int, message: String) -> BrowseError.RequestInfo {
        BrowseError.RequestInfo(
            endpoint: "GET /users/{}",
            status: status,
            requestID: "OFFLINE:1",
            serverMessage: message
        )
    }
}
