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

/// URLs of next pages, chosen by a server, which must not lead to other resources.
@Suite(.bounded) struct `The URL of a next page` {
    private let info = BrowseError.RequestInfo(endpoint: "GET /users/{}")

    private func url(_ page: String, below base: String = "https://ghe.example/api/v3") throws -> URL {
        let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: "/users/\("a")")) { $0.status }
        return try endpoint.url(below: try #require(URL(string: base)), info: info)
    }

    @Test(
        arguments: [
            // Encoded, doubly encoded, and overlong dots, slashes, and backslashes.
            "..%5cv4", "..%5Cv4", "..\\v4", "%2e%2e%5cv4", "a%5c..%5cv4", "%252e%252e/v4", "%252e./v4",
            "%25252e%25252e/v4",
            "..%252fv4", "a%252f..%252fv4", "a%2fb", "a%252fb", "a%25%32%66b", "%c0%ae%c0%ae/v4", "%e0%80%ae./v4",
            "..%c0%afv4",
            "%u002e%u002e/v4", "..%u2215v4",
            // Path parameters and characters that servers strip before they resolve dots.
            "..;/v4", "..;a=b/v4", ".;/v4", ";/../v4", "..%3b/v4", "..%253b/v4", ".%0a./v4", ".%0d./v4", ".%00./v4",
            "..%00/v4",
            "..%09/v4", "..%20/v4", "%20../v4", ".%7f./v4", ".%c2%85./v4", ".%e2%80%8b./v4", ".%ef%bb%bf./v4",
            "a%0d%0aHost:x",
            // Characters that compatibility mapping turns into dots and slashes.
            "%ef%bc%8e%ef%bc%8e/v4", "..%ef%bc%8fv4", "..%e2%88%95v4", "%e2%80%a5/v4", "\u{FF0E}\u{FF0E}/v4",
            "..\u{2044}v4",
            "a//../v4", "/v4", "a\u{0}b", "a\nb", "a b", "a\tb", "a#b", "\u{202E}a",
        ]
    )
    func `is refused if any server could resolve it to another path`(tail: String) throws {
        for suffix in ["", "?page=2", "/users/a?page=2"] {
            let page = "https://ghe.example/api/v3/" + tail + suffix
            #expect(throws: BrowseError.refused(.foreignPage, info), "\(page)") { try url(page) }
        }
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
            "https://ghe.example:/api/v3/users/a", "https://ghe.example:443:80/api/v3/users/a",
            "https://@ghe.example/api/v3/users/a", "https://:@ghe.example/api/v3/users/a",
            "https://ghe.example;@evil.example/api/v3/users/a", "https://ghe.example?@evil.example/api/v3/users/a",
            "https://[ghe.example]/api/v3/users/a", "https://ghe.example /api/v3/users/a",
            "https://ghe\u{AD}.example/api/v3/users/a",
        ]
    )
    func `is refused with an unusual spelling of the origin`(page: String) throws {
        #expect(throws: BrowseError.refused(.foreignPage, info), "\(page)") { try url(page) }
    }

    @Test(arguments: [
        ("users/b?page=2", "/users/{}"), ("users?page=2", "/users"), ("users/a/keys?page=2", "/users/{}/{}"),
        ("?page=2", "/"), ("user/583231/ghp_0123456789?token=ghp_0123456789", "/{}/{}/{}"),
        (String(repeating: "a/", count: 1000), "/" + String(repeating: "{}/", count: 39) + "{…"),
    ])
    func `is refused with the path of another resource, which the error names without values`(
        page: String,
        received: String
    ) throws {
        var info = info
        info.receivedPath = received
        #expect(throws: BrowseError.refused(.foreignPage, info)) { try url("https://ghe.example/api/v3/" + page) }
    }

    @Test(
        arguments: [
            "https://ghe.example/api/v3/users/a", "https://ghe.example/api/v3/users/a/?page=2",
            "https://GHE.example/api/v3/users/a?page=2", "https://ghe.example:443/api/v3/users/a?after=a%2Fb..%2F&x=..",
            "https://ghe.example/api/v3/users/%61?page=2", "https://ghe.example/api/v3/users/a?q=%ED%95%9C%20a+b;c",
        ]
    )
    func `is followed unchanged on the list's path`(page: String) throws {
        #expect(try url(page).absoluteString == page)
    }

    @Test func `of GitHub can contain the account's number`() async throws {
        let server = try LoopbackServer { _ in .json("[]") }
        let followers = RemoteFollowerRepository(client: try .gitHub(at: server.origin))
        let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))
        for (path, isFollowed) in [
            ("/user/583231/followers?page=2", true), ("/users/octocat/followers?page=2", true),
            ("/user/583231/following?page=2", false), ("/user/repos?page=2", false), ("/users/octocat?page=2", false),
        ] {
            let cursor = PageCursor(rawValue: server.origin + path)
            let before = server.requests.count
            let error = await thrown { () async throws(BrowseError) in try await followers.page(of: list, at: cursor) }
            #expect((error == nil) == isFollowed, "\(path): \(String(describing: error))")
            #expect(server.requests.count - before == (isFollowed ? 1 : 0), "\(path)")
        }
    }

    @Test(arguments: [
        ("/api/character?page=2", "/{}"), ("/api/location/1", "/location/{}"),
        ("/api/location/1?page=2", "/location/{}"),
        ("/api/location/../character?page=2", nil), ("/api?page=2", "/"),
    ])
    func `of the Rick and Morty API must be of the same kind`(next: String, received: String?) async throws {
        let server = try LoopbackServer { request in
            .json(
                #"{"info":{"count":1,"pages":2,"next":"http://\#(request.header("Host") ?? "")\#(next)"},"results":[]}"#
            )
        }
        let locations = RemoteLocationRepository(client: try .rickAndMorty(at: server.origin + "/api"))
        let page = try await locations.page(of: .init(), at: nil)
        let error = await thrown { () async throws(BrowseError) in try await locations.page(of: .init(), at: page.next)
        }
        let info = BrowseError.RequestInfo(endpoint: "GET /location", receivedPath: received)
        #expect(error == .refused(.foreignPage, info))
        #expect(server.requests.count == 1)
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

    @Test(arguments: ["..", ".", "", "../../user", "..\\user", "%2e%2e", "%252e%252e", "..;", ".\n.", "a/../b"])
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
