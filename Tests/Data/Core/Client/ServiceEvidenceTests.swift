import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct `The evidence of GitHub` {
    /// Whether a 404 counts as GitHub's, and isn't taken for a proxy's.
    private func counts(
        _ body: String,
        _ headers: HTTPHeaders = ["Content-Type": "application/json"],
        at address: String = "https://api.github.com"
    ) async throws -> Bool {
        let url = try #require(URL(string: address))
        let transport = FakeTransport { request, _ throws(BrowseError) in
            HTTPClient.Response(status: 404, headers: headers, body: Data(body.utf8), url: request.url)
        }
        let client = HTTPClient(service: .gitHub(baseURL: url, userAgent: "Tests"), transport: transport)
        let error = await thrown { () async throws(BrowseError) in
            try await client.send(Endpoint<Int>(.path("/a")) { $0.status })
        }
        switch error {
        case .notFound: return true
        case .unreachable(.intercepted, _): return false
        default: throw error ?? .cancelled
        }
    }

    @Test(arguments: [
        ("X-GitHub-Request-Id", true), ("x-github-media-type", true), ("X-GitHub-Api-Version-Selected", true),
        // Requests have it, so a gateway can repeat it.
        ("X-GitHub-Api-Version", false), ("x-github-api-version", false), ("X-GitHubber", false), ("Server", false),
    ])
    func `is a field with its prefix that requests don't have`(name: String, isProven: Bool) async throws {
        var headers: HTTPHeaders = ["Content-Type": "text/html"]
        headers[name] = "GitHub.com"
        #expect(try await counts("<html>", headers) == isProven)
    }

    private static let gitHub = "https://api.github.com"
    private static let server = "https://ghe.example.com/api/v3"
    private static let pages: [(String, String, Bool)] = [
        ("https://docs.github.com/rest", gitHub, true), ("https://DOCS.GitHub.com/rest", gitHub, true),
        ("https://developer.github.com/v3", gitHub, true), ("https://github.com/contact", gitHub, true),
        ("https://docs.github.com/enterprise-server@3.17/rest", server, true),
        ("https://ghe.example.com/help", server, true),
        ("https://company.ghe.com/help", "https://api.company.ghe.com", true),
        // Another port is another server.
        ("https://docs.github.com:8443/rest", gitHub, false), ("https://github.com:8443/", gitHub, false),
        ("https://ghe.example.com:8443/help", server, false),
        ("https://ghe.example.com:8443/help", "https://ghe.example.com:8443/api/v3", true),
        // Pages of others, and none.
        ("https://docs.example/rest", gitHub, false), ("https://ghe.example.com/help", gitHub, false),
        ("https://evilgithub.com/rest", gitHub, false), ("https://github.com.evil.example/rest", gitHub, false),
        ("https://github.com@evil.example/rest", gitHub, false), ("http://docs.github.com/rest", gitHub, false),
        ("http://ghe.example.com/help", server, false), ("//docs.github.com/rest", gitHub, false),
        ("/rest", gitHub, false), ("", gitHub, false),
    ]

    @Test(arguments: pages)
    func `is an error with a page on the host of GitHub or of the server`(
        page: String,
        server: String,
        isProven: Bool
    ) async throws {
        let body = #"{"message":"Not Found","documentation_url":"\#(page)"}"#
        #expect(try await counts(body, at: server) == isProven)
    }

    @Test(arguments: [
        #"{"documentation_url":"https://docs.github.com/rest"}"#, #"{"message":"Not Found"}"#,
        #"{"message":null,"documentation_url":"https://docs.github.com/rest"}"#,
        #"{"message":"Not Found","documentation_url":7}"#, "[]", "<html>", "",
    ])
    func `isn't an error of another shape`(body: String) async throws {
        #expect(try await !counts(body))
    }
}

@Suite(.bounded)
struct `The evidence of an own service` {
    @Test(
        arguments: [
            (#"Token realm="api""#, "text/html", true), ("token", nil, true),
            (#"Basic realm="a", TOKEN realm="b", charset="UTF-8""#, nil, true),
            (#"Bearer realm="api""#, "application/json", false),
            (#"Basic realm="a, Token b""#, "application/json", false),
            (nil, "application/json", true), (nil, "text/json", true), (nil, "Application/VND.api+JSON", true),
            (nil, "application/problem+json; charset=utf-8", true), (nil, "application/jsonp", false),
            (nil, "application/json-seq", false), (nil, "text/plain", false), (nil, nil, false),
        ] as [(String?, String?, Bool)]
    )
    func `is a challenge with its scheme, or JSON without any`(
        challenge: String?,
        type: String?,
        isProven: Bool
    ) throws {
        let url = try #require(URL(string: "https://own.example"))
        var response = HTTPClient.Response(status: 401, body: Data("{}".utf8), url: url)
        response.headers["WWW-Authenticate"] = challenge
        response.headers["Content-Type"] = type
        let evidence = HTTPClient.Service.Evidence.json(scheme: "token")
        #expect(evidence.isProven(response) == isProven)
        // A page isn't JSON, whatever its type is.
        response.body = Data("\n <html>".utf8)
        #expect(evidence.isProven(response) == (isProven && challenge != nil))
    }

    @Test(
        arguments: [
            (401, "application/json", false), (429, "application/json", true), (429, nil, true),
            (429, "text/html", false),
        ] as [(Int, String?, Bool)]
    )
    func `is a limit's status without a body, but no other one`(status: Int, type: String?, isProven: Bool) throws {
        let url = try #require(URL(string: "https://own.example"))
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        let response = HTTPClient.Response(status: status, headers: headers, url: url)
        #expect(HTTPClient.Service.Evidence.json().isProven(response) == isProven)
    }

    /// It has no body that could be JSON. GitHub's has fields of GitHub, which that of a proxy lacks.
    @Test(arguments: [false, true])
    func `is a 204, but GitHub has its own`(isGitHub: Bool) async throws {
        let url = try #require(URL(string: "https://own.example"))
        let service: HTTPClient.Service =
            isGitHub ? .gitHub(baseURL: url, userAgent: "Tests") : .json(baseURL: url, userAgent: "Tests")
        let endpoint = Endpoint<[String]>.json(.path("/a")) { (rows: [String], _) in rows }
        let responses: [(HTTPHeaders, Bool)] = [([:], !isGitHub), (["X-GitHub-Request-Id": "1"], true)]
        for (headers, isProven) in responses {
            let client = HTTPClient(service: service, transport: FakeTransport(statuses: 204, headers: headers))
            let error = await thrown { () async throws(BrowseError) in try await client.send(endpoint) }
            switch error {
            case .unusableResponse(.empty, _): #expect(isProven)
            case .unreachable(.intercepted, _): #expect(!isProven)
            default: Issue.record("\(String(describing: error))")
            }
        }
    }

    /// Envoy and Rack::Attack send a sentence, with the reset alone.
    ///
    /// envoyproxy/envoy#45384, opf/openproject#13014
    @Test(
        arguments: [
            ["Retry-After": "9"], ["X-RateLimit-Reset": "9"], ["X-Rate-Limit-Reset": "9"], ["RateLimit-Reset": "9"],
        ] as [HTTPHeaders]
    )
    func `is a limit's status with its end, whatever the body is, but no other one`(headers: HTTPHeaders) throws {
        let url = try #require(URL(string: "https://own.example"))
        let body = Data("local_rate_limited".utf8)
        var response = HTTPClient.Response(status: 429, headers: headers, body: body, url: url)
        response.headers["Content-Type"] = "text/plain"
        let evidence = HTTPClient.Service.Evidence.json()
        #expect(evidence.isProven(response))
        response.status = 403
        #expect(!evidence.isProven(response))
    }

    /// ginlix-ai/LangAlpha#379, cortexkit/anthropic-auth#40, allegro/allegro-api#3374
    @Test(
        arguments: [
            ("Too many requests", "text/plain", "120", 120), (#"{"message":"Slow"}"#, "application/json", nil, 60),
            ("", nil, nil, 60), ("<html>", "text/html", "120", 120), ("<html>", "text/html", nil, nil),
        ] as [(String, String?, String?, Double?)]
    )
    func `of an OAuth server is a limit's status, too, whatever its format is`(
        body: String,
        type: String?,
        retryAfter: String?,
        wait: Double?
    ) async throws {
        let url = try #require(URL(string: "https://login.example"))
        let transport = FakeTransport { request, _ throws(BrowseError) in
            var headers: HTTPHeaders = [:]
            headers["Content-Type"] = type
            headers["Retry-After"] = retryAfter
            return HTTPClient.Response(status: 429, headers: headers, body: Data(body.utf8), url: request.url)
        }
        let service = HTTPClient.Service.oAuth(baseURL: url, userAgent: "Tests")
        let client = HTTPClient(service: service, transport: transport, options: .init { $0.now = { testNow } })
        let server = OAuthServer(page: nil, token: "/token").repository(for: OAuthApp(clientID: "a"), client: client)
        let token = try Secret("refresh-1")
        // A refresh, and a poll, then wait until the end of the limit.
        switch await thrown(by: { () async throws(BrowseError) in try await server.refresh(token) }) {
        case .rateLimited(let limit, _): #expect(wait.map { testNow + $0 } == limit.retryAt)
        case .unreachable(.intercepted, _): #expect(wait == nil)
        case let error: Issue.record("\(String(describing: error))")
        }
    }

    /// TMDB sends 401 for a private list, Strava for a missing scope, Bluesky 400 for an expired token.
    @Test(arguments: [(401, "private", true), (400, "expired", false), (200, "expired", false)])
    func `belongs to the status that the service means`(status: Int, code: String, staysSignedIn: Bool) async throws {
        let url = try #require(URL(string: "https://own.example"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        service.status = { response in
            let code = (try? response.decoded([String: String].self))?["code"]
            return code == "private" ? 403 : code == "expired" ? 401 : response.status
        }
        let tokens = StoredTokenRepository(store: InMemoryTokenStore(Credentials(token: try Secret("access"))))
        let transport = FakeTransport(status: status, json: #"{"code":"\#(code)"}"#)
        let client = HTTPClient.standard(service, transport: transport, tokens: tokens)
        let error = await thrown { () async throws(BrowseError) in
            try await client.send(Endpoint<Int>(.path("/me")) { $0.status })
        }
        switch error {
        case .forbidden: #expect(staysSignedIn)
        case .unauthorized: #expect(!staysSignedIn)
        default: Issue.record("\(String(describing: error))")
        }
        let grant = try await tokens.current()
        #expect((grant != nil) == staysSignedIn && transport.requests.count == 1)
    }

    @Test(arguments: [(#"Token realm="a""#, true), (#"Bearer realm="a""#, false), (nil, false)] as [(String?, Bool)])
    func `ends a session by a challenge with its scheme only`(challenge: String?, isProven: Bool) async throws {
        let url = try #require(URL(string: "https://own.example"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        service.evidence = .json(scheme: "token")
        let transport = FakeTransport { request, _ throws(BrowseError) in
            var headers: HTTPHeaders = ["Content-Type": "text/plain"]
            headers["WWW-Authenticate"] = challenge
            return HTTPClient.Response(status: 401, headers: headers, url: request.url)
        }
        let tokens = StoredTokenRepository(store: InMemoryTokenStore(Credentials(token: try Secret("access"))))
        let field = TokenField("Authorization", prefix: "Token ")
        let client = HTTPClient.standard(service, transport: transport, tokens: tokens, in: field)
        let error = await thrown { () async throws(BrowseError) in
            try await client.send(Endpoint<Int>(.path("/me")) { $0.status })
        }
        switch error {
        case .unauthorized: #expect(isProven)
        case .unreachable(.intercepted, _): #expect(!isProven)
        default: Issue.record("\(String(describing: error))")
        }
        #expect(transport.requests.map { $0.headers["Authorization"] } == ["Token access"])
        let grant = try await tokens.current()
        #expect((grant == nil) == isProven)
    }

    @Test(
        arguments: [["WWW-Authenticate": "Basic realm=\"office\""], [:], ["Content-Type": "application/json"]]
            as [HTTPHeaders],
        [true, false]
    )
    func `is needed to end a session, after one refresh at most`(headers: HTTPHeaders, canRefresh: Bool) async throws {
        let url = try #require(URL(string: "https://own.example"))
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        service.carriesSecrets = true
        let transport = FakeTransport { request, number throws(BrowseError) in
            guard request.url.path() == "/token" else {
                return HTTPClient.Response(status: 401, headers: headers, url: request.url)
            }
            let json = Data(#"{"access_token":"access-\#(number)","refresh_token":"refresh-\#(number)"}"#.utf8)
            let type: HTTPHeaders = ["Content-Type": "application/json"]
            return HTTPClient.Response(status: 200, headers: type, body: json, url: request.url)
        }
        let oAuth = HTTPClient(service: .oAuth(baseURL: url, userAgent: "Tests"), transport: transport)
        let refreshToken = canRefresh ? try Secret("refresh-1234567890") : nil
        let credentials = Credentials(token: try Secret("access-1234567890"), refreshToken: refreshToken)
        let authorization = OAuthServer(page: nil, token: "/token")
        let tokens = StoredTokenRepository(
            store: InMemoryTokenStore(credentials),
            authorization: authorization.repository(for: OAuthApp(clientID: "a"), client: oAuth),
            clock: ImmediateClock()
        )
        let client = HTTPClient.standard(service, transport: transport, tokens: tokens)
        for _ in 0..<3 {
            await #expect { try await client.send(Endpoint<Int>(.path("/me")) { $0.status }) } throws: { error in
                if case BrowseError.unreachable(.intercepted, _) = error { true } else { false }
            }
        }
        #expect(transport.requests.count { $0.method == .post } == (canRefresh ? 1 : 0))
        #expect(try await tokens.current() != nil)
    }

    /// Smartsheet names the end of a limit only by its reset; others send the seconds until then.
    ///
    /// zalando/restful-api-guidelines#379, mvanhorn/last30days-skill#1048
    @Test(
        arguments: [
            ("0", 90, nil, 90), ("0", 90, "5", 5), ("3", 90, nil, 60), ("0", -90, nil, 0),
            ("0", -1_767_323_000, nil, 45), ("0.0", -1_767_323_000, nil, 45),
        ] as [(String, Double, String?, Double)]
    )
    func `names the end of a limit by the reset of what is used up`(
        remaining: String,
        reset: Double,
        retryAfter: String?,
        wait: Double
    ) {
        var headers: HTTPHeaders = ["X-RateLimit-Remaining": remaining]
        headers["X-RateLimit-Reset"] = "\(Int(testNow.timeIntervalSince1970 + reset))"
        headers["Retry-After"] = retryAfter
        let limit = BrowseError.RateLimit(headers, now: testNow)
        #expect(limit.retryAt == testNow + wait && limit.isServerTime == (wait != 60))
    }
}
