@_spi(Services) import BrowseDomain
import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profile = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#
private let rows = #"[{"id":1,"login":"a","type":"User"}]"#
private let tokenPath = "https://github.com/login/oauth/access_token"

/// What a lost, cut, or insecure connection leads to.
@MainActor
@Suite(.bounded)
struct `Reports about connections` {
    private let server = ScriptedServer()
    private let lost = ScriptedServer.Response.failure(.networkConnectionLost)

    private func container(retries: RetryPolicy = .standard, _ change: (inout Configuration) -> Void = { _ in })
        -> Container
    {
        .reports(server) {
            ($0.clock, $0.retries) = (ImmediateClock(), retries)
            change(&$0)
        }
    }

    /// The list of a signed-in person, with one repository.
    private func repos(_ container: Container) async -> RepoListViewModel {
        server.on(.get, "/user", times: .any, response: .json(profile))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        let row = #"[{"id":7,"name":"hello","full_name":"octocat/hello","stargazers_count":5}]"#
        server.on(.get, "/users/octocat/repos", times: .any, response: .json(row))
        await container.gitHubSession().start()
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: octocat))
        return list
    }

    /// AFNetworking/AFNetworking#2314, AFNetworking/AFNetworking#4279
    @Test func `a star that was lost on an idle connection is sent again, and shown once`() async throws {
        let list = await repos(container { $0.gitHub.token = try? Secret("ghp_1234567890") })
        let stars = server.on(.put, "/user/starred/octocat/hello", responses: [lost, .status(204)])
        _ = await list.toggleStar(try #require(list.state.content.rows.first?.id))
        #expect(stars.requests.count == 2 && list.state.notice == nil)
        #expect(list.state.content.rows.first?.isStarred == true && list.state.content.rows.first?.starCount == 6)
    }

    /// AFNetworking/AFNetworking#2314, kolmafia/kolmafia#725
    @Test func `the code of a sign-in that was lost isn't sent again`() async throws {
        let codes = server.on(.post, tokenPath, times: .any, response: lost)
        let model = container {
            $0.gitHub.app = .gitHub(clientID: "client", redirect: URL(string: "myapp://callback"))
        }
        .gitHubSignInViewModel()
        _ = model.signInByBrowser()
        guard case .waitingForBrowser(let page) = model.state else { throw CancellationError() }
        let state = URLComponents(string: page.rawValue)?.queryItems?.first { $0.name == "state" }?.value ?? ""
        await model.finishSignIn(with: try #require(URL(string: "myapp://callback?code=abc123456789&state=\(state)")))
        #expect(codes.requests.count == 1 && model.state.message?.action == .retry)
        #expect(model.state.message?.text == "The connection was lost. Try again.")
    }

    /// smithy-lang/smithy-swift#854
    @Test func `a page that was lost in its body is loaded again, without a message`() async {
        let pages = server.on(
            .get,
            "/users/octocat/followers",
            responses: [.json(rows).truncated(after: 9), .json(rows)]
        )
        let list = container().followerListViewModel()
        await list.show(.followers(of: octocat))
        #expect(pages.requests.count == 2 && list.state.content.rows.count == 1)
        #expect(list.state.content.status == .ready && list.state.notice == nil)
    }

    /// seanmonstar/reqwest#2081
    @Test func `an avatar whose connection was lost is loaded again`() async {
        let image = ScriptedServer.Response.body(DrawnImage.png(for: "a"))
        server.on(.get, "https://images.example/a.png", responses: [lost, image])
        let model = container().remoteImageViewModel()
        await model.show(ImageRequest(WebAddress("https://images.example/a.png")))
        guard case .loaded = model.state else { Issue.record("\(model.state)"); return }
    }

    /// martian56/raven#615, xroche/httrack#851
    @Test func `a body that ends early replaces nothing`() async {
        let page = ScriptedServer.Response.json(rows, headers: ["ETag": "\"a\""])
        let cut = ScriptedServer.Response.json("[{\"id\":2,\"login\":\"b\"}] ", headers: ["ETag": "\"b\""])
        let pages = server.on(.get, "/users/octocat/followers", responses: [page, cut.truncated(after: 22), page])
        let list = container(retries: .never).followerListViewModel()
        await list.show(.followers(of: octocat))
        await list.refresh()
        #expect(list.state.content.rows.map(\.login.rawValue) == ["a"])
        await list.refresh()
        #expect(pages.requests.last?.headers["If-None-Match"] == "\"a\"" && list.state.content.status == .ready)
        let image = ScriptedServer.Response.body(DrawnImage.png(for: "a"))
        server.on(.get, "https://images.example/a.png", times: .any, response: image.truncated(after: 30))
        let model = container(retries: .never).remoteImageViewModel()
        await model.show(ImageRequest(WebAddress("https://images.example/a.png")))
        guard case .failed = model.state else { Issue.record("\(model.state)"); return }
    }

    /// AFNetworking/AFNetworking#4279
    @Test(arguments: [53, 54, 57, 32]) func `an error of the socket is a lost connection`(code: Int) {
        let info = BrowseError.RequestInfo(endpoint: "GET /a")
        let error = NSError(domain: NSPOSIXErrorDomain, code: code)
        #expect(
            BrowseError(transferError: error, hadResponse: false, request: info) == .unreachable(.connectionLost, info)
        )
    }

    /// lysine-dev/okhttp#3146
    @Test func `a connection on which a request timed out isn't used again`() async throws {
        let server = try LoopbackServer { request in
            request.connection > 0 || request.target == "/users/first"
                ? .json(profile) : LoopbackResponse(steps: [.hold])
        }
        let clock = TestClock()
        var configuration = Configuration().with { $0.clock = clock }
        configuration.retries = .never
        configuration.gitHub.url = try #require(URL(string: server.origin))
        let transport = HTTPClient.makeTransport(clock: clock)
        let container = Container.production(on: transport, configuration: configuration)
        await container.userProfileViewModel().show(GitHub.Login("first"))
        let model = container.userProfileViewModel()
        async let second: Void = model.show(octocat)
        await server.waitForRequests(2)
        await clock.advance(by: .seconds(30))
        await second
        #expect(model.state.content.status.message?.kind == .timedOut)
        await model.retry()
        #expect(model.state.content.details?.name == "Octo" && server.requests.map(\.connection) == [0, 0, 1])
    }

    /// mdn/content#4343
    @Test(arguments: [#""abc-gzip""#, #"W/"abc""#, #""abc""#])
    func `an ETag goes back as it came, and an equal page changes nothing`(tag: String) async {
        let page = ScriptedServer.Response.json(rows, headers: ["ETag": tag])
        let pages = server.on(.get, "/users/octocat/followers", responses: [page, page])
        let list = container().followerListViewModel()
        await list.show(.followers(of: octocat))
        await list.refresh()
        #expect(pages.requests.last?.headers["If-None-Match"] == tag)
        #expect(list.state.content.rows.count == 1 && list.state.content.status == .ready)
        #expect(list.state.content.provenance == .fresh)
    }

    private func enterprise(_ change: (inout Configuration) -> Void = { _ in }) -> Container {
        container {
            if let url = URL(string: "https://ghe.example") { $0.gitHub = GitHubSettings(server: url) }
            change(&$0)
        }
    }

    /// mozilla-mobile/fenix#14604, Automattic/wp-desktop#326, desktop/desktop#2076
    @Test(arguments: [URLError.Code.serverCertificateNotYetValid, .serverCertificateUntrusted, .secureConnectionFailed])
    func `a certificate that isn't accepted is named with its host, and once`(code: URLError.Code) async throws {
        server.on(.get, "/api/v3/user", times: .any, response: .failure(code))
        let container = enterprise()
        let signIn = container.gitHubSignInViewModel()
        await signIn.signIn(withToken: "ghp_1234567890")
        let message = try #require(signIn.state.message)
        #expect(message.text.contains("ghe.example") && message.text.contains("date and time"))
        #expect(!message.text.contains("oken") && server.requests.count == 1)
    }

    /// zulip/zulip-android-legacy#258
    @Test func `a host that isn't found is named, and differs from having no network and from another website`()
        async throws
    {
        let page = ScriptedServer.Response.body(
            Data("<html>".utf8),
            status: 404,
            headers: ["Content-Type": "text/html"]
        )
        let answer = Monitor(page.ofProxy())
        server.on(.get, "/api/v3/user", times: .any, response: .computed { _ in answer.value })
        var texts: [String] = []
        for failure in [.failure(.cannotFindHost), .failure(.notConnectedToInternet), page.ofProxy()] {
            answer.withLock { $0 = failure }
            let signIn = enterprise().gitHubSignInViewModel()
            await signIn.signIn(withToken: "ghp_1234567890")
            texts.append(try #require(signIn.state.message).text)
        }
        #expect(texts[0].contains("ghe.example") && Set(texts).count == 3)
        #expect(texts[1] == "Check your internet connection and try again.")
    }

    /// AudioBooth/AudioBooth#245
    @Test(arguments: [("192.168.1.20", true), ("ghe.local", true), ("172.32.0.1", false), ("ghe.example", false)])
    func `a server in the local network mentions the permission for it`(host: String, isLocal: Bool) async throws {
        server.on(.any.host(host), times: .any, response: .failure(.notConnectedToInternet))
        let container = container {
            if let url = URL(string: "https://\(host)") { $0.gitHub = GitHubSettings(server: url) }
        }
        let model = container.userProfileViewModel()
        await model.show(octocat)
        let message = try #require(model.state.content.status.message)
        #expect(message.text.contains("local network") == isLocal && message.kind == .offline)
    }

    /// AFNetworking/AFNetworking#3982
    @Test func `each try sends a request, whatever failed before`() async {
        let offline = ScriptedServer.Response.failure(.notConnectedToInternet)
        server.on(.get, "/users/octocat", responses: [offline, offline, .json(profile)])
        let model = container().userProfileViewModel()
        await model.show(octocat)
        #expect(model.state.content.status.message?.kind == .offline)
        await model.retry()
        await model.retry()
        #expect(model.state.content.details?.name == "Octo" && server.requests.count == 3)
    }

    /// urnetwork/android#178
    @Test func `rows of yesterday are shown while a request hangs, and after it has timed out`() async throws {
        let clock = TestClock()
        let container = container { $0.clock = clock }
        server.on(.get, "/users/octocat/followers", responses: [.json(rows), .json("[]").held()])
        await container.followerListViewModel().show(.followers(of: octocat))
        let list = container.followerListViewModel()
        async let show: Void = list.show(.followers(of: octocat))
        try await waitUntil { list.state.content.rows.count == 1 && list.state.content.age != nil }
        await server.waitForRequests(2)
        await clock.advance(by: .seconds(31))
        await show
        #expect(list.state.content.rows.count == 1 && list.state.content.age != nil)
        if case .failed(let message) = list.state.content.status { Issue.record("\(message)") }
    }

    /// product-os/jellyfish#5872, fenichelar/ember-simple-auth-token#300
    @Test func `a token that expired in sleep is refreshed once when the network is back`() async throws {
        let (clock, start) = (TestClock(), Date(timeIntervalSince1970: 1_800_000_000))
        let container = container {
            ($0.clock, $0.now) = (clock, clock.now(from: start))
            $0.gitHub.app = .gitHub(clientID: "client")
        }
        server.on(.get, "/user", times: .any, response: .json(profile))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        for login in ["a", "b", "c"] { server.on(.get, "/users/\(login)", times: .any, response: .json(profile)) }
        let token = #"{"access_token":"gho_new_1234567890","expires_in":28800,"refresh_token":"ghr_new_1234567"}"#
        let refreshes = server.on(.post, tokenPath, responses: [.failure(.notConnectedToInternet), .json(token)])
        var credentials = Credentials(token: try Secret("gho_old_1234567890"))
        (credentials.issuedAt, credentials.expiresAt) = (start, start + 3600)
        credentials.refreshToken = try Secret("ghr_old_1234567890")
        let session = container.gitHubSession()
        try await session.signIn(with: credentials)
        await clock.advance(by: .seconds(8 * 3600))
        let models = ["a", "b", "c"].map { ($0, container.userProfileViewModel()) }
        await clock.run { await models[0].1.show(GitHub.Login("a")) }
        #expect(models[0].1.state.content.status.message?.kind == .offline && session.current.user != nil)
        await clock.advance(by: .seconds(31))
        let loads = models.map { name, model in Task { await model.show(GitHub.Login(name)) } }
        await clock.run { for load in loads { await load.value } }
        #expect(models.allSatisfy { $0.1.state.content.details != nil } && session.current.user != nil)
        #expect(refreshes.requests.count == 2)
    }
}
