import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite("An endpoint's URL", .bounded)
struct EndpointURLTests {
    private let info = BrowseError.RequestInfo(endpoint: "GET /users/{}")

    private static let texts = [
        "octocat", "a b", "a+b", "a&b=c", "C#", "50%", "%20", "a/b", "/", "?", "\"", "'", "한글", "ㅎㅏㄴ", "😀👨‍👩‍👧", "bot[bot]",
        "...",
        "a\r\nHost: evil", "\0", " ", "e\u{301}", ";,:@$!*()", "<>{}|\\^`", "~-._", "a%2eb",
        String(repeating: "x", count: 2000),
    ]

    @Test("transfers any text to the server, encoded exactly once")
    func anyText() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        for base in ["", "/", "/api/v3", "/api/v3/"] {
            let client = try HTTPClient.gitHub(at: server.origin + base)
            for text in Self.texts {
                let before = server.requests.count
                let endpoint = Endpoint(
                    .path("/users/\(text)/followers"),
                    query: [.init("q", text), .init(text, "1")]
                ) { $0.status }
                #expect(try await client.send(endpoint) == 200)
                let target = try #require(server.requests.dropFirst(before).first).target
                let prefix = base.contains("v3") ? "/api/v3/users/" : "/users/"
                let parts = target.split(separator: "?", omittingEmptySubsequences: false)
                try #require(parts.count == 2, "\(target)")
                #expect(parts[0].hasPrefix(prefix) && parts[0].hasSuffix("/followers"), "\(target)")
                let segment = parts[0].dropFirst(prefix.count).dropLast("/followers".count)
                #expect(!segment.contains("/"))
                #expect(segment.removingPercentEncoding == text)
                let items = parts[1].split(separator: "&").map {
                    $0.split(separator: "=").map { $0.removingPercentEncoding }
                }
                #expect(items == [["q", text], [text, "1"]])
            }
        }
    }

    @Test("is refused before sending if a login can't be a segment", arguments: ["", ".", ".."])
    func refusedLogin(login: String) async throws {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        let client = try HTTPClient.gitHub(at: server.origin)
        let users = RemoteUserRepository(client: client)
        let followers = RemoteFollowerRepository(client: client)
        let refusal = BrowseError.refused(.invalidParameter, info)
        #expect(await thrown { () async throws(BrowseError) in try await users.profile(of: .init(login)) } == refusal)
        let listInfo = BrowseError.RequestInfo(endpoint: "GET /users/{}/following")
        let listError = await thrown { () async throws(BrowseError) in
            try await followers.page(of: .following(by: .init(login)), at: nil)
        }
        #expect(listError == .refused(.invalidParameter, listInfo))
        #expect(server.requests.isEmpty)
        #expect(try await users.profile(of: .init("octocat")).user.login == .init("octocat"))
    }

    @Test(
        "follows a page's URL on the API's origin and path",
        arguments: [
            ("https://api.example", "https://api.example/user/1/followers?page=2"),
            ("https://api.example", "https://API.EXAMPLE:443/user/1/followers?page=2"),
            ("https://api.example/", "https://api.example/user/1/followers?page=2&per_page=100"),
            ("https://ghe.example/api/v3", "https://ghe.example/api/v3/user/1/followers?page=2"),
            ("https://ghe.example/api/v3/", "https://ghe.example/api/v3/user/1/followers?after=a%2Fb%3D%3D"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/users/a/followers/?page=2"),
            ("https://ghe.example/api/v3", "https://ghe.example/api/v3?page=2"),
            ("https://ghe.example/api/v3", "https://ghe.example/api/v3/repositories/1/releases/?after=a..%2F&x=.."),
            ("https://ghe.example/api/v3", "https://ghe.example/api/v3/%ED%95%9C?q=%20a+b;c"),
            ("http://[::1]:8080/api", "http://[::1]:8080/api/user/1/followers?page=2"),
        ]
    )
    func followsPage(base: String, page: String) throws {
        let list: EndpointPath = "/users/\("a")/followers"
        let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: list)) { $0.status }
        let url = try endpoint.url(below: try #require(URL(string: base)), info: info)
        #expect(url.absoluteString == page)
    }

    @Test(
        "encodes the text of a page's query that the server didn't encode",
        arguments: [
            ("page=2&name=a b", "page=2&name=a%20b"), ("page=2&name=한글", "page=2&name=%ED%95%9C%EA%B8%80"),
            ("page[number]=2", "page%5Bnumber%5D=2"), ("q={a}|b", "q=%7Ba%7D%7Cb"), ("q=a/../b?\\c", "q=a/../b?%5Cc"),
            ("q=a\r\nHost: evil", "q=a%0D%0AHost:%20evil"),
        ]
    )
    func encodesQuery(query: String, sent: String) throws {
        let page = "https://ghe.example/api/v3/users?"
        let endpoint = Endpoint(.page(PageCursor(rawValue: page + query), of: "/users")) { $0.status }
        let url = try endpoint.url(below: try #require(URL(string: "https://ghe.example/api/v3")), info: info)
        #expect(url.absoluteString == page + sent)
    }

    @Test(
        "refuses a page's URL anywhere else",
        arguments: [
            "", "/user/1/followers?page=2", "page 2", "https://evil.example/api/v3/user?page=2",
            "http://ghe.example/api/v3/user?page=2", "https://ghe.example:8443/api/v3/user?page=2",
            "https://ghe.example.evil.example/api/v3/user", "https://evil@ghe.example/api/v3/user",
            "https://a:b@ghe.example/api/v3/user", "https://:b@ghe.example/api/v3/user",
            "https://ghe.example@evil.example/api/v3/user", "https://ghe.example/api/v4/user", "https://ghe.example/",
            "https://ghe.example/api/v30/user", "https://ghe.example/api/v3/../v4/user",
            "https://ghe.example/api/v3/%2e%2e/v4/user", "https://ghe.example/api/v3/%2E./v4/user",
            "https://ghe.example/api/v3/a%2f..%2f..%2fv4", "https://ghe.example/api/v3/..%5Cv4",
            "https://ghe.example/api/v3/..",
            "https://ghe.example/%61pi/v3/user",
            "https://ghe.example/%2fapi/v3/user", "https://ghe.example/api%2fv3/user",
            "https://ghe.example/api/v3/%2e%2e/v4/%e0", "https://ghe.example/api/v3/%e0",
            "https://ghe.example/api/v3/./user", "https://ghe.example/api/v3/\u{FF0E}\u{FF0E}/v4",
            "https://ghe.example/api/v3/a b",
            "ftp://ghe.example/api/v3/user", "javascript:alert(1)", "file:///api/v3/user", "https:///api/v3/user",
            "//ghe.example/api/v3/user", "https://ghe.example\\@evil.example/api/v3/user",
        ]
    )
    func refusesPage(page: String) throws {
        let base = try #require(URL(string: "https://ghe.example/api/v3"))
        let list: EndpointPath = "/user"
        let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: list)) { $0.status }
        #expect(throws: BrowseError.refused(.foreignPage, info)) { try endpoint.url(below: base, info: info) }
    }
}
