import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

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
