import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
@testable import BrowseRickAndMortyData
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseData

/// URLs of next pages, chosen by a server, which must not lead to other resources.
@Suite(.bounded) struct `The URL of a next page` {
    private let info = BrowseError.RequestInfo(endpoint: "GET /users/{}")

    private func url(_ page: String, below base: String = "https://ghe.example/api/v3") throws -> URL {
        let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: "/users/\("a")")) { $0.status }
        return try endpoint.url(below: try #require(URL(string: base)), info: info)
    }

    @Test(
        arguments: [
            "HTTPS://ghe.example/api/v3/users/a?page=2", "Https://ghe.example/api/v3/users/a",
            "https:ghe.example/api/v3/users/a",
            "https:/ghe.example/api/v3/users/a", "https:///ghe.example/api/v3/users/a",
            "https:\\\\ghe.example/api/v3/users/a",
            " https://ghe.example/api/v3/users/a", "\thttps://ghe.example/api/v3/users/a",
            "https://ghe.example./api/v3/users/a",
            "https://ghe.example\u{3002}/api/v3/users/a", "https://ghe\u{3002}example/api/v3/users/a",
            "https://gh\u{0435}.example/api/v3/users/a", "https://%67he.example/api/v3/users/a",
            "https://ghe.example%2f@evil.example/api/v3/users/a", "https://ghe.example%00.evil.example/api/v3/users/a",
            "https://ghe.example:444/api/v3/users/a", "https://ghe.example:+443/api/v3/users/a",
            "https://ghe.example:0x1bb/api/v3/users/a", "https://ghe.example:99999999999999999999/api/v3/users/a",
            "https://ghe.example:443:80/api/v3/users/a",
            "https://@ghe.example/api/v3/users/a", "https://:@ghe.example/api/v3/users/a",
            "https://ghe.example;@evil.example/api/v3/users/a", "https://ghe.example?@evil.example/api/v3/users/a",
            "https://ghe.example /api/v3/users/a",
            "https://ghe\u{AD}.example/api/v3/users/a",
        ]
    )
    func `is refused with an unusual spelling of the origin`(page: String) throws {
        #expect(throws: BrowseError.refused(.foreignPage, info), "\(page)") { try url(page) }
    }

    @Test func `of GitHub can contain the account's number`() async throws {
        let server = try LoopbackServer { _ in .json("[]") }
        let followers = RemoteFollowerRepository(client: try .gitHub(at: server.origin))
        let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))
        for (path, isFollowed) in [
            ("/user/583231/followers?page=2", true), ("/users/octocat/followers?page=2", true),
            ("/../users/octocat/followers?page=2", false),
        ] {
            let cursor = PageCursor(rawValue: server.origin + path)
            let before = server.requests.count
            let error = await thrown { () async throws(BrowseError) in try await followers.page(of: list, at: cursor) }
            #expect((error == nil) == isFollowed, "\(path): \(String(describing: error))")
            #expect(server.requests.count - before == (isFollowed ? 1 : 0), "\(path)")
        }
    }

    @Test func `with an uppercase scheme is refused, not reported as a network failure`() async throws {
        let server = try LoopbackServer { request in
            .json(#"{"info":{"next":"HTTP://\#(request.header("Host") ?? "")/api/character?page=2"},"results":[]}"#)
        }
        let characters = RemoteCharacterRepository(client: try .rickAndMorty(at: server.origin + "/api"))
        let page = try await characters.page(of: .init(), at: nil)
        let error = await thrown { () async throws(BrowseError) in try await characters.page(of: .init(), at: page.next)
        }
        #expect(error == .refused(.foreignPage, BrowseError.RequestInfo(endpoint: "GET /character")))
    }
}

/// Names of accounts and repositories that could lead to another endpoint.
@Suite(.bounded) struct `A name in a path` {
    private static let logins = [
        "../user", "..", ".", "", "a/b", "a\\b", "a b", "octocat\n", "%2e%2e", "..%2fuser", "한글", "a;b", "[bot]",
        "a[bot]b", "a?b",
        "a.b", String(repeating: "a", count: 101),
    ]

    @Test(arguments: logins)
    func `that isn't a login is refused before sending`(login: String) async throws {
        let server = try LoopbackServer { _ in .json("[]") }
        let client = try HTTPClient.gitHub(at: server.origin)
        let (login, users) = (GitHub.Login(login), RemoteUserRepository(client: client))
        let (followers, repos) = (RemoteFollowerRepository(client: client), RemoteRepoRepository(client: client))
        let errors = [
            await thrown { () async throws(BrowseError) in try await users.profile(of: login) },
            await thrown { () async throws(BrowseError) in try await followers.page(of: .followers(of: login), at: nil)
            },
            await thrown { () async throws(BrowseError) in try await repos.page(of: .publicRepos(of: login), at: nil) },
            await thrown { () async throws(BrowseError) in try await repos.repo(named: "a", of: login) },
        ]
        for error in errors {
            guard case .refused(.invalidParameter, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["..", ".", "", "../../user", "..\\user", "a/../b"])
    func `of a repository is refused if it leads to another path`(name: String) async throws {
        let server = try LoopbackServer { _ in .json("{}", status: 500) }
        let client = try HTTPClient.gitHub(at: server.origin)
        let repos = RemoteRepoRepository(client: client)
        let error = await thrown { () async throws(BrowseError) in
            try await repos.repo(named: name, of: GitHub.Login("octocat"))
        }
        #expect(error == .refused(.invalidParameter, BrowseError.RequestInfo(endpoint: "GET /repos/{}/{}")))
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["octocat", "a", "old-", "mona_corp", "dependabot[bot]", "A-1", "0"])
    func `that GitHub uses is sent`(login: String) async throws {
        let server = try LoopbackServer { _ in .json("[]") }
        let followers = RemoteFollowerRepository(client: try .gitHub(at: server.origin))
        _ = try await followers.page(of: .followers(of: GitHub.Login(login)), at: nil)
        #expect(server.requests.count == 1)
    }
}
