@_spi(Services) import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@_spi(Services) import BrowseData

@Suite("An endpoint's URL", .bounded)
struct EndpointTests {
    private let info = BrowseError.RequestInfo(endpoint: "GET /users/{}")

    private static let texts = [
        "octocat", "a b", "a+b", "a&b=c", "C#", "50%", "%20", "a/b", "/", "?", "\"", "'", "한글", "ㅎㅏㄴ", "😀👨‍👩‍👧", "bot[bot]",
        "...",
        "a\r\nHost: evil", "\0", " ", "e\u{301}", ";,:@$!*()", "<>{}|\\^`", "~-._", "a%2eb",
        String(repeating: "x", count: 2000),
    ]

    @Test func `transfers any text to the server, encoded exactly once`() async throws {
        let server = try LoopbackServer { _ in .json("{}") }
        for base in ["", "/api/v3/"] {
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

    @Test func `sends a value as JSON, and nothing if it can't be encoded`() async throws {
        let server = ScriptedServer()
        let body = RequestMatcher(.post, "/books").json(#"{"b": 2, "a": 1.5}"#).header(
            "Content-Type",
            "application/json"
        )
        server.on(body, times: .exactly(1), response: .json("7", status: 201))
        let service = HTTPClient.Service.json(baseURL: try #require(URL(string: "https://api.example")), userAgent: "x")
        let client = HTTPClient(service: service, transport: server.transport())
        func send(_ body: [String: Double], type: String? = nil) async throws -> Int {
            let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
            let endpoint = Endpoint<Int>.json(.path("/books"), headers: headers, body: body) { number, _ in number }
            #expect(!endpoint.isSafeToRepeat)
            return try await client.send(endpoint)
        }
        #expect(try await send(["a": 1.5, "b": 2]) == 7)
        let info = BrowseError.RequestInfo(endpoint: "POST /books")
        await #expect(throws: BrowseError.refused(.invalidParameter, info)) { try await send(["a": .nan]) }
        let next = PageCursor(rawValue: "https://api.example/books?page=2")
        let page = Endpoint<Int>.json(.page(next, of: "/books"), body: ["a": Double.nan]) { number, _ in number }
        await #expect(throws: BrowseError.refused(.invalidParameter, info)) { try await client.send(page) }
        server.on(.post("/books").header("Content-Type", "text/json"), response: .json("8"))
        #expect(try await send(["a": 1], type: "text/json") == 8)
        try server.verify()
    }

    /// netbox-community/netbox#1825, getpatchwork/patchwork#200
    @Test(arguments: [301, 302, 303, 307, 308])
    func `doesn't take the answer to a GET for that to a POST without a value`(status: Int) async throws {
        let server = ScriptedServer()
        let method: HTTPMethod = status <= 303 ? .get : .post
        server.on(.post, "/books", response: .redirect(to: "/books/", status: status))
        server.on(method, "/books/", response: .json("[]"))
        let service = HTTPClient.Service.json(baseURL: try #require(URL(string: "https://api.example")), userAgent: "x")
        let client = HTTPClient(service: service, transport: server.transport())
        let write = Endpoint<Void>.json(method: .post, .path("/books"), body: ["a": 1])
        // After a 303, it was read.
        guard status < 303 else { return try await client.send(write) }
        let info = BrowseError.RequestInfo(endpoint: "POST /books", status: 200)
        let error = BrowseError.unusableResponse(.status, info)
        await #expect(throws: error) { try await client.send(write) }
        #expect(error.mayHaveTakenEffect)
    }

    @Test func `ignores the JSON of a response without a type, but not the page of a proxy`() async throws {
        let server = ScriptedServer()
        let json = RequestMatcher(.patch, "/books/1").json(#"{"a": 1}"#).header("Content-Type", "application/json")
        let answers: [ScriptedServer.Response] = [
            .status(204), .status(200), .json("{}"), .json("[1]", status: 201),
            .body(Data("<html>".utf8), headers: ["Content-Type": "text/html"]),
        ]
        server.on(json, responses: answers)
        let service = HTTPClient.Service.json(baseURL: try #require(URL(string: "https://api.example")), userAgent: "x")
        let client = HTTPClient(service: service, transport: server.transport())
        let write = Endpoint<Void>.json(method: .patch, .path("/books/1"), body: ["a": 1])
        for _ in answers.dropLast() { try await client.send(write) }
        await #expect(throws: BrowseError.self) { try await client.send(write) }
        let info = BrowseError.RequestInfo(endpoint: "PUT /books/1")
        let invalid = Endpoint<Void>.json(method: .put, .path("/books/1"), body: Double.nan)
        await #expect(throws: BrowseError.refused(.invalidParameter, info)) { try await client.send(invalid) }
    }

    private func url(
        _ path: EndpointPath,
        query: [HTTPClient.QueryItem] = [],
        below base: String = "https://api.example"
    ) throws -> String {
        let endpoint = Endpoint(.path(path), query: query) { $0.status }
        return try endpoint.url(below: try #require(URL(string: base)), info: info).absoluteString
    }

    @Test func `has numbers as a segment, and their lists with commas`() throws {
        let (id, page): (Int64, Int) = (9_223_372_036_854_775_807, -2)
        #expect(try url("/books/\(id)/pages/\(page)") == "https://api.example/books/9223372036854775807/pages/-2")
        #expect(
            try url("/character/\([3, 1, id] as [Int64])") == "https://api.example/character/3,1,9223372036854775807"
        )
        #expect(try url("/search?sort=new", query: [.init("q", "a")]) == "https://api.example/search?sort=new&q=a")
        #expect(try url("/books", below: "https://한국.kr") == "https://xn--3e0b707e.kr/books")
    }

    @Test
    func `is refused with a parameter that its service can't have, or that would lead to another endpoint`() throws {
        var paths: [EndpointPath] = ["/isbn/\("none", isValid: false)", "/character/\([] as [Int64])", "/a#b"]
        for parameter in ["", ".", "..", "../a", "a/../b", "a/.", "a\\..\\b"] {
            paths += ["/users/\(parameter)", "/users/\(GitHub.Login(parameter))", "/repos/\("octocat")/\(parameter)"]
        }
        for path in paths {
            #expect(throws: BrowseError.refused(.invalidParameter, info), "\(path)") { try url(path) }
        }
        #expect(try url("/isbn/\("0140328726", isValid: true)/\("...")") == "https://api.example/isbn/0140328726/...")
    }

    @Test(
        "stays on the base URL's origin and path, whatever its path begins with",
        arguments: [
            ("users/octocat/orgs", "users/octocat/orgs"), (".evil.example/x", ".evil.example/x"),
            ("@evil.example/x", "@evil.example/x"), (":8443/x", ":8443/x"), ("/evil.example", "evil.example"),
            ("//evil.example", "/evil.example"),
            ("https://evil.example/x", "https://evil.example/x"), ("\\evil.example", "%5Cevil.example"),
            ("?page=2", "?page=2"), ("\("evil").example", "evil.example"), ("\(7)", "7"),
        ] as [(EndpointPath, String)],
        ["https://api.example", "https://api.example:8443/v1/"]
    )
    func staysOnOrigin(path: (EndpointPath, sent: String), base: String) throws {
        let root = base.hasSuffix("/") ? base : base + "/"
        #expect(try url(path.0, below: base) == root + path.sent)
        let page = Endpoint(.page(PageCursor(rawValue: root + "x?page=2"), of: path.0)) { $0.status }
        #expect(page.name.hasPrefix("GET /"))
        let url = try page.url(below: try #require(URL(string: base)), info: info)
        #expect(url.absoluteString == root + "x?page=2")
    }

    @Test(arguments: [
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
        ("https://한국.kr/api", "https://xn--3e0b707e.kr/api/user/1/followers?page=2"),
    ])
    func `follows a page's URL on the API's origin and path`(base: String, page: String) throws {
        let list: EndpointPath = "/users/\("a")/followers"
        let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: list)) { $0.status }
        let url = try endpoint.url(below: try #require(URL(string: base)), info: info)
        #expect(url.absoluteString == page)
    }

    /// epimorphics/elda#185, baserow/baserow#2286, spring-projects/spring-hateoas#301
    @Test(arguments: ["http://ghe.example", "http://ghe.example:80", "https://ghe.example:80"])
    func `follows a page's URL over https, although the server names http, or its port`(origin: String) throws {
        func url(_ page: String, below base: String) throws -> String {
            let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: "/user")) { $0.status }
            return try endpoint.url(below: try #require(URL(string: base)), info: info).absoluteString
        }
        for path in ["/api/v3/user:80?page=2", "/api/v3?u=a:80/", "/api/v3"] {
            #expect(try url(origin + path, below: "https://ghe.example/api/v3") == "https://ghe.example" + path)
            #expect(throws: BrowseError.refused(.foreignPage, info)) {
                try url(origin + "80" + path, below: "https://ghe.example/api/v3")
            }
        }
        #expect(try url("http://a.example:8443/b", below: "https://a.example:8443") == "https://a.example:8443/b")
        #expect(try url("http://a.example:80/b", below: "https://a.example:80") == "https://a.example:80/b")
    }

    /// paperless-ngx/paperless-ngx#3130, tb1337/pypaperless#2, encode/django-rest-framework#6313
    @Test func `follows a page's URL at the service's port, although a proxy didn't tell it to the server`() throws {
        func url(_ page: String, below base: String) throws -> String {
            let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: "/user")) { $0.status }
            return try endpoint.url(below: try #require(URL(string: base)), info: info).absoluteString
        }
        for page in ["http://a.example", "http://a.example:80", "https://a.example", "https://a.example:8443"] {
            let page = page + "/api/b?page=2&at=1:00"
            #expect(try url(page, below: "https://a.example:8443/api") == "https://a.example:8443/api/b?page=2&at=1:00")
        }
        #expect(try url("http://a.example/b", below: "http://a.example:8080") == "http://a.example:8080/b")
        for page in ["http://[::1]", "http://[::1]:80", "https://[::1]", "https://[::1]:8443"] {
            #expect(try url(page + "/b?at=]:1", below: "https://[::1]:8443") == "https://[::1]:8443/b?at=%5D:1")
        }
        for page in ["http://[::1]:8000", "https://[::2]", "http://a]:80@[::1]"] {
            #expect(throws: BrowseError.refused(.foreignPage, info)) {
                try url(page + "/b", below: "https://[::1]:8443")
            }
        }
        for page in ["http://a.example:8000", "https://a.example:443", "https://b.example", "https://b@a.example"] {
            #expect(throws: BrowseError.refused(.foreignPage, info)) {
                try url(page + "/b", below: "https://a.example:8443")
            }
        }
        #expect(throws: BrowseError.refused(.foreignPage, info)) {
            try url("https://a.example/b", below: "http://a.example:8080")
        }
    }

    @Test(arguments: [
        ("page=2&name=a b", "page=2&name=a%20b"), ("page=2&name=한글", "page=2&name=%ED%95%9C%EA%B8%80"),
        ("page[number]=2", "page%5Bnumber%5D=2"), ("q={a}|b", "q=%7Ba%7D%7Cb"), ("q=a/../b?\\c", "q=a/../b?%5Cc"),
        // As in browsers, line breaks don't count.
        ("q=a\r\nHost: evil", "q=aHost:%20evil"),
    ])
    func `encodes the text of a page's query that the server didn't encode`(query: String, sent: String) throws {
        let page = "https://ghe.example/api/v3/users?"
        let endpoint = Endpoint(.page(PageCursor(rawValue: page + query), of: "/users")) { $0.status }
        let url = try endpoint.url(below: try #require(URL(string: "https://ghe.example/api/v3")), info: info)
        #expect(url.absoluteString == page + sent)
    }

    @Test(arguments: [
        "", "/user/1/followers?page=2", "page 2", "https://evil.example/api/v3/user?page=2",
        "http://ghe.example:81/api/v3/user?page=2", "https://ghe.example:8443/api/v3/user?page=2",
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
        // Unusual spellings of the origin.
        "HTTPS://ghe.example/api/v3/user?page=2", "Https://ghe.example/api/v3/user",
        "https:ghe.example/api/v3/user",
        "https:/ghe.example/api/v3/user", "https:///ghe.example/api/v3/user",
        "https:\\\\ghe.example/api/v3/user",
        " https://ghe.example/api/v3/user", "\thttps://ghe.example/api/v3/user",
        "https://ghe.example./api/v3/user",
        "https://ghe.example\u{3002}/api/v3/user", "https://ghe\u{3002}example/api/v3/user",
        "https://gh\u{0435}.example/api/v3/user", "https://%67he.example/api/v3/user",
        "https://ghe.example%2f@evil.example/api/v3/user", "https://ghe.example%00.evil.example/api/v3/user",
        "https://ghe.example:444/api/v3/user", "https://ghe.example:+443/api/v3/user",
        "https://ghe.example:0x1bb/api/v3/user", "https://ghe.example:99999999999999999999/api/v3/user",
        "https://ghe.example:443:80/api/v3/user",
        "https://@ghe.example/api/v3/user", "https://:@ghe.example/api/v3/user",
        "https://ghe.example;@evil.example/api/v3/user", "https://ghe.example?@evil.example/api/v3/user",
        "https://ghe.example /api/v3/user",
        "https://ghe\u{AD}.example/api/v3/user",
    ])
    func `refuses a page's URL anywhere else`(page: String) throws {
        let base = try #require(URL(string: "https://ghe.example/api/v3"))
        let list: EndpointPath = "/user"
        let endpoint = Endpoint(.page(PageCursor(rawValue: page), of: list)) { $0.status }
        #expect(throws: BrowseError.refused(.foreignPage, info)) { try endpoint.url(below: base, info: info) }
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
        let (login, users) = (GitHub.Login(login), RemoteGitHubRepository(client: client))
        let (followers, repos) = (RemoteGitHubRepository(client: client), RemoteGitHubRepository(client: client))
        let errors = [
            await thrown { () async throws(BrowseError) in try await users.profile(of: login) },
            await thrown { () async throws(BrowseError) in try await followers.page(of: .followers(of: login), at: nil)
            },
            await thrown { () async throws(BrowseError) in try await repos.page(of: .publicRepos(of: login), at: nil) },
            await thrown { () async throws(BrowseError) in try await repos.details(named: "a", of: login) },
            // Nor is a name of a repository that leads to another path.
            await thrown { () async throws(BrowseError) in try await repos.details(named: "..", of: .init("mona")) },
        ]
        for error in errors {
            guard case .refused(.invalidParameter, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["octocat", "a", "old-", "mona_corp", "dependabot[bot]", "A-1", "0"])
    func `that GitHub uses is sent`(login: String) async throws {
        let server = try LoopbackServer { _ in .json("[]") }
        let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        _ = try await followers.page(of: .followers(of: GitHub.Login(login)), at: nil)
        #expect(server.requests.count == 1)
    }
}
