import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct OfflineGitHubTests {
    let octocat = GitHub.Login("octocat")

    @Test
    func `Walking octocat's followers gives all 257 in order, in three requests of a hundred`() async throws {
        for base in ["https://api.github.com", "https://ghe.test:8443/api/v3"] {
            let asked = Log()
            let transport = LoggingTransport(next: OfflineGitHub().transport(), log: asked)
            let followers = RemoteFollowerRepository(client: try .gitHub(on: transport, at: base))

            var cursor: PageCursor?
            var users: [GitHub.User] = []
            repeat {
                let page = try await followers.page(of: .followers(of: octocat), at: cursor)
                #expect(page.skipped == [])
                users += page.items
                cursor = page.next
            } while cursor != nil

            #expect(users.map(\.id.rawValue) == (try Self.ids(in: 1...3, of: "followers-octocat")))
            #expect(Set(users.map(\.id)).count == 257)
            #expect(
                asked.entries == [
                    "\(base)/users/octocat/followers?per_page=100",
                    "\(base)/user/583231/followers?per_page=100&page=2",
                    "\(base)/user/583231/followers?per_page=100&page=3",
                ]
            )
        }
    }

    @Test
    func `Exactly a hundred followers are one page without links`() async throws {
        let gitHub = OfflineGitHub()
        let response = try await gitHub.get("/users/mockworks/followers?per_page=100")
        #expect(response.headers["Link"] == nil)
        let followers = RemoteFollowerRepository(client: try .gitHub(on: gitHub.transport()))
        let page = try await followers.page(of: .followers(of: GitHub.Login("mockworks")), at: nil)
        #expect(page.items.count == 100)
        #expect(page.next == nil)
    }

    @Test(
        arguments: [
            "/users/nobody-at-all", "/users/nobody-at-all/followers", "/user/1/followers", "/users/",
            "/users//followers",
        ]
    )
    func `Nobody and nothing are not found, in GitHub's words`(path: String) async throws {
        let response = try await OfflineGitHub().get(path)
        #expect(response.status == 404)
        #expect(response.body == (try Fixtures.gitHub["error-not-found"]))
    }

    @Test(
        arguments: [
            "/user/octocat/followers", "/user/99999999999999999999/followers", "/users/octocat/",
            "/users/octocat/followers/", "/users", "/", "/users/octocat/stars", "/octocat/followers",
        ]
    )
    func `What no endpoint answers is reported`(path: String) async throws {
        let report = await OfflineGitHub().transport().report(path)
        #expect(report.hasPrefix("OfflineGitHub has no answer to GET \(path). Add one to it: .script.on("))
    }

    @Test
    func `Only reading is offered`() async throws {
        #expect(try await OfflineGitHub().get("/users/octocat", method: .delete).status == 400)
    }

    @Test
    func `The budget of requests goes down by one each time, within its hour`() async throws {
        let time = TestTime(Date(timeIntervalSince1970: 1_000_000.5))
        let gitHub = OfflineGitHub(now: { time.now })
        func budget(_ path: String) async throws -> [String] {
            let headers = try await gitHub.get(path).headers
            return ["Limit", "Used", "Remaining", "Reset", "Resource"].compactMap { headers["x-ratelimit-\($0)"] }
        }
        #expect(try await budget("/users/octocat") == ["5000", "1", "4999", "1003601", "core"])
        #expect(try await budget("/users/nobody-at-all") == ["5000", "2", "4998", "1003601", "core"])
        time.now += 3600
        #expect(try await budget("/users/octocat") == ["5000", "1", "4999", "1007201", "core"])
        for _ in 0..<5000 { _ = try await gitHub.get("/users/nobody-at-all") }
        #expect(try await budget("/users/octocat")[2] == "1")
    }

    static func ids(in numbers: ClosedRange<Int>, of list: String) throws -> [Int64] {
        struct Row: Decodable {
            let id: Int64
        }
        return try numbers.flatMap {
            try JSONDecoder().decode([Row].self, from: Fixtures.gitHub["\(list)-\($0)"]).map(\.id)
        }
    }
}
