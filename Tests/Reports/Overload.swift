import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profile = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#
private let start = Date(timeIntervalSince1970: 1_800_000_000)

/// Services that can't answer at present, and limits without a time.
@MainActor
@Suite(.bounded)
struct `Reports about overload` {
    private let server: ScriptedServer
    private let clock = TestClock()

    init() { server = ScriptedServer(clock: clock) }

    private func container(_ change: (inout Configuration) -> Void = { _ in }) -> Container {
        .reports(server) {
            ($0.clock, $0.now, $0.retries) = (clock, clock.now(from: start), .standard)
            change(&$0)
        }
    }

    /// JustinBeckwith/linkinator#681
    @Test func `a 429 of GitHub's edge is a limit`() async {
        let headers: HTTPHeaders = ["Content-Type": "text/html", "Server": "Varnish", "X-GitHub-Request-Id": ""]
        let edge = ScriptedServer.Response.body(Data("<html>".utf8), status: 429, headers: headers)
        server.on(.get, "/users/octocat", response: edge)
        let model = container().userProfileViewModel()
        await model.show(octocat)
        #expect(model.state.content.status.message?.kind == .rateLimited(until: start + 60))
    }

    /// facundoolano/app-store-scraper#194, kellnerd/harmony#57, Vinelab/iTunes#5
    @Test(arguments: ["bare", "empty", "blank"]) func `an empty 403 of the App Store is a limit, and isn't remembered`(
        kind: String
    ) async {
        let refusal: ScriptedServer.Response =
            switch kind {
            case "bare": .status(403, headers: ["Cache-Control": "no-store", "Content-Length": "0"])
            case "empty": .json(#"{"resultCount":0,"results":[]}"#, status: 403)
            default: .body(Data("\n\n".utf8), status: 403, headers: ["Content-Type": "text/javascript; charset=utf-8"])
            }
        let requests = server.on(.any, responses: [refusal, .apps(#""price":0"#), refusal])
        let container = container()
        let search = container.appSearchViewModel()
        search.query.text = "tea"
        await search.submit()
        #expect(search.state.content.status.message?.kind == .rateLimited(until: start + 60))
        await search.retry()
        #expect(requests.requests.count == 1)
        await clock.advance(by: .seconds(60))
        await search.retry()
        #expect(search.state.content.rows.count == 1)
        // A stored copy stays.
        let stored = container.appSearchViewModel()
        stored.query.text = "tea"
        await stored.submit()
        #expect(stored.state.content.rows.count == 1 && requests.requests.count == 3)
        #expect(stored.state.content.status.message?.kind == .rateLimited(until: start + 120))
    }

    /// sirbrillig/gitnews-menubar#2, google/go-github#1037
    @Test(arguments: ["html 200", "html 502", "json 502"])
    func `a failure of GitHub keeps the rows, and isn't a parser's text`(
        kind: String
    ) async throws {
        let body = kind.hasPrefix("json") ? #"{"message":"Server Error"}"# : "<html>Unicorn!</html>"
        var headers = HTTPHeaders.gitHub
        headers["Content-Type"] = kind.hasPrefix("json") ? "application/json" : "text/html"
        let failure = ScriptedServer.Response.body(Data(body.utf8), status: Int(kind.suffix(3)) ?? 0, headers: headers)
        let link: HTTPHeaders = ["Link": #"<https://api.github.com/users/octocat/repos?page=2>; rel="next""#]
        let pages = server.on(
            .get,
            "/users/octocat/repos",
            times: .any,
            response: .computed { request in
                let isFirst = request.url.query()?.contains("page=2") == false
                return isFirst ? .json(#"[{"id":7,"name":"a","full_name":"octocat/a"}]"#, headers: link) : failure
            }
        )
        let list = container().repoListViewModel()
        await list.show(.publicRepos(of: octocat))
        await clock.run { await list.loadMore() }
        guard case .failedMore(let message) = list.state.content.status else { throw CancellationError() }
        #expect(list.state.content.rows.count == 1 && message.kind == .serverFailure && message.action == .retry)
        #expect(!message.text.lowercased().contains("token") && pages.requests.count == (kind.hasSuffix("200") ? 2 : 4))
        #expect(clock.now.offset < .seconds(30))
    }

    /// proliferate-ai/proliferate#1305, curl/curl#7676
    @Test(arguments: [30, 300]) func `a 503 with a time fails at once if that is behind the deadline`(seconds: Int)
        async
    {
        var headers = HTTPHeaders.gitHub
        headers["Retry-After"] = "\(seconds)"
        server.on(.get, "/user", times: .any, response: .json(profile))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        let down = ScriptedServer.Response.json(#"{"message":"Down"}"#, status: 503, headers: headers)
        let requests = server.on(.get, "/repos/a/b", times: .any, response: down)
        let container = container { $0.gitHub.token = try? Secret("ghp_1234567890") }
        await container.gitHubSession().start()
        let model = container.repoDetailViewModel()
        await model.show(named: "b", of: GitHub.Login("a"))
        let message = model.state.content.status.message
        #expect(message?.kind == .serverFailure && message?.action == .retryLater(start + Double(seconds)))
        #expect(requests.requests.count == 1 && container.gitHubSession().current.user != nil)
    }

    /// flyteorg/flyte-sdk#1587
    @Test func `a sign-in by code outlasts a gateway's page, and slows down`() async {
        let times = Monitor<[Duration]>([])
        let page = ScriptedServer.Response.body(
            Data("<html>".utf8),
            status: 502,
            headers: ["Content-Type": "text/html"]
        )
        let pending = ScriptedServer.Response.json(#"{"error":"authorization_pending"}"#)
        let slow = ScriptedServer.Response.json(#"{"error":"slow_down"}"#)
        let polls = [
            pending, pending, page, pending, slow, pending, pending,
            .json(#"{"access_token":"gho_good_1234567890","scope":""}"#),
        ]
        let code = #"{"device_code":"dc","user_code":"A-B","verification_uri":"https://github.com/login/device","#
        server.on(
            .post,
            "https://github.com/login/device/code",
            response: .json(code + #""expires_in":899,"interval":5}"#)
        )
        server.on(
            .post,
            "https://github.com/login/oauth/access_token",
            responses: polls.map { poll in
                .computed { [clock] _ in
                    times.withLock { $0.append(clock.now.offset) }
                    return poll
                }
            }
        )
        server.on(.get, "/user", times: .any, response: .json(profile))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        let model = container { $0.gitHub.app = .gitHub(clientID: "client") }.gitHubSignInViewModel()
        await clock.run { await model.signInByCode() }
        guard case .signedIn = model.state else { Issue.record("\(model.state)"); return }
        let gaps = zip(times.value.dropFirst(), times.value).map { $0 - $1 }
        #expect(gaps.suffix(3).allSatisfy { $0 >= .seconds(10) } && gaps.allSatisfy { $0 >= .seconds(5) }, "\(gaps)")
    }

    /// huskarl-rs/huskarl#198
    @Test func `a refresh that fails with a 503 ends no session, whatever its body says`() async throws {
        server.on(.get, "/user", times: .any, response: .json(profile))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        server.on(.get, "/users/octocat", times: .any, response: .json(profile))
        let refreshes = server.on(
            .post,
            "https://github.com/login/oauth/access_token",
            responses: [
                .json(#"{"error":"invalid_grant"}"#, status: 503),
                .json(#"{"access_token":"gho_new_1234567890","expires_in":28800,"refresh_token":"ghr_new_1234567"}"#),
            ]
        )
        var credentials = Credentials(token: try Secret("gho_old_1234567890"))
        (credentials.issuedAt, credentials.expiresAt) = (start, start + 3600)
        credentials.refreshToken = try Secret("ghr_old_1234567890")
        let container = container { $0.gitHub.app = .gitHub(clientID: "client") }
        try await container.gitHubSession().signIn(with: credentials)
        await clock.advance(by: .seconds(7200))
        let model = container.userProfileViewModel()
        await clock.run { await model.show(octocat) }
        #expect(model.state.content.status.message?.action != .signIn && container.gitHubSession().current.user != nil)
        await clock.advance(by: .seconds(31))
        await clock.run { await model.retry() }
        #expect(model.state.content.details != nil && refreshes.requests.count == 2)
    }

    /// afuh/rick-and-morty-api#28
    @Test(arguments: [true, false]) func `a limit of Rick and Morty keeps pages, and its images load when asked again`(
        isJSON: Bool
    ) async {
        let limited: ScriptedServer.Response = isJSON ? .json(#"{"error":"Too many"}"#, status: 429) : .status(429)
        let body = #"{"info":{"count":1,"next":null},"results":[{"id":1,"name":"Rick"}]}"#
        server.on(.get, "/api/character", responses: [.json(body), limited])
        let list = container().characterListViewModel()
        await list.show()
        await list.refresh()
        #expect(list.state.content.rows.count == 1)
        #expect(list.state.content.status.message?.kind == .rateLimited(until: start + 60))
        let image = ScriptedServer.Response.body(DrawnImage.png(for: "a"))
        server.on(.get, "https://images.example/a.png", responses: [.status(429), image])
        let model = container().remoteImageViewModel()
        let request = ImageRequest(WebAddress("https://images.example/a.png"))
        await model.show(request)
        guard case .failed = model.state else { Issue.record("\(model.state)"); return }
        await clock.advance(by: .seconds(60))
        await model.showIfNeeded(request)
        guard case .loaded = model.state else { Issue.record("\(model.state)"); return }
    }

    /// soda480/github3api#20
    @Test func `a star without a permission is undone, and closes no bucket`() async throws {
        server.on(.get, "/user", times: .any, response: .json(profile))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        server.on(
            .get,
            "/users/octocat/repos",
            times: .any,
            response: .json(#"[{"id":7,"name":"a","full_name":"octocat/a"}]"#)
        )
        var headers = HTTPHeaders.gitHub
        headers["X-RateLimit-Remaining"] = "4987"
        let body = #"{"message":"Resource not accessible by personal access token"}"#
        let stars = server.on(.put, "/user/starred/octocat/a", response: .json(body, status: 403, headers: headers))
        let container = container { $0.gitHub.token = try? Secret("ghp_1234567890") }
        await container.gitHubSession().start()
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: octocat))
        let id = try #require(list.state.content.rows.first?.id)
        await clock.run { _ = await list.toggleStar(id) }
        #expect(list.state.content.rows.first?.isStarred == false && stars.requests.count == 1)
        #expect(list.state.notice?.text.contains("not accessible") == true && list.state.notice?.kind == .forbidden)
        await list.refresh()
        #expect(list.state.content.status == .ready)
    }
}
