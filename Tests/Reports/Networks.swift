import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTesting
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profileJSON = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#
private let page = Data("<html>Blocked</html>".utf8)

/// Sources: desktop/desktop#12943, cli/cli#1583, octokit/rest.js#1141.
@MainActor
@Suite(.bounded)
struct `Reports about networks` {
    private let server = ScriptedServer()

    private func container(_ locale: String = "en_US", _ change: (inout Configuration) -> Void = { _ in }) -> Container
    {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: locale)
            $0.timeZone = .gmt
        }
        (configuration.clock, configuration.retries) = (ImmediateClock(), .never)
        change(&configuration)
        return .production(on: server.transport(), configuration: configuration)
    }

    @Test(
        arguments: [403, 404, 410, 422, 429],
        ["json en_US", "json ko_KR", "text en_US", "xml ko_KR", "empty en_US"]
    )
    func `a gateway's error keeps the cached profile, and isn't GitHub's word`(
        status: Int,
        answer: String
    ) async throws {
        let (type, locale) = (answer.prefix { $0 != " " }, String(answer.suffix(5)))
        let gateway: ScriptedServer.Response =
            switch type {
            case "json": .json(#"{"message":"Not Found"}"#, status: status, headers: ["Retry-After": "60"])
            case "text": .body(page, status: status, headers: ["Content-Type": "text/plain"])
            case "xml": .body(page, status: status, headers: ["Content-Type": "application/xml"])
            default: .status(status)
            }
        let answers = [.json(profileJSON), gateway.ofProxy(), .json(profileJSON)]
        server.on(.get, "/users/octocat", responses: answers)
        // A refresh requests the account by its number.
        server.on(.get, "/user/1", response: gateway.ofProxy())
        let folder = FileManager.default.temporaryDirectory.appending(path: "networks-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = container(locale) { $0.cacheFolder = folder }
        let model = container.userProfileViewModel()
        await model.show(octocat)
        await model.refresh()
        let notice = model.state.notice
        #expect(model.state.content.details?.name == "Octo" && notice?.action == .retry)
        #expect(notice?.text.contains(locale == "ko_KR" ? "프록시" : "A proxy, VPN") == true)
        let cached = container.userProfileViewModel()
        await cached.show(octocat)
        #expect(cached.state.content.details?.name == "Octo" && cached.state.content.age != nil)
        let other = container.userProfileViewModel()
        // No limit was learned.
        await other.show(octocat)
        #expect(other.state.content.details?.name == "Octo" && other.state.content.age == nil)
    }

    @Test(
        arguments: ["text/html", "application/xhtml+xml", "text/plain", "application/json", nil],
        ["en_US", "ko_KR"]
    )
    func `a portal's page isn't a star, nor a profile`(type: String?, locale: String) async throws {
        let portal = ScriptedServer.Response.body(page, headers: type.map { ["Content-Type": $0] } ?? [:]).ofProxy()
        let container = container(locale) { $0.gitHub.token = try? Secret("ghp_1234567890") }
        server.on(.get, "/user", response: .json(profileJSON))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        server.on(.get, "/users/octocat", times: .any, response: portal)
        server.on(
            .get,
            "/users/octocat/repos",
            response: .json(#"[{"id":7,"name":"hello","full_name":"octocat/hello"}]"#)
        )
        server.on(.put, "/user/starred/octocat/hello", response: portal)
        await container.gitHubSession().start()
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: octocat))
        let id = try #require(list.state.content.rows.first?.id)
        _ = await list.toggleStar(id)
        #expect(list.state.content.rows.first?.isStarred == false)
        #expect(list.state.notice?.text.contains(locale == "ko_KR" ? "프록시" : "A proxy, VPN") == true)
        let model = container.userProfileViewModel()
        await model.show(octocat)
        #expect(model.state.content.status.message?.error?.request?.status == 200)
        #expect(model.state.content.status.message?.action == .retry)
    }

    @Test(arguments: ["html", "json"], ["en_US", "ko_KR"])
    func `an Enterprise Server without an identifier asks the person to sign in`(kind: String, locale: String)
        async throws
    {
        let refusal: ScriptedServer.Response =
            kind == "html"
            ? .body(
                page,
                status: 401,
                headers: ["Content-Type": "text/html", "WWW-Authenticate": #"Basic realm="GitHub""#]
            )
            : .json(
                #"{"message":"Bad credentials","documentation_url":"https://docs.github.com/enterprise-server/rest"}"#,
                status: 401
            )
        func container() -> Container {
            self.container(locale) { configuration in
                if let url = URL(string: "https://ghe.example.com") {
                    configuration.gitHub = GitHubSettings(server: url)
                }
            }
        }
        server.on(.get, "/api/v3/users/octocat", times: .any, response: refusal)
        server.on(.get, "/api/v3/user", response: .json(profileJSON))
        server.on(.get, "/api/v3/user/starred", times: .any, response: .json("[]"))
        let anonymous = container().userProfileViewModel()
        await anonymous.show(octocat)
        #expect(anonymous.state.content.status.message?.action == .signIn)
        let signedIn = container()
        try await signedIn.gitHubSession().signIn(with: Credentials(token: Secret("ghp_1234567890")))
        let model = signedIn.userProfileViewModel()
        await model.show(octocat)
        #expect(model.state.content.status.message?.action == .signIn)
        // Only a proven refusal ends the session.
        #expect((signedIn.gitHubSession().current.user == nil) == (kind == "json"))
    }

    @Test(arguments: [302, 307], ["en_US", "ko_KR"])
    func `a portal's redirect to http is a network message`(status: Int, locale: String) async {
        server.on(.get, "/users/octocat", response: .redirect(to: "http://portal.example/login", status: status))
        let model = container(locale).userProfileViewModel()
        await model.show(octocat)
        let message = model.state.content.status.message
        #expect(message?.kind == .offline && message?.action == .retry)
        #expect(message?.text.contains(locale == "ko_KR" ? "프록시" : "proxy") == true)
    }

    @Test(arguments: ["en_US", "ko_KR"])
    func `an Enterprise Server that has moved names its new address`(locale: String) async {
        server.on(.get, "https://old.example/api/v3/user", response: .redirect(to: "https://new.example/api/v3/user"))
        server.on(
            .get,
            "https://new.example/api/v3/user",
            response: .json(#"{"message":"Must authenticate"}"#, status: 401, headers: .gitHub)
        )
        let container = container(locale) { configuration in
            if let url = URL(string: "https://old.example") { configuration.gitHub = GitHubSettings(server: url) }
        }
        let signIn = container.gitHubSignInViewModel()
        await signIn.signIn(withToken: "ghp_1234567890")
        guard case .failed(let message) = signIn.state else {
            Issue.record("\(signIn.state)")
            return
        }
        #expect(message.text.contains("new.example") && message.action == nil)
        #expect(!server.requests.contains { $0.url.host() == "new.example" && $0.headers["Authorization"] != nil })
    }

    @Test(arguments: ["Basic realm=\"office\"", nil], [true, false])
    func `a 401 that isn't proven refreshes a token at most once, and ends no session`(
        challenge: String?,
        isRefreshable: Bool
    ) async throws {
        var service = HTTPClient.Service.json(
            baseURL: try #require(URL(string: "https://own.example")),
            userAgent: "Tests"
        )
        service.carriesSecrets = true
        let refusal = ScriptedServer.Response.status(401, headers: challenge.map { ["WWW-Authenticate": $0] } ?? [:])
        server.on(.get, "/me", times: .any, response: refusal.ofProxy())
        let refreshes = server.on(
            .post,
            "/token",
            times: .any,
            response: .computed { _ in
                .json(#"{"access_token":"access-\#(UUID())","refresh_token":"refresh-\#(UUID())"}"#)
            }
        )
        let oAuth = HTTPClient(
            service: .oAuth(baseURL: service.baseURL, userAgent: "Tests"),
            transport: server.transport()
        )
        let tokens = StoredTokenRepository(
            store: InMemoryTokenStore(
                Credentials(
                    token: try Secret("access-1234567890"),
                    refreshToken: isRefreshable ? try Secret("refresh-1234567890") : nil
                )
            ),
            authorization: OAuthServer(page: nil, token: "/token").repository(
                for: OAuthApp(clientID: "a"),
                client: oAuth
            ),
            clock: ImmediateClock()
        )
        let client = HTTPClient.standard(service, transport: server.transport(), tokens: tokens)
        let endpoint = Endpoint<Int>(.path("/me")) { $0.status }
        for _ in 0..<3 {
            await #expect { try await client.send(endpoint) } throws: { error in
                if case BrowseError.unreachable(.intercepted, _) = error { true } else { false }
            }
        }
        #expect(refreshes.requests.count == (isRefreshable ? 1 : 0))
        #expect(try await tokens.current() != nil)
    }

    @Test(arguments: [400, 412, 431]) func `an expired image is loaded again without its validator`(status: Int) async {
        let image = DrawnImage.png(for: "a")
        let tag: HTTPHeaders = ["ETag": "\"a\""]
        server.on(
            .get,
            "https://images.example/a.png",
            times: .any,
            response: .computed { request in
                request.headers["If-None-Match"] == nil ? .body(image, headers: tag) : .status(status)
            }
        )
        let clock = TestClock()
        let container = container { configuration in
            (configuration.clock, configuration.now) = (
                clock, clock.now(from: Date(timeIntervalSince1970: 1_800_000_000))
            )
        }
        let request = ImageRequest(WebAddress("https://images.example/a.png"))
        let repository = container.imageRepository()
        #expect((try? await repository.image(for: request)) != nil)
        await clock.advance(by: .seconds(400 * 86_400))
        #expect((try? await repository.image(for: request)) != nil)
    }

    @Test(arguments: [
        "67:68:70:5f:31:32:33:34:35:36:37:38", "67-68-70-5f-31-32-33-34", "&#103;&#104;&#112;&#95;&#49;&#50;",
    ])
    func `no token is in events, in any encoding`(text: String) async {
        let lines = Monitor<[String]>([])
        let fields = ["Server", "Last-Modified", "Vary", "Content-Language", "Retry-After", "Cache-Control"]
        var headers: HTTPHeaders = ["Content-Type": "text/\(text)"]
        for name in fields { headers[name] = text }
        server.on(.get, "/users/octocat", response: .json(profileJSON, headers: headers))
        let container = container { $0.observers = [ExchangePrinter { line in lines.withLock { $0.append(line) } }] }
        await container.userProfileViewModel().show(octocat)
        #expect(!lines.value.isEmpty && !lines.value.contains { $0.contains(text) })
        let request = HTTPClient.Request(
            url: Configuration().gitHub.url.appending(queryItems: [.init(name: "key", value: "s3cr3t")]),
            endpoint: ""
        )
        #expect(!"\(request)".contains("s3cr3t"))
    }
}
