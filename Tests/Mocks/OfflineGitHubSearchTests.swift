import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Testing
import TestLimits

@Suite(.bounded)
struct OfflineGitHubSearchTests {
    let gitHub = OfflineGitHub()

    struct Found: Decodable {
        struct Item: Decodable {
            let id: Int64
            let login: String?
            let full_name: String?
            let score: Double
            let stargazers_count: Int?
            let forks_count: Int?
            let updated_at: String?
        }

        let total_count: Int
        let incomplete_results: Bool
        let items: [Item]
    }

    private func found(_ path: String, on gitHub: OfflineGitHub? = nil) async throws -> Found {
        let response = try await (gitHub ?? self.gitHub).get("/search/\(path)")
        #expect(response.status == 200, "\(path)")
        return try JSONDecoder().decode(Found.self, from: response.body)
    }

    @Test(
        arguments: [
            ("octocat", ["octocat"]), ("OCTO", ["octocat"]), ("octopus", []), ("Mockworks", ["mockworks"]),
            ("%ED%95%98%EB%8A%98", ["haneul-kim"]),  // "하늘", which stands in the name only
            ("the+octocat", ["octocat"]), ("the%20octocat", ["octocat"]), ("the%2Boctocat", []),
            ("trashpanda", ["trashpanda7"]), ("%5Bbot%5D", ["release-helper[bot]"]),
        ]
    )
    func `People are found by a part of their login or name, in any case`(text: String, logins: [String]) async throws {
        let found = try await found("users?q=\(text)")
        #expect(found.items.map(\.login) == logins)
        #expect(found.total_count == logins.count)
        #expect(!found.incomplete_results)
    }

    @Test
    func `Who is called as the text comes first, then whose login begins so`() async throws {
        let found = try await found("users?q=ash&per_page=100")
        let logins = found.items.map { $0.login?.lowercased() ?? "" }
        #expect(logins.count > 3)
        #expect(logins.allSatisfy { $0.contains("ash") })
        let firstInside = try #require(logins.firstIndex { !$0.hasPrefix("ash") })
        #expect(logins[firstInside...].allSatisfy { !$0.hasPrefix("ash") })
        #expect(try await self.found("users?q=lonely").items.first?.login == "lonely")
    }

    @Test
    func `Accounts in results equal those in lists, and have profiles`() async throws {
        let client = try HTTPClient.gitHub(on: gitHub.transport())
        let users = RemoteUserRepository(client: client)
        for text in ["o", "everyone-0", "haneul"] {
            let page = try await users.search(for: GitHub.SearchText(text), at: nil)
            #expect(page.page.skipped == [])
            #expect(!page.page.items.isEmpty)
            for user in page.page.items { #expect(try await users.profile(of: user.login).user == user) }
        }
    }

    @Test(
        arguments: [
            ("OctoCat%2Fhello", ["octocat/hello-tentacles"]), ("octopus", ["octocat/hello-tentacles"]),
            ("eight+arms", ["octocat/hello-tentacles"]), ("a%26b%3Dc+at", ["octocat/kettle-cpp"]),
            ("%ED%95%9C%EA%B8%80+%EC%9E%90%EB%AA%A8", ["haneul-kim/jamo-cpp"]), ("secret-garden", []),
            ("swift+concurrency+and+tea", []),
            ("%F0%9F%91%A9%F0%9F%8F%BB%E2%80%8D%F0%9F%92%BB", ["octocat/emoji-weather"]),
        ]
    )
    func `Code repositories are found by their full name, description or topics`(
        text: String,
        names: [String]
    ) async throws {
        let found = try await found("repositories?q=\(text)")
        #expect(found.items.map(\.full_name) == names)
        #expect(found.total_count == names.count)
    }

    @Test
    func `What is private is found by the holder of a token only`() async throws {
        let client = try HTTPClient.gitHub(on: gitHub.transport())
        let signedIn = try HTTPClient.gitHub(on: gitHub.transport(), token: AccessToken("made-up"))
        let search = GitHub.RepoSearch(text: try GitHub.SearchText("secret-garden"))
        #expect(try await RemoteRepoRepository(client: client).search(search, at: nil).totalCount == 0)
        let found = try await RemoteRepoRepository(client: signedIn).search(search, at: nil)
        #expect(found.page.items.map(\.isPrivate) == [true])
    }

    @Test(
        arguments: [
            ("stars", "desc"), ("stars", "asc"), ("forks", "desc"), ("forks", "asc"), ("updated", "desc"),
            ("updated", "asc"),
        ]
    )
    func `Code repositories are sorted as the request says`(sort: String, order: String) async throws {
        let unsorted = try await found("repositories?q=octocat&per_page=100").items
        for query in ["&order=\(order)", order == "desc" ? "" : "&order=asc"] {
            let items = try await found("repositories?q=octocat&per_page=100&sort=\(sort)\(query)").items
            #expect(items.count == 100)
            // The fixtures have the latest change first, so that this order is theirs.
            #expect((items.map(\.id) == unsorted.map(\.id)) == ((sort, order) == ("updated", "desc")))
            func isInOrder(_ left: Found.Item, _ right: Found.Item) -> Bool {
                switch sort {
                case "stars": (left.stargazers_count ?? 0) >= (right.stargazers_count ?? 0)
                case "forks": (left.forks_count ?? 0) >= (right.forks_count ?? 0)
                default: (left.updated_at ?? "") >= (right.updated_at ?? "")
                }
            }
            for (left, right) in zip(items, items.dropFirst()) {
                #expect(order == "desc" ? isInOrder(left, right) : isInOrder(right, left))
            }
        }
    }

    @Test(arguments: ["", "?q=", "?q=%20%0A", "?q", "?query=a"])
    func `A search for nothing is refused, in GitHub's words`(query: String) async throws {
        for path in ["users", "repositories"] {
            let response = try await gitHub.get("/search/\(path)\(query)")
            #expect(response.status == 422)
            #expect(response.body == (try Fixtures.gitHub["error-search-query"]))
        }
    }

    @Test(
        arguments: [
            (100, 10, 100), (30, 33, 30), (30, 34, 10), (1, 1000, 1), (33, 31, 10), (99, 11, 10), (100, 1, 100),
        ]
    )
    func `Of more than a thousand results the first thousand are handed out, and a page after them is refused`(
        size: Int,
        page: Int,
        count: Int
    ) async throws {
        let found = try await found("users?q=everyone&per_page=\(size)&page=\(page)")
        #expect(found.total_count == 1250)
        #expect(found.items.count == count)
        let last = (1000 + size - 1) / size
        for refused in [last + 1, last + 2, Int.max] {
            let response = try await gitHub.get("/search/users?q=everyone&per_page=\(size)&page=\(refused)")
            #expect(response.status == 422)
            #expect(response.body == (try Fixtures.gitHub["error-search-limit"]))
        }
        #expect(
            try await gitHub.get("/search/users?q=everyone&per_page=\(size)&page=\(last)").headers["Link"]?.contains(
                "next"
            ) == false
        )
    }

    @Test(arguments: [("everyone-00", 99), ("EVERYONE-125", 1), ("everyone-1251", 0), ("everyon", 0), ("veryone", 0)])
    func `The crowd is found by its whole word`(text: String, count: Int) async throws {
        #expect(try await found("users?q=\(text)").total_count == count)
    }

    @Test
    func `Links of a search keep its address, and say how far it goes`() async throws {
        let response = try await gitHub.get("/api/v3/search/users?q=everyone&per_page=100&page=2")
        let address = "<https://host.test/api/v3/search/users?q=everyone&per_page=100&page="
        #expect(
            response.headers["Link"]
                == "\(address)1>; rel=\"prev\", \(address)3>; rel=\"next\", \(address)10>; rel=\"last\", \(address)1>; rel=\"first\""
        )
    }

    @Test
    func `Following the links of a search gives everything once`() async throws {
        let repos = RemoteRepoRepository(client: try .gitHub(on: gitHub.transport()))
        let search = GitHub.RepoSearch(text: try GitHub.SearchText("octocat/"), sort: .stars)
        var cursor: PageCursor?
        var ids: [GitHub.Repo.ID] = []
        repeat {
            let found = try await repos.search(search, at: cursor)
            #expect(found.totalCount == 137)
            ids += found.page.items.map(\.id)
            cursor = found.page.next
        } while cursor != nil
        #expect(ids.count == 137)
        #expect(Set(ids).count == 137)
    }

    @Test
    func `Searches have a budget of their own, of thirty a minute`() async throws {
        let time = TestTime(Date(timeIntervalSince1970: 1_000_000))
        let gitHub = OfflineGitHub(now: { time.now })
        func budget(_ path: String) async throws -> [String] {
            let headers = try await gitHub.get(path).headers
            return ["Limit", "Used", "Remaining", "Reset", "Resource"].compactMap { headers["x-ratelimit-\($0)"] }
        }
        #expect(try await budget("/search/users?q=a") == ["30", "1", "29", "1000060", "search"])
        #expect(try await budget("/users/octocat") == ["5000", "1", "4999", "1003600", "core"])
        #expect(try await budget("/search/repositories") == ["30", "2", "28", "1000060", "search"])
        time.now += 60
        #expect(try await budget("/search/users?q=a") == ["30", "1", "29", "1000120", "search"])
        gitHub.scenario = .rateLimited(until: time.now)
        #expect(try await budget("/search/users?q=a") == ["10", "10", "0", "1000060", "search"])
    }
}
