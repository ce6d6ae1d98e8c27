import BrowseData
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct OfflineGitHubPagingTests {
    let gitHub = OfflineGitHub()

    /// Written as in the recorded responses that GitHub gave.
    @Test(
        arguments: [
            (
                "/users/octocat/followers?per_page=100",
                """
                <https://host.test/user/583231/followers?per_page=100&page=2>; rel="next", \
                <https://host.test/user/583231/followers?per_page=100&page=3>; rel="last"
                """
            ),
            (
                "/user/583231/followers?per_page=100&page=2",
                """
                <https://host.test/user/583231/followers?per_page=100&page=1>; rel="prev", \
                <https://host.test/user/583231/followers?per_page=100&page=3>; rel="next", \
                <https://host.test/user/583231/followers?per_page=100&page=3>; rel="last", \
                <https://host.test/user/583231/followers?per_page=100&page=1>; rel="first"
                """
            ),
            (
                "/user/583231/followers?per_page=100&page=3",
                """
                <https://host.test/user/583231/followers?per_page=100&page=2>; rel="prev", \
                <https://host.test/user/583231/followers?per_page=100&page=1>; rel="first"
                """
            ),
            (
                "/users/octocat/followers",
                """
                <https://host.test/user/583231/followers?page=2>; rel="next", \
                <https://host.test/user/583231/followers?page=9>; rel="last"
                """
            ),
            (
                "/users/OctoCat/following?page=1&x=%26&per_page=4",
                """
                <https://host.test/user/583231/following?page=2&x=%26&per_page=4>; rel="next", \
                <https://host.test/user/583231/following?page=3&x=%26&per_page=4>; rel="last"
                """
            ),
            (
                "/api/v3/users/octocat/following?per_page=5",
                """
                <https://host.test/api/v3/user/583231/following?per_page=5&page=2>; rel="next", \
                <https://host.test/api/v3/user/583231/following?per_page=5&page=2>; rel="last"
                """
            ),
        ]
    )
    func `Links are written as GitHub writes them`(path: String, link: String) async throws {
        #expect(try await gitHub.get(path).headers["Link"] == link)
    }

    @Test(
        arguments: [
            ("", 30), ("?per_page=", 30), ("?per_page=0", 30), ("?per_page=-5", 30), ("?per_page=x", 30),
            ("?per_page=1", 1), ("?per_page=100", 100), ("?per_page=101", 100), ("?per_page=9223372036854775807", 100),
            ("?page=0&per_page=7", 7), ("?page=-1", 30), ("?page=9", 17), ("?page=10", 0),
            ("?page=9223372036854775807&per_page=100", 0),
        ]
    )
    func `A page has as many rows as were asked for, thirty unless told and a hundred at most`(
        query: String,
        count: Int
    ) async throws {
        let response = try await gitHub.get("/users/octocat/followers" + query)
        #expect(response.status == 200)
        #expect(try rows(of: response).count == count)
    }

    @Test
    func `The rows are sent as they were recorded, with every field`() async throws {
        let response = try await gitHub.get("/users/octocat/following?per_page=100")
        let recorded = String(decoding: try Fixtures.gitHub["following-octocat-1"], as: UTF8.self)
        // The file has a row in each line.
        let lines = recorded.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.count == 11)
        #expect(response.text == lines.joined())
    }

    private func rows(of response: HTTPClient.Response) throws -> [Int64] {
        struct Row: Decodable {
            let id: Int64
        }
        return try JSONDecoder().decode([Row].self, from: response.body).map(\.id)
    }
}
