import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

/// Sessions behind gateways, and with servers that learn tokens late.
@MainActor @Suite(.bounded)
struct `A GitHub session on a real network` {
    private let network = Network()
    private let now = Date(timeIntervalSince1970: 1_767_323_045)
    private let clock = ImmediateClock()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString)")

    private func container(
        _ credentials: Credentials?,
        configuredToken: Secret? = nil,
        clock: (any Clock<Duration>)? = nil,
        retries: RetryPolicy = .never,
        locale: String = "en_US"
    ) -> (container: Container, store: InMemoryTokenStore) {
        var configuration = Configuration().with {
            $0.storageFolder = folder
            $0.locale = Locale(identifier: locale)
        }
        configuration.clock = clock ?? self.clock
        configuration.now = { [now] in now }
        configuration.retries = retries
        configuration.gitHub.app = .gitHub(clientID: "app", clientSecret: try? Secret("secret"))
        configuration.gitHub.token = configuredToken
        let container = Container(configuration)
        container.transport.override { [network] _ in network }
        let store = InMemoryTokenStore(credentials)
        if configuredToken == nil { container.gitHubTokenStore.override { _ in store } }
        return (container, store)
    }

    private func credentials(refreshable: Bool = false) throws -> Credentials {
        let refreshToken = refreshable ? try Secret("ghr_first") : nil
        return Credentials(token: try Secret("gho_offline_octocat_first"), refreshToken: refreshToken)
    }

    /// Responses of proxies and gateways in GitHub's place.
    nonisolated private static let foreign: [ForeignResponse] = [
        ForeignResponse(fields: ["Content-Type": "text/html", "WWW-Authenticate": "Basic realm=\"VPN, office\""]),
        ForeignResponse(fields: ["Content-Type": "text/html"]),
        ForeignResponse(fields: ["Content-Type": "application/json", "WWW-Authenticate": "Negotiate, NTLM"]),
        ForeignResponse(fields: [:]),
    ]

    @Test(arguments: foreign, [false, true])
    func `doesn't end by a gateway's 401`(response: ForeignResponse, isRefreshable: Bool) async throws {
        let (container, store) = container(try credentials(refreshable: isRefreshable))
        let account = container.gitHubAccountViewModel()
        await account.show()
        let before = try #require(try await store.load())
        network.answer("GET /users/octocat/followers", .scripted(401, response.fields))
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        guard case .failed(let message) = followers.state.content.status else { Issue.record("no failure"); return }
        #expect(message.text.contains("responded instead of the server"))
        #expect(message.action == .retry)
        #expect(container.gitHubSession().current.user?.login == GitHub.Login("octocat"))
        // At most one refresh.
        if !isRefreshable { #expect(try await store.load() == before) }
        await followers.retry()
        #expect(!followers.state.content.rows.isEmpty)
        let tokens = Set(network.requests.value.compactMap { $0.headers["Authorization"] })
        #expect(tokens.count <= (isRefreshable ? 2 : 1))
    }

    @Test func `doesn't end by a gateway's 401 over a socket, and is told in Korean`() async throws {
        let isBehindGateway = Mutex(false)
        let server = try LoopbackServer { request in
            if isBehindGateway.withLock(\.self) {
                let challenge = [("Content-Type", "text/html"), ("WWW-Authenticate", "Basic realm=\"x\"")]
                return LoopbackResponse(status: 401, headers: challenge, body: "<html>")
            }
            let isList = request.target.hasPrefix("/user/starred")
            return .json(isList ? "[]" : #"{"id":1,"login":"octocat"}"#, headers: [("X-GitHub-Request-Id", "1")])
        }
        var configuration = Configuration().with {
            $0.storageFolder = folder
            $0.locale = Locale(identifier: "ko_KR")
        }
        configuration.gitHub.url = try #require(URL(string: server.origin))
        configuration.sessionStorage = .file
        let container = Container(configuration)
        try await container.gitHubSession().signIn(with: try credentials())
        isBehindGateway.withLock { $0 = true }
        let account = container.gitHubAccountViewModel()
        let profile = container.userProfileViewModel()
        await profile.show(GitHub.Login("hubot"))
        guard case .failed(let message) = profile.state.content.status else { Issue.record("no failure"); return }
        #expect(message.text.contains("프록시"))
        isBehindGateway.withLock { $0 = false }
        await account.show()
        #expect(account.state.user?.login == GitHub.Login("octocat"))
        // The next launch finds it, too.
        let next = Container(configuration)
        await next.gitHubSession().start()
        #expect(next.gitHubSession().current.user?.login == GitHub.Login("octocat"))
    }

    @Test(arguments: foreign)
    func `keeps a configured token after a gateway's 401`(response: ForeignResponse) async throws {
        let (container, _) = container(nil, configuredToken: try Secret("gho_offline_octocat_first"))
        network.answer("GET /user", .scripted(401, response.fields))
        let account = container.gitHubAccountViewModel()
        await account.show()
        guard case .failed(let message) = account.state.content.status else { Issue.record("no failure"); return }
        #expect(!message.text.contains("token"))
        await account.retry()
        #expect(account.state.user?.login == GitHub.Login("octocat"))
    }

    @Test(arguments: 1...4)
    func `begins with a token that some servers don't know yet`(refusals: Int) async throws {
        let (container, store) = container(nil)
        for _ in 0..<refusals { network.answer("GET /user", .badCredentials) }
        let signIn = container.gitHubSignInViewModel()
        await signIn.signInByCode()
        let user = network.requests.value.filter { $0.url.path() == "/user" }
        guard refusals <= 3 else {
            // It isn't only late.
            guard case .failed = signIn.state else { Issue.record("\(signIn.state)"); return }
            #expect(user.count == 4)
            #expect(try await store.load() == nil)
            return
        }
        guard case .signedIn = signIn.state else { Issue.record("\(signIn.state)"); return }
        #expect(user.count == refusals + 1)
        #expect(try await store.load() != nil)
    }

    @Test func `refreshes a new token once if servers refuse it for good, and ends`() async throws {
        let (container, store) = container(try credentials(refreshable: true))
        network.issue("gho_offline_octocat_second")
        for _ in 0..<20 { network.answer("GET /user", .badCredentials) }
        let account = container.gitHubAccountViewModel()
        await account.show()
        // The service never accepted a token of this session.
        #expect(container.gitHubSession().current == .signedOut(.refused))
        #expect(network.requests.value.count { $0.url.path() == "/login/oauth/access_token" } == 1)
        #expect(try await store.load() == nil)
    }

    @Test(
        arguments: [
            ("text/html", 404, "<html>"), ("application/json", 404, #"{"error":"Not Found"}"#),
            ("application/json", 404, #"{"message":"Not Found"}"#), ("text/html", 405, ""), ("text/html", 410, ""),
            ("application/json", 400, #"{"error":"unauthorized_client"}"#),
            ("application/json", 200, #"{"error":"device_flow_disabled"}"#),
            ("application/json", 400, #"{"error":"unsupported_grant_type"}"#),
        ]
    )
    func `isn't offered by code on a server without the device flow`(type: String, status: Int, body: String)
        async throws
    {
        let (container, _) = container(nil)
        let response = HTTPClient.Response.scripted(status, ["Content-Type": type], body: body)
        // The same with the app's secret.
        network.answer("POST /login/device/code", response, response)
        let signIn = container.gitHubSignInViewModel()
        await signIn.signInByCode()
        guard case .failed(let message) = signIn.state else { Issue.record("\(signIn.state)"); return }
        #expect(message.text.contains("Use the browser instead"))
        #expect(message.action == nil)
    }

    /// The responses of captive portals.
    nonisolated private static let portals: [ForeignResponse] = [
        ForeignResponse(status: 200, fields: ["Content-Type": "text/html"]),
        ForeignResponse(status: 302, fields: ["Location": "https://portal.example/"]),
        ForeignResponse(status: 511, fields: ["Content-Type": "text/html"]),
    ]

    @Test(arguments: portals)
    func `isn't revoked by a captive portal that answers its refresh`(portal: ForeignResponse) async throws {
        let (container, store) = container(try credentials(refreshable: true))
        network.issue("gho_offline_octocat_second")
        network.answer("POST /login/oauth/access_token", portal.response)
        let account = container.gitHubAccountViewModel()
        await account.show()
        #expect(try await store.load()?.token == Secret("gho_offline_octocat_first"))
        guard case .unidentified(.unreachable(.intercepted, _)) = container.gitHubSession().current else {
            Issue.record("\(container.gitHubSession().current)")
            return
        }
        network.answer("GET /user", .badCredentials)
        try await clock.sleep(for: .seconds(1))
        await account.retry()
        #expect(account.state.user?.login == GitHub.Login("octocat"))
        #expect(try await store.load()?.token == Secret("gho_offline_octocat_second"))
    }

    @Test func `doesn't show a star as undone if its first response was lost, and the next one is a rate limit`()
        async throws
    {
        let (container, _) = container(try credentials(), retries: .standard)
        await container.gitHubSession().start()
        let repos = container.repoListViewModel()
        await repos.show(.publicRepos(of: GitHub.Login("octocat")))
        let row = try #require(repos.state.content.rows.first { !$0.isStarred })
        let put = "PUT /user/starred/\(row.repo.fullName)"
        network.lose(put)
        network.answer(put, .scripted(429))
        #expect(await repos.setStar(row.id, to: true) == nil)
        #expect(repos.state.content.rows.first { $0.id == row.id }?.isStarred == true)
        #expect(repos.state.notice?.title == "Star Not Confirmed")
        #expect(network.requests.value.count { $0.method == .put } == 2)
    }

    @Test func `says when a server that is down will be back`() async throws {
        let (container, _) = container(try credentials())
        network.answer("GET /users/octocat/followers", .scripted(503, ["Retry-After": "120"]))
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        guard case .failed(let message) = followers.state.content.status else { Issue.record("no failure"); return }
        #expect(message.kind == .serverFailure)
        #expect(message.action == .retryLater(now + 120))
        #expect(message.text.contains("Try again after"))
    }

    @Test func `keeps the star that waits for it if the first sign-in is refused`() async throws {
        let (container, _) = container(nil)
        let repos = container.repoListViewModel()
        await repos.show(.publicRepos(of: GitHub.Login("octocat")))
        let row = try #require(repos.state.content.rows.first)
        #expect(await repos.setStar(row.id, to: true) == .signIn)
        let put = "PUT /user/starred/\(row.repo.fullName)"
        for request in ["GET /user", put] { network.answer(request, .badCredentials) }
        network.answer("GET /user/starred", .scripted(200, body: "[]"))
        let signIn = container.gitHubSignInViewModel()
        await signIn.signIn(withToken: "ghp_wrong")
        guard case .failed = signIn.state else { Issue.record("\(signIn.state)"); return }
        // The list receives the begin and the end of the session later.
        await repos.until { $0.content.rows.first?.isStarred == false }
        // Whichever of the two requests was refused first.
        network.forget()
        await signIn.signIn(withToken: "gho_offline_octocat_right")
        await network.requests.wait { requests in
            requests.contains { $0.method == .put && $0.headers["Authorization"] == "Bearer gho_offline_octocat_right" }
        }
        for await state in repos.states where state.content.rows.first?.isStarred == true { break }
        let wrong = network.requests.value.count {
            $0.method == .put && $0.headers["Authorization"] == "Bearer ghp_wrong"
        }
        #expect(wrong <= 1)
    }

    @Test func `pauses after too many failed sign-ins, and says until when`() async throws {
        let (container, store) = container(try credentials())
        let text = #"{"message":"Maximum number of login attempts exceeded. Please try again later."}"#
        network.answer("GET /users/octocat/followers", .scripted(403, body: text))
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        guard case .failed(let message) = followers.state.content.status else { Issue.record("no failure"); return }
        guard case .rateLimited = message.kind else { Issue.record("\(message)"); return }
        #expect(message.action == .retryLater(now + 60))
        let count = network.requests.value.count
        let profile = container.userProfileViewModel()
        await profile.show(GitHub.Login("octocat"))
        #expect(network.requests.value.count == count)
        #expect(try await store.load() != nil)
    }

    @Test(arguments: [429, 403, 503], ["", #"{"error":"too_many_requests"}"#])
    func `waits as long as the server asks between polls, whatever its body says`(status: Int, body: String) async {
        let (container, _) = container(nil)
        let headers: HTTPHeaders = ["Retry-After": "120", "Content-Type": "application/json"]
        let response = HTTPClient.Response.scripted(status, headers, body: body)
        network.answer("POST /login/oauth/access_token", response, response)
        let start = clock.now
        let signIn = container.gitHubSignInViewModel()
        await signIn.signInByCode()
        guard case .signedIn = signIn.state else { Issue.record("\(signIn.state)"); return }
        #expect(start.duration(to: clock.now) >= .seconds(240))
    }

    @Test func `of another user, signed in elsewhere, stays when this one signs out`() async throws {
        let (here, store) = container(try credentials())
        let elsewhere = container(nil).container
        elsewhere.gitHubTokenStore.override { _ in store }
        await here.gitHubSession().start()
        await elsewhere.gitHubSession().start()
        try await elsewhere.gitHubSession().signOut()
        try await elsewhere.gitHubSession().signIn(with: Credentials(token: try Secret("gho_offline_octocat_other")))
        try await here.gitHubSession().signOut()
        #expect(try await store.load()?.token == Secret("gho_offline_octocat_other"))
        #expect(elsewhere.gitHubSession().current.user != nil)
        let revoked = network.requests.value.filter { $0.method == .delete }.compactMap(\.body)
        #expect(!revoked.contains { String(decoding: $0, as: UTF8.self).contains("gho_offline_octocat_other") })
    }

    @Test func `has a notice if the star that waited for it is refused`() async throws {
        let (container, _) = container(nil)
        let repos = container.repoListViewModel()
        await repos.show(.publicRepos(of: GitHub.Login("octocat")))
        let row = try #require(repos.state.content.rows.first)
        #expect(await repos.setStar(row.id, to: true) == .signIn)
        network.answer("GET /user/starred", .scripted(200, body: "[]"))
        let refusal = HTTPClient.Response.scripted(403, body: #"{"message":"Repository access blocked"}"#)
        network.answer("PUT /user/starred/\(row.repo.fullName)", refusal)
        let signIn = container.gitHubSignInViewModel()
        await signIn.signInByCode()
        // Until then, the request to sign in can be shown.
        let told = await repos.until { $0.notice?.text.contains("Repository access blocked") == true }
        #expect(told.content.rows.first?.isStarred == false)
    }

    @Test func `with a large user survives a restart, and a user that is too large isn't written`() async throws {
        let store = FileTokenStore(folder: folder, name: SessionName("GitHub", at: network.url))
        let user = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login(String(repeating: "x", count: 200_000)))
        try await store.save(Credentials(token: try Secret("gho_offline_octocat_first"), user: user))
        #expect(try await store.load()?.user == StoredUser(user))
        // A larger one is requested again at the next launch.
        let larger = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login(String(repeating: "x", count: 2_000_000)))
        try await store.save(Credentials(token: try Secret("gho_offline_octocat_first"), user: larger))
        #expect(try await store.load()?.user?.user(as: GitHub.User.self) == nil)
        #expect(try await store.load()?.token == Secret("gho_offline_octocat_first"))
    }

    @Test func `of two users by the service's own header fields has two caches`() async throws {
        let site = container(nil).container
        let answers = Mutex<[String]>([])
        network.respond { request in
            answers.withLock { $0.append(request.headers["X-User"] ?? "") }
            guard request.headers["If-None-Match"] == nil else {
                return HTTPClient.Response(status: 304, headers: ["ETag": "\"1\""], url: request.url)
            }
            let body = Data((request.headers["X-User"] ?? "").utf8)
            return HTTPClient.Response(status: 200, headers: ["ETag": "\"1\""], body: body, url: request.url)
        }
        let endpoint = Endpoint<String>(.path("/me")) { String(decoding: $0.body, as: UTF8.self) }
        for _ in 0..<2 {
            for name in ["alice", "bob"] {
                let container = site.container(
                    for: UserStores(favorites: InMemoryFavoriteRepository(), folder: folder) { _ in
                        InMemoryTokenStore()
                    }
                )
                var service = HTTPClient.Service.json(baseURL: network.url, userAgent: "Tests")
                service.headers["X-User"] = name
                #expect(try await container.client(of: service).send(endpoint) == name)
            }
        }
        #expect(answers.withLock(\.self) == ["alice", "bob", "alice", "bob"])
    }
}

/// The head of a response that isn't GitHub's.
struct ForeignResponse: Sendable, CustomTestStringConvertible {
    var status = 401
    let fields: HTTPHeaders
    var testDescription: String { "\(status) \(fields.fields)" }
    var response: HTTPClient.Response {
        .scripted(status, fields, body: "<html>")
    }
}

extension HTTPClient.Response {
    /// A scripted response, which gets the URL of its request; by default GitHub's.
    fileprivate static func scripted(
        _ status: Int,
        _ headers: HTTPHeaders = Network.head,
        body: String = ""
    ) -> HTTPClient.Response {
        HTTPClient.Response(status: status, headers: headers, body: Data(body.utf8), url: URL(filePath: "/"))
    }

    /// GitHub's refusal of a token.
    fileprivate static var badCredentials: HTTPClient.Response {
        .scripted(401, body: #"{"message":"Bad credentials"}"#)
    }
}

/// GitHub on fixtures, with scripted responses before them.
private final class Network: HTTPTransport {
    static let head: HTTPHeaders = ["Content-Type": "application/json", "X-GitHub-Request-Id": "1"]
    let url: URL = Configuration().gitHub.url
    let requests = Monitor<[HTTPClient.Request]>([])
    private let gitHub = OfflineGitHub()
    private let script = Mutex<[String: [Result<HTTPClient.Response, BrowseError>]]>([:])
    private let grant = Mutex<Data?>(nil)
    private let custom = Mutex<(@Sendable (HTTPClient.Request) -> HTTPClient.Response)?>(nil)

    /// Responds to the next requests for a path, before the fixtures do.
    func answer(_ request: String, _ responses: HTTPClient.Response...) {
        script.withLock { $0[request, default: []] += responses.map { .success($0) } }
    }

    /// Loses the response to the next request for a path.
    func lose(_ request: String) {
        let lost = BrowseError.unreachable(.connectionLost, BrowseError.RequestInfo(endpoint: request))
        script.withLock { $0[request, default: []].append(.failure(lost)) }
    }

    /// Discards the scripted responses.
    func forget() { script.withLock { $0 = [:] } }

    func respond(_ response: @escaping @Sendable (HTTPClient.Request) -> HTTPClient.Response) {
        custom.withLock { $0 = response }
    }

    /// Issues a token at the next refresh; the first one isn't valid any longer.
    func issue(_ token: String) {
        let grant = [
            "access_token": token, "token_type": "bearer", "scope": "public_repo", "refresh_token": "ghr_next",
        ]
        let data = try? JSONSerialization.data(withJSONObject: grant)
        self.grant.withLock { $0 = data }
        answer("GET /user", .badCredentials)
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        requests.withLock { $0.append(request) }
        if let custom = custom.withLock(\.self) { return custom(request) }
        let name = request.method.rawValue + " " + request.url.path()
        let scripted = script.withLock { script in
            script[name]?.isEmpty == false ? script[name]?.removeFirst() : nil
        }
        if var scripted = try scripted?.get() {
            scripted.url = request.url
            return scripted
        }
        if request.url.path() == "/login/oauth/access_token", let data = grant.withLock(\.self) {
            return HTTPClient.Response(status: 200, headers: Self.head, body: data, url: request.url)
        }
        return try await gitHub.transport().send(request)
    }
}
