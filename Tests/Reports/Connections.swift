@_spi(Services) import BrowseDomain
import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let rows = #"[{"id":1,"login":"a","type":"User"}]"#

/// Lost, cut, and insecure connections, services that can't answer, and limits without a time.
@MainActor
@Suite(.bounded)
struct `Reports about connections` {
    private let server = ScriptedServer()
    private let clock = TestClock()
    private let lost = ScriptedServer.Response.failure(.networkConnectionLost)

    private func container(
        at address: String? = nil,
        retries: RetryPolicy = .standard,
        clock: any Clock<Duration> = ImmediateClock(),
        hasToken: Bool = false,
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> Container {
        .reports(server, at: address, clock: clock, retries: retries, hasToken: hasToken, change)
    }

    // AFNetworking/AFNetworking#2314, AFNetworking/AFNetworking#4279, apollographql/apollo-ios#1841,
    // AFNetworking/AFNetworking#3165, Alamofire/Alamofire#3625: a system ends requests that nobody has canceled.
    @Test(arguments: [URLError.Code.networkConnectionLost, .cancelled])
    func `a list or a star that was lost on an idle connection is sent again, and shown once`(
        code: URLError.Code
    ) async throws {
        let lost = ScriptedServer.Response.failure(code)
        server.on(.get, "/users/octocat/repos", times: 1, response: lost)
        let list = await container(hasToken: true).ownRepos(on: server)
        #expect(list.state.content.status == .ready && list.state.content.rows.count == 1)
        let stars = server.on(.put, "/user/starred/octocat/hello", responses: [lost, .status(204)])
        _ = await list.toggleStar(try #require(list.state.content.rows.first?.id))
        #expect(stars.requests.count == 2 && list.state.notice == nil)
        #expect(list.state.content.rows.first?.isStarred == true && list.state.content.rows.first?.starCount == 6)
    }

    /// AFNetworking/AFNetworking#2314, kolmafia/kolmafia#725
    @Test func `the code of a sign-in that was lost isn't sent again`() async throws {
        let codes = server.onTokens(lost)
        let app = OAuthApp.gitHub(clientID: "client", redirect: URL(string: "myapp://callback"))
        let model = container { $0.gitHub.app = app }.gitHubSignInViewModel()
        try await model.callBack(model.begin().state)
        #expect(codes.requests.count == 1 && model.state.message?.action == .retry)
        #expect(model.state.message?.text == "The connection was lost. Try again.")
    }

    /// smithy-lang/smithy-swift#854, seanmonstar/reqwest#2081
    @Test func `a page that was lost in its body, or an avatar, is loaded again, without a message`() async {
        let answers = [.json(rows).truncated(after: 9), ScriptedServer.Response.json(rows)]
        let pages = server.on(.get, "/users/octocat/followers", responses: answers)
        let list = await container().followers()
        #expect(pages.requests.count == 2 && list.state.content.rows.count == 1)
        #expect(list.state.content.status == .ready && list.state.notice == nil)
        server.on(.get, "https://images.example/a.png", responses: [lost, .body(DrawnImage.png(for: "a"))])
        #expect(await container().image().image != nil)
    }

    /// martian56/raven#615, xroche/httrack#851
    @Test func `a body that ends early replaces nothing`() async {
        let page = ScriptedServer.Response.json(rows, headers: ["ETag": "\"a\""])
        let cut = ScriptedServer.Response.json("[{\"id\":2,\"login\":\"b\"}] ", headers: ["ETag": "\"b\""])
        let pages = server.on(.get, "/users/octocat/followers", responses: [page, cut.truncated(after: 22), page])
        let list = await container(retries: .never).followers()
        await list.refresh()
        #expect(list.state.content.rows.map(\.login.rawValue) == ["a"])
        await list.refresh()
        #expect(pages.requests.last?.headers["If-None-Match"] == "\"a\"" && list.state.content.status == .ready)
        let image = ScriptedServer.Response.body(DrawnImage.png(for: "a"))
        server.on(.get, "https://images.example/a.png", times: .any, response: image.truncated(after: 30))
        #expect(await container(retries: .never).image().message != nil)
    }

    /// lysine-dev/okhttp#3146
    @Test func `a connection on which a request timed out isn't used again`() async throws {
        let server = try LoopbackServer { request in
            request.connection > 0 || request.target == "/users/first"
                ? .json(#"{"id":1,"login":"octocat","name":"Octo"}"#) : LoopbackResponse(steps: [.hold])
        }
        let transport = HTTPClient.makeTransport(clock: clock)
        let container = try Container.reports(server, transport: transport) { $0.clock = clock }
        _ = await container.profile(of: "first")
        let model = container.userProfileViewModel()
        async let second: Void = model.show(.octocat)
        await server.waitForRequests(2)
        await clock.advance(by: .seconds(30))
        await second
        #expect(model.state.content.status.message?.kind == .timedOut)
        await model.retry()
        #expect(model.state.content.details?.name == "Octo" && server.requests.map(\.connection) == [0, 0, 1])
    }

    /// The message of signing in at an Enterprise Server.
    private func refusal() async throws -> Message {
        try #require(await container(at: "https://ghe.example").paste().state.message)
    }

    /// mozilla-mobile/fenix#14604, Automattic/wp-desktop#326, desktop/desktop#2076
    @Test(arguments: [URLError.Code.serverCertificateNotYetValid, .serverCertificateUntrusted, .secureConnectionFailed])
    func `a certificate that isn't accepted is named with its host, and once`(code: URLError.Code) async throws {
        server.on(.get, "/api/v3/user", times: .any, response: .failure(code))
        let text = try await refusal().text
        #expect(text.contains("ghe.example") && text.contains("date and time") && !text.contains("oken"))
        #expect(server.requests.count == 1)
    }

    /// zulip/zulip-android-legacy#258
    @Test func `a host that isn't found is named, unlike no network, and another website`() async throws {
        let answers = [.failure(.cannotFindHost), .offline, ScriptedServer.Response.html(404).ofProxy()]
        server.on(.get, "/api/v3/user", responses: answers)
        var texts: [String] = []
        for _ in answers { texts.append(try await refusal().text) }
        #expect(texts[0].contains("ghe.example") && Set(texts).count == 3)
        #expect(texts[1] == "Check your internet connection and try again.")
    }

    /// AudioBooth/AudioBooth#245
    @Test(arguments: [("192.168.1.20", true), ("ghe.local", true), ("172.32.0.1", false), ("ghe.example", false)])
    func `a server in the local network mentions the permission for it`(host: String, isLocal: Bool) async throws {
        server.on(.any.host(host), times: .any, response: .offline)
        let status = await container(at: "https://\(host)").profile().state.content.status
        let message = try #require(status.message)
        #expect(message.text.contains("local network") == isLocal && message.kind == .offline)
    }

    /// urnetwork/android#178
    @Test func `rows of yesterday are shown while a request hangs, and after it has timed out`() async throws {
        let container = container { $0.clock = clock }
        server.on(.get, "/users/octocat/followers", responses: [.json(rows), .json("[]").held()])
        _ = await container.followers()
        let list = container.followerListViewModel()
        async let show: Void = list.show(.followers(of: .octocat))
        try await waitUntil { list.state.content.rows.count == 1 && list.state.content.age != nil }
        await server.waitForRequests(2)
        await clock.advance(by: .seconds(31))
        await show
        #expect(list.state.content.rows.count == 1 && list.state.content.age != nil)
        if case .failed(let message) = list.state.content.status { Issue.record("\(message)") }
    }

    /// The kind of a limit that ends after a number of seconds.
    private func limit(_ seconds: TimeInterval) -> Message.Kind { .rateLimited(until: .reports + seconds) }

    /// JustinBeckwith/linkinator#681
    @Test func `a 429 of GitHub's edge is a limit`() async {
        let edge = ScriptedServer.Response.html(429, ["Server": "Varnish", "X-GitHub-Request-Id": ""])
        server.on(.get, "/users/octocat", response: edge)
        #expect(await container(clock: clock).profile().state.content.status.message?.kind == limit(60))
    }

    /// facundoolano/app-store-scraper#194, kellnerd/harmony#57, Vinelab/iTunes#5
    @Test(arguments: ["bare", "empty", "blank"])
    func `an empty 403 of the App Store is a limit, and isn't remembered`(kind: String) async {
        let refusal: ScriptedServer.Response =
            switch kind {
            case "bare": .status(403, headers: ["Cache-Control": "no-store", "Content-Length": "0"])
            case "empty": .json(#"{"resultCount":0,"results":[]}"#, status: 403)
            default: .html(403, ["Content-Type": "text/javascript; charset=utf-8"], text: "\n\n")
            }
        server.on(.any, responses: [refusal, .apps(#""price":0"#), refusal])
        let container = container(clock: clock)
        let search = await container.apps(for: "tea")
        #expect(search.state.content.status.message?.kind == limit(60))
        await search.retry()
        #expect(server.requests.count == 1)
        await clock.advance(by: .seconds(60))
        await search.retry()
        #expect(search.state.content.rows.count == 1)
        // A stored copy stays.
        let stored = await container.apps(for: "tea")
        #expect(stored.state.content.rows.count == 1 && server.requests.count == 3)
        #expect(stored.state.content.status.message?.kind == limit(120))
    }

    /// sirbrillig/gitnews-menubar#2, google/go-github#1037
    @Test(arguments: ["html 200", "html 502", "json 502"])
    func `a failure of GitHub keeps the rows, and isn't a parser's text`(kind: String) async throws {
        let status = Int(kind.suffix(3)) ?? 0
        let failure: ScriptedServer.Response =
            kind.hasPrefix("json")
            ? .json(#"{"message":"Server Error"}"#, status: status, headers: .gitHub)
            : .html(status, .gitHub, text: "<html>Unicorn!</html>")
        let link: HTTPHeaders = ["Link": #"<https://api.github.com/users/octocat/repos?page=2>; rel="next""#]
        let pages = server.compute(.get, "/users/octocat/repos") { request in
            let isFirst = request.url.query()?.contains("page=2") == false
            return isFirst ? .json(#"[{"id":7,"name":"a","full_name":"octocat/a"}]"#, headers: link) : failure
        }
        let list = await container(clock: clock).repos()
        await clock.run { await list.loadMore() }
        guard case .failedMore(let message) = list.state.content.status else { throw CancellationError() }
        #expect(list.state.content.rows.count == 1 && message.kind == .serverFailure && message.action == .retry)
        #expect(!message.text.lowercased().contains("token") && pages.requests.count == (status == 200 ? 2 : 4))
        #expect(clock.now.offset < .seconds(30))
    }

    /// afuh/rick-and-morty-api#28
    @Test(arguments: [true, false])
    func `a limit of Rick and Morty keeps pages, and its images load when asked again`(isJSON: Bool) async {
        let limited: ScriptedServer.Response = isJSON ? .json(#"{"error":"Too many"}"#, status: 429) : .status(429)
        let body = #"{"info":{"count":1,"next":null},"results":[{"id":1,"name":"Rick"}]}"#
        server.on(.get, "/api/character", responses: [.json(body), limited])
        let list = await container(clock: clock).characters()
        await list.refresh()
        #expect(list.state.content.rows.count == 1 && list.state.content.status.message?.kind == limit(60))
        // Another server's Retry-After is obeyed with a 503, too.
        let busy: ScriptedServer.Response = isJSON ? .status(429) : .status(503, headers: ["Retry-After": "120"])
        let address = "https://images.example/a.png"
        let images = server.on(.get, address, responses: [busy, .body(DrawnImage.png(for: "a"))])
        let model = await container(retries: .never, clock: clock).image()
        let request = ImageRequest(WebAddress(address))
        await model.showIfNeeded(request)
        #expect(model.message != nil && images.requests.count == 1)
        await clock.advance(by: .seconds(isJSON ? 60 : 120))
        await model.showIfNeeded(request)
        #expect(model.image != nil)
    }

    /// express-rate-limit/express-rate-limit#491, dropbox/SwiftyDropbox#267
    @Test(arguments: ["text/html; charset=utf-8", "text/plain"])
    func `a limit in a sentence is one until the time that it names`(type: String) async {
        let headers: HTTPHeaders = ["Content-Type": type, "Retry-After": "120"]
        let limited = ScriptedServer.Response.html(429, headers, text: "Too many requests, please try again later.")
        let pages = server.on(.get, "/api/character", response: limited)
        let list = await container(retries: .never, clock: clock).characters()
        #expect(list.state.content.status.message?.kind == limit(120))
        await list.refresh()
        #expect(list.state.content.status.message?.kind == limit(120) && pages.requests.count == 1)
    }

    // AFNetworking/AFNetworking#4279, mitmproxy/mitmproxy#3253, Alamofire/Alamofire#3273,
    // HaishinKit/HaishinKit.swift#260, supabase/supabase-swift#907
    @Test(arguments: [
        (NSPOSIXErrorDomain, [53, 54, 57, 32], BrowseError.Unreachable.connectionLost),
        (NSURLErrorDomain, [-1005, -1017], .connectionLost), (NSURLErrorDomain, [-1009, -1018, -1019], .offline),
        ("kCFErrorDomainCFNetwork", [306], .connectionRefused),
        ("kCFErrorDomainCFNetwork", [307, 310, 311], .intercepted),
    ])
    func `an error of a socket, or of Apple's proxy, is named`(
        domain: String,
        codes: [Int],
        reason: BrowseError.Unreachable
    ) {
        let info = BrowseError.RequestInfo(endpoint: "GET /a")
        for code in codes {
            let error = NSError(domain: domain, code: code)
            #expect(BrowseError(transferError: error, hadResponse: false, request: info) == .unreachable(reason, info))
        }
    }

    /// firebase/flutterfire#2272, BuglyDevTeam/Bugly-iOS#106
    @Test(arguments: [(-9816, true), (-9806, true), (-9836, false), (nil, false)] as [(Int?, Bool)])
    func `a connection that ends within its handshake is lost, not insecure`(number: Int?, isLost: Bool) {
        let info = BrowseError.RequestInfo(endpoint: "GET /a")
        let fields: [String: Any] = number.map { ["_kCFStreamErrorCodeKey": $0] } ?? [:]
        let code = URLError.Code.secureConnectionFailed.rawValue
        let error = NSError(domain: NSURLErrorDomain, code: code, userInfo: fields)
        let failure = BrowseError(transferError: error, hadResponse: false, request: info)
        #expect((failure == .unreachable(.connectionLost, info)) == isLost)
    }

    /// launchdarkly/js-client-sdk#205, spring-projects/spring-framework#27887, moltin/issues#30
    @Test(
        arguments: [
            "application/json, application/json; charset=utf-8",
            // Without the semicolon.
            "application/json charset=UTF-8",
        ]
    )
    func `a type that a gateway has repeated is JSON`(type: String) async {
        let headers: HTTPHeaders = ["Content-Type": type]
        server.on(.get, "/users/octocat/followers", response: .body(Data(rows.utf8), headers: headers))
        #expect(await container().followers().state.content.rows.count == 1)
    }
}
