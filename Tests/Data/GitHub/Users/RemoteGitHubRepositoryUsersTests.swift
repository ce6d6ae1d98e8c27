import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("A profile", .bounded)
struct RemoteGitHubRepositoryUsersTests {
    /// Returns the decoded profile of a response body.
    private func outcome(_ body: String) async throws -> Result<GitHub.UserProfile, BrowseError> {
        let server = try LoopbackServer { _ in .json(body) }
        let users = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        return await Result.of { () throws(BrowseError) in try await users.profile(of: .init("x")) }
    }

    private static let least = """
        {"login":"a","id":9007199254740993,"public_repos":1,"public_gists":2,"followers":3,"following":4,\
        "created_at":"2008-02-29T23:59:59Z"
        """

    @Test func `of the signed-in user is requested without a name`() async throws {
        let server = try LoopbackServer { _ in .json(Self.least + "}") }
        let profile = try await RemoteGitHubRepository(client: try .gitHub(at: server.origin)).ownProfile()
        #expect(profile.user.login == .init("a"))
        #expect(server.requests.map(\.target) == ["/user"])
    }

    @Test func `has every field of the response`() async throws {
        let body = """
            {"login":"mona_corp","id":583231,"avatar_url":"https://a.example/1","html_url":"https://b.example/1",\
            "type":"Organization","name":" Mona ","company":"@github","blog":"mona.example","location":"서울","bio":"\\n hi \\n",\
            "public_repos":1,"public_gists":2,"followers":3,"following":4,"created_at":"2011-01-25T18:44:36Z","extra":{}}
            """
        let profile = try await outcome(body).get()
        let expected = GitHub.UserProfile(
            user: GitHub.User(
                id: .init(rawValue: 583_231),
                login: .init("mona_corp"),
                avatar: WebAddress(rawValue: "https://a.example/1"),
                webPage: WebAddress(rawValue: "https://b.example/1"),
                kind: .organization
            )
        ) {
            $0.name = "Mona"
            $0.bio = "hi"
            $0.company = "@github"
            $0.location = "서울"
            $0.blog = WebAddress("mona.example")
            $0.publicRepoCount = 1
            $0.publicGistCount = 2
            $0.followerCount = 3
            $0.followingCount = 4
            $0.memberSince = Date(timeIntervalSince1970: 1_295_981_076)
        }
        #expect(profile == expected)
    }

    @Test func `needs only the required fields, and keeps 64-bit IDs`() async throws {
        let nulls = [
            "avatar_url", "html_url", "type", "name", "company", "blog", "location", "bio", "email", "hireable",
        ]
        .map { ",\"\($0)\":null" }.joined()
        for tail in ["}", nulls + "}"] {
            let profile = try await outcome(Self.least + tail).get()
            #expect(profile.id.rawValue == 9_007_199_254_740_993)
            #expect(profile.user.kind == .user)
            #expect(profile.user.avatar == nil && profile.user.webPage == nil)
            #expect(profile.name == nil && profile.bio == nil && profile.company == nil)
            #expect(profile.location == nil && profile.blog == nil)
        }
    }
}
