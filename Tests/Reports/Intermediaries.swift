import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

/// Redirects, and what responds in a service's place.
///
/// As in desktop/desktop#12943, cli/cli#1583, and octokit/rest.js#1141.
@MainActor
@Suite(.bounded)
struct `Reports about intermediaries` {
    private let server = ScriptedServer()

    private func container(_ address: String? = nil, locale: String = "en_US", hasToken: Bool = true) -> Container {
        .reports(server, at: address, locale: locale, clock: ImmediateClock(), retries: .standard, hasToken: hasToken)
    }

    /// seanmonstar/reqwest#1644, elastic/connectors#3683
    @Test(arguments: [true, false])
    func `no token is sent over http, also if it was pasted`(isPasted: Bool) async {
        let container = container("http://ghe.example", hasToken: !isPasted)
        if isPasted {
            let signIn = await container.paste()
            #expect(signIn.state.message?.text.contains("address") == true, "\(signIn.state)")
        } else {
            _ = await container.profile()
        }
        #expect(server.requests.isEmpty)
    }

    /// microsoft/vscode#115795, hbz/lobid-gnd#472
    ///
    /// Any bytes are a README, so its type or GitHub's field tells it from a portal's page.
    @Test(
        arguments: ["text/html", "application/xhtml+xml", "text/plain", "application/json", nil],
        [
            ["Content-Type": "application/vnd.github.raw+json; charset=utf-8"],
            ["Content-Type": "text/plain", "X-GitHub-Media-Type": "github.v3; param=raw"],
            ["Content-Type": "text/plain", "X-GitHub-Request-Id": "1"],
        ] as [HTTPHeaders]
    )
    func `a proxy's page isn't a README, and replaces none that is stored`(type: String?, own: HTTPHeaders) async {
        server.onSession()
        server.on(.get, "/repositories/7", times: .any, response: .json(.repo(), headers: .gitHub))
        let text = ScriptedServer.Response.body(Data("# Tea".utf8), status: 200, headers: own)
        let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
        let page = ScriptedServer.Response.body(Data("{}".utf8), headers: headers).ofProxy()
        server.on(.get, "/repositories/7/readme", responses: [text, page, page])
        let container = container()
        // The cache doesn't store the identifier.
        for _ in 0..<(own["X-GitHub-Request-Id"] == nil ? 3 : 1) {
            let model = container.repoDetailViewModel()
            await model.show(GitHub.Repo.ID(rawValue: 7))
            #expect(model.state.readme.details??.text == "# Tea", "\(model.state.readme)")
        }
    }

    /// meetfranz/franz#1465, vouch/vouch-proxy#282, tibiadata/tibiadata-api-go#34
    @Test(arguments: ["en_US", "ko_KR"])
    func `a redirect to another host's page names that host, which gets no token`(locale: String) async {
        server.onSession()
        let container = await container(locale: locale).started()
        server.on(.get, "/users/octocat", response: .octocat)
        let away = ScriptedServer.Response.redirect(to: "https://sso.corp/login")
        server.on(.get, "/user/1", responses: [away, away, .octocat])
        let others = server.on(.get, "https://sso.corp/login", times: .any, response: .html().ofProxy())
        let model = await container.profile()
        for _ in 0..<2 {
            await model.refresh()
            #expect(model.state.content.details?.name == "Octo" && model.state.notice?.action == .retry)
            #expect(model.state.notice?.text.contains("sso.corp") == true, "\(model.state.notice?.text ?? "")")
        }
        await model.refresh()
        #expect(model.state.notice == nil && model.state.content.provenance == .fresh)
        #expect(others.requests.allSatisfy { $0.headers["Authorization"] == nil })
        #expect(container.gitHubSession().current.user != nil)
    }

    /// encode/httpx#821
    @Test func `a redirect to the same address ends, and is named`() async {
        let headers: HTTPHeaders = ["Location": "https://api.github.com/users/octocat", "Set-Cookie": "a=b"]
        server.on(.get, "/users/octocat", times: .any, response: .status(302, headers: headers))
        let message = await container().profile().state.content.status.message
        #expect(server.requests.count <= 6 && message?.kind != .offline)
        #expect(message?.text.contains("redirect") == true && message?.action == .retry, "\(message?.text ?? "")")
    }

    /// HelpCode-ai/anythingmcp#578, cloudflare/cloudflare-docs#8590, monkeytypegame/monkeytype#4254
    ///
    /// Han-1413141/dsh-cost-meter#172
    @Test(arguments: [200, 403, 503, 0])
    func `a challenge or unreadable bytes aren't data, and the next answer is`(status: Int) async {
        let bytes = Data([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3])
        let challenge = ScriptedServer.Response.html(status, ["cf-mitigated": "challenge"])
        let answer = Monitor((status == 0 ? .body(bytes) : challenge).ofProxy())
        let requests = server.compute(.get, "/api/character") { _ in answer.value }
        let (clock, folder) = (ImmediateClock(), TemporaryFolder())
        let all = Container.reports(server, clock: clock, retries: .standard) { $0.cacheFolder = folder.url }
        let list = await all.characters()
        let message = list.state.content.status.message
        #expect(message?.action == .retry && [.offline, .serverFailure].contains(message?.kind))
        #expect(message?.text.contains("<") == false && requests.requests.count == (status == 503 ? 3 : 1))
        let offline = Container.reports(server) { ($0.cacheFolder, $0.loadPolicy) = (folder.url, .offline) }
        #expect(await offline.characters().state.content.rows.isEmpty)
        answer.withLock { $0 = .json(#"{"info":{"count":1,"next":null},"results":[{"id":1,"name":"Rick"}]}"#) }
        await list.retry()
        #expect(list.state.content.rows.count == 1 && list.state.content.status == .ready)
    }

    /// xrootd/xrootd#1638
    @Test(arguments: [301, 302, 307, 308], [true, false])
    func `a star of a renamed repository is set and unset by its redirect`(status: Int, isStar: Bool) async throws {
        let list = await container().ownRepos(on: server)
        let id = try #require(list.state.content.rows.first?.id)
        let (method, path): (HTTPMethod, String) = (isStar ? .put : .delete, "/user/starred/octocat/hello")
        if !isStar {
            server.on(.put, path, response: .status(204))
            _ = await list.setStar(id, to: true)
        }
        server.on(method, path, response: .redirect(to: "/user/starred/new/hello", status: status))
        let moved = server.on(method, "/user/starred/new/hello", response: .status(204))
        _ = await list.setStar(id, to: isStar)
        #expect(moved.requests.first?.headers["Authorization"] == "Bearer ghp_1234567890")
        #expect(list.state.content.rows.first?.isStarred == isStar && list.state.notice == nil)
    }

    /// 2dust/v2rayNG#4857
    @Test(arguments: [
        ("/api/v3/repositories/42", "https://ghe.corp/api/v3/repositories/42", true),
        ("//ghe.corp/api/v3/r", "https://ghe.corp/api/v3/r", true),
        ("?page=2", "https://ghe.corp/api/v3/repos/a/b?page=2", true),
        ("//other.corp/r", "https://other.corp/r", false),
    ])
    func `a relative redirect leads from the request's address`(location: String, target: String, isOwn: Bool) async {
        server.onSession(at: "/api/v3")
        server.on(.get, "/api/v3/repos/a/b", query: [:], responses: [.redirect(to: location, status: 301)])
        let details = ScriptedServer.Response.json(#"{"id":42,"name":"b","full_name":"c/b"}"#)
        let readMe = "https://ghe.corp/api/v3/repositories/42/readme"
        server.on(.get, readMe, times: .any, response: .status(404, headers: .gitHub))
        let answers = server.on(.any.host(isOwn ? "ghe.corp" : "other.corp"), times: .any, response: details)
        let model = container("https://ghe.corp").repoDetailViewModel()
        await model.show(named: "b", of: GitHub.Login("a"))
        #expect(model.state.title == "c/b" && answers.requests.first?.url.absoluteString == target)
        #expect((answers.requests.first?.headers["Authorization"] != nil) == isOwn)
    }

    /// 0x676e67/wreq#1291, r-lib/httr2#654, AvdLee/appstoreconnect-swift-sdk#236
    @Test(arguments: [("/사진/é", "/%EC%82%AC%EC%A7%84/%C3%A9"), ("/\u{FF}", nil)])
    func `a redirect with raw characters is followed, and one with undecodable bytes isn't`(
        location: String,
        target: String?
    ) async throws {
        let bytes = location == "/\u{FF}" ? [0x2F, 0xE9] : Array(location.utf8)
        let head = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
        let server = try LoopbackServer { request in
            guard request.target == "/users/octocat" else { return .json(#"{"id":1,"login":"octocat"}"#) }
            return LoopbackResponse(steps: [.bytes(Array(head.utf8) + bytes + Array("\r\n\r\n".utf8))])
        }
        let model = try await Container.reports(server).profile()
        #expect(server.requests.dropFirst().map(\.target) == (target.map { [$0] } ?? []))
        #expect((model.state.content.details != nil) == (target != nil))
    }

    /// r-lib/httr2#654, AvdLee/appstoreconnect-swift-sdk#236
    @Test(arguments: [true, false]) func `field names have any case, and can come twice`(isUppercase: Bool) async throws
    {
        func name(_ name: String) -> String { isUppercase ? name.uppercased() : name.lowercased() }
        @Sendable func row(_ id: Int) -> String { #"[{"id":\#(id),"login":"u\#(id)","type":"User"}]"# }
        let names = ["etag", "link", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map(name)
        let server = try LoopbackServer { request in
            let isSecond = request.target.contains("page=2")
            let link = "</users/octocat/followers?per_page=100&page=2>; rel="
            let first = [
                (names[0], "\"a\""), (names[1], link + "\"last\""), (names[1], link + "\"next\""),
                (names[3], "0"), (names[3], "4998"),
            ]
            let second = [(names[2], "60"), (names[3], "0"), (names[4], "4102444800")]
            return .json(row(isSecond ? 2 : 1), headers: isSecond ? second : first)
        }
        // Waits for the disk have no limit, however busy the machine is.
        let list = try await Container.reports(server) { $0.clock = ImmediateClock() }.followers()
        await list.refresh()
        #expect(server.requests.last?.header("If-None-Match") == "\"a\"")
        await list.loadMore()
        #expect(list.state.content.rows.map(\.login.rawValue) == ["u1", "u2"] && server.requests.count == 3)
        // The limit of the second page counts.
        await list.refresh()
        guard case .failedRefresh(let message) = list.state.content.status else { throw CancellationError() }
        #expect(message.action != .retry && !server.requests.dropFirst(3).contains { $0.target.contains("followers") })
    }

    private func isAboutProxy(_ message: Message?, _ locale: String) -> Bool {
        message?.text.contains(locale == "ko_KR" ? "프록시" : "A proxy, VPN") == true
    }

    @Test(
        arguments: [403, 404, 410, 422, 429],
        ["json en_US", "json ko_KR", "text/plain en_US", "application/xml ko_KR", "empty en_US"]
    )
    func `a gateway's error keeps the cached profile, and isn't GitHub's word`(status: Int, answer: String) async {
        let (type, locale) = (answer.prefix { $0 != " " }, String(answer.suffix(5)))
        let gateway: ScriptedServer.Response =
            switch type {
            case "json": .json(#"{"message":"Not Found"}"#, status: status, headers: ["Retry-After": "60"])
            case "empty": .status(status)
            default: .html(status, ["Content-Type": "\(type)"])
            }
        server.on(.get, "/users/octocat", responses: [.octocat, gateway.ofProxy(), .octocat])
        // A refresh requests the account by its number.
        server.on(.get, "/user/1", response: gateway.ofProxy())
        let container = Container.reports(server, locale: locale, clock: ImmediateClock())
        let model = await container.profile()
        await model.refresh()
        let notice = model.state.notice
        #expect(model.state.content.details?.name == "Octo")
        #expect(notice?.action == .retry && isAboutProxy(notice, locale))
        let cached = await container.profile()
        #expect(cached.state.content.details?.name == "Octo" && cached.state.content.age != nil)
        // No limit was learned.
        let other = await container.profile()
        #expect(other.state.content.details?.name == "Octo" && other.state.content.age == nil)
    }

    /// wifidog/wifidog-gateway#271, foxykeep/DataDroid#26
    @Test(
        arguments: [
            (200, "text/html"), (200, "application/xhtml+xml"), (200, "text/plain"), (200, "application/json"),
            (200, nil), (411, "text/html"), (511, "text/html"),
        ] as [(Int, String?)],
        ["en_US", "ko_KR"]
    )
    func `a portal's page is no star, no profile, and no list`(page: (status: Int, type: String?), locale: String)
        async throws
    {
        let headers: HTTPHeaders = page.type.map { ["Content-Type": $0] } ?? [:]
        let portal = ScriptedServer.Response.body(Data("<html>".utf8), status: page.status, headers: headers).ofProxy()
        server.on(.get, "/users/octocat", times: .any, response: portal)
        let stars = server.on(.put, "/user/starred/octocat/hello", times: .any, response: portal)
        let container = container(locale: locale)
        let list = await container.ownRepos(on: server)
        _ = await list.toggleStar(try #require(list.state.content.rows.first?.id))
        #expect(stars.requests.count == 1 && stars.requests.first?.body == nil)
        #expect(list.state.content.rows.first?.isStarred == false && isAboutProxy(list.state.notice, locale))
        let message = await container.profile().state.content.status.message
        #expect(message?.error?.request?.status == page.status && message?.action == .retry)
        #expect(isAboutProxy(message, locale) && container.gitHubSession().current.user != nil)
        guard page.status == 200 else { return }
        // Nor does it replace a list.
        let text = page.type == "application/json" ? #"{"status":"sign in"}"# : "<html>Sign in</html>"
        let signIn = ScriptedServer.Response.body(Data(text.utf8), headers: headers).ofProxy()
        let row = #"{"id":1,"login":"mona","type":"User"}"#
        let rows = ScriptedServer.Response.rows([row], headers: .gitHub(["ETag": "\"a\""]))
        server.on(.get, "/users/octocat/followers", responses: [rows, signIn, signIn, .offline])
        let reader = Container.reports(server, locale: locale, clock: ImmediateClock())
        let first = await reader.followers()
        await first.refresh()
        // Another screen shows what is stored, and then asks.
        let second = await reader.followers()
        for list in [first, second] {
            let message = try #require(list.state.content.status.message)
            #expect(list.state.content.status == .failedRefresh(message))
            #expect(list.state.content.rows.map(\.login) == [.mona] && message.action == .retry)
            #expect(isAboutProxy(message, locale) && message.error?.request?.status == 200)
        }
        // The portal erased nothing.
        let offline = await reader.followers()
        #expect(offline.state.content.rows.map(\.login) == [.mona] && offline.state.content.age != nil)
    }

    @Test(arguments: ["html", "json"], ["en_US", "ko_KR"])
    func `an Enterprise Server without an identifier asks to sign in, and a wrong token is named as wrong`(
        kind: String,
        locale: String
    ) async throws {
        let body = #"{"message":"Bad credentials","documentation_url":"https://docs.github.com/enterprise-server"}"#
        let page = ScriptedServer.Response.html(401, ["WWW-Authenticate": #"Basic realm="GitHub""#])
        let refusal = kind == "html" ? page : .json(body, status: 401)
        let user = ScriptedServer.Response.computed { request in
            request.headers["Authorization"]?.contains("good") == true ? .octocat : refusal
        }
        server.onSession(as: user, at: "/api/v3")
        server.on(.get, "/api/v3/users/octocat", times: .any, response: refusal)
        for isSignedIn in [false, true] {
            let container = container("https://ghe.example.com", locale: locale, hasToken: false)
            if isSignedIn { try await container.signIn("ghp_good_1234567890") }
            let message = try #require(await container.paste("ghp_typo_1234567890").state.message)
            #expect(message.action == .changeInput && !isAboutProxy(message, locale))
            let text = locale == "ko_KR" ? "이 토큰을 승인하지 않습니다" : "doesn’t accept this token"
            #expect(message.text.contains(text), "\(isSignedIn): \(message.text)")
            #expect((container.gitHubSession().current.user != nil) == isSignedIn)
            #expect(await container.profile().state.content.status.message?.action == .signIn)
            // Only a proven refusal ends the session, in a task of its own.
            if isSignedIn, kind == "json" {
                for await session in container.gitHubSession().sessions where session.user == nil { break }
            }
            #expect((container.gitHubSession().current.user != nil) == (isSignedIn && kind == "html"))
        }
    }

    @Test func `a portal's 204 at its own address is no star`() async throws {
        let page = "https://portal.example/login"
        server.on(.put, "/user/starred/octocat/hello", response: .redirect(to: page, status: 307))
        let portal = server.on(.put, page, response: .status(204))
        let list = await container().ownRepos(on: server)
        _ = await list.toggleStar(try #require(list.state.content.rows.first?.id))
        #expect(portal.requests.count == 1 && list.state.content.rows.first?.isStarred == false)
        guard case .unreachable(.intercepted, _)? = list.state.notice?.error else { throw CancellationError() }
    }

    @Test(arguments: [true, false])
    func `a portal that names its own page, or has JSON, isn't a service's new address`(isServer: Bool) async {
        let (page, help) = ("https://portal.example/login", "https://portal.example/help")
        let path = isServer ? "https://ghe.example/api/v3/users/octocat" : "https://rickandmortyapi.com/api/character"
        let json = isServer ? #"{"message":"Sign in","documentation_url":"\#(help)"}"# : #"{"error":"sign in"}"#
        server.on(.get, path, response: .redirect(to: page))
        server.on(.get, page, response: ScriptedServer.Response.json(json, status: 403).ofProxy())
        let all = isServer ? container("https://ghe.example", hasToken: false) : Container.reports(server)
        let message =
            await isServer
            ? all.profile().state.content.status.message : all.characters().state.content.status.message
        #expect(message?.action == .retry && message?.text.contains(isServer ? "has changed" : "moved") == false)
        #expect(isServer ? message?.text.contains("portal.example") == true : message?.kind == .offline)
    }

    @Test(arguments: ["en_US", "ko_KR"])
    func `an Enterprise Server that has moved names its new address`(locale: String) async throws {
        let user = "https://new.example/api/v3/user"
        server.on(.get, "https://old.example/api/v3/user", response: .redirect(to: user))
        server.on(.get, user, response: .json(#"{"message":"Must authenticate"}"#, status: 401, headers: .gitHub))
        let signIn = await container("https://old.example", locale: locale, hasToken: false).paste()
        let message = try #require(signIn.state.message)
        #expect(signIn.state == .failed(message))
        #expect(message.text.contains("new.example") && message.action == nil)
        #expect(!server.requests.contains { $0.url.host() == "new.example" && $0.headers["Authorization"] != nil })
    }

    @Test(arguments: [400, 412, 431]) func `an expired image is loaded again without its validator`(status: Int) async {
        let image = ScriptedServer.Response.body(DrawnImage.png(for: "a"), headers: ["ETag": "\"a\""])
        server.compute(.get, "https://images.example/a.png") { request in
            request.headers["If-None-Match"] == nil ? image : .status(status)
        }
        let clock = TestClock()
        let repository = Container.reports(server, clock: clock, isCaching: false).imageRepository()
        let request = ImageRequest(WebAddress("https://images.example/a.png"))
        #expect((try? await repository.image(for: request)) != nil)
        await clock.advance(by: .seconds(400 * 86_400))
        #expect((try? await repository.image(for: request)) != nil)
    }
}
