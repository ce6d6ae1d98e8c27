import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profile = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#

/// Redirects, and what responds in a service's place.
@MainActor
@Suite(.bounded)
struct `Reports about intermediaries` {
    private let server = ScriptedServer()
    private let page = Data("<!DOCTYPE html><title>Just a moment...</title>".utf8)

    private func html(_ status: Int = 200, _ headers: HTTPHeaders = [:]) -> ScriptedServer.Response {
        var headers = headers
        headers["Content-Type"] = "text/html; charset=UTF-8"
        return .body(page, status: status, headers: headers).ofProxy()
    }

    private func container(_ address: String? = nil, _ change: (inout Configuration) -> Void = { _ in }) -> Container {
        .reports(server) {
            ($0.clock, $0.retries) = (ImmediateClock(), .standard)
            if let url = address.flatMap(URL.init) { $0.gitHub = GitHubSettings(server: url) }
            $0.gitHub.token = try? Secret("ghp_1234567890")
            change(&$0)
        }
    }

    private func signedIn(_ container: Container, _ prefix: String = "") async -> RepoListViewModel {
        server.on(.get, "\(prefix)/user", times: .any, response: .json(profile))
        server.on(.get, "\(prefix)/user/starred", times: .any, response: .json("[]"))
        let row = #"[{"id":7,"name":"hello","full_name":"octocat/hello"}]"#
        server.on(.get, "\(prefix)/users/octocat/repos", times: .any, response: .json(row))
        await container.gitHubSession().start()
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: octocat))
        return list
    }

    private func tokens(at host: String) -> [String] {
        server.requests.filter { $0.url.host() == host }.compactMap { $0.headers["Authorization"] }
    }

    /// aether-lang-dev/aether#1741
    @Test func `a redirect to another port gets no token`() async {
        let container = container("https://ghe.local:8443")
        server.on(.get, "/api/v3/users/octocat", response: .redirect(to: "https://ghe.local:9443/user"))
        server.on(.get, "https://ghe.local:9443/user", response: .json(profile))
        await container.userProfileViewModel().show(octocat)
        let authorized = server.requests.filter { $0.headers["Authorization"] != nil }
        #expect(server.requests.count == 2 && authorized.map(\.url.port) == [8443])
    }

    /// seanmonstar/reqwest#1644, elastic/connectors#3683
    @Test(arguments: [true, false]) func `no token is sent over http, also if it was pasted`(isPasted: Bool)
        async throws
    {
        let container = container("http://ghe.example") { if isPasted { $0.gitHub.token = nil } }
        let signIn = container.gitHubSignInViewModel()
        if isPasted {
            await signIn.signIn(withToken: "ghp_1234567890")
            #expect(signIn.state.message?.text.contains("address") == true, "\(signIn.state)")
        } else {
            await container.userProfileViewModel().show(octocat)
        }
        #expect(server.requests.isEmpty)
        var settings = GitHubSettings(server: try #require(URL(string: "http://ghe.example")))
        settings.token = try Secret("ghp_1234567890")
        let configuration = Configuration().with { $0.gitHub = settings }
        #expect(throws: Configuration.Problem.baseURL(service: "GitHub", .insecureConnection)) {
            try configuration.validate()
        }
    }

    /// meetfranz/franz#1465, vouch/vouch-proxy#282, tibiadata/tibiadata-api-go#34
    @Test(arguments: ["en_US", "ko_KR"])
    func `a redirect to another host's page names that host, which gets no token`(locale: String) async {
        let container = container { $0.locale = Locale(identifier: locale) }
        _ = await signedIn(container)
        server.on(.get, "/users/octocat", response: .json(profile))
        let away = ScriptedServer.Response.redirect(to: "https://sso.corp/login")
        server.on(.get, "/user/1", responses: [away, away, .json(profile)])
        server.on(.get, "https://sso.corp/login", times: .any, response: html())
        let model = container.userProfileViewModel()
        await model.show(octocat)
        for _ in 0..<2 {
            await model.refresh()
            #expect(model.state.content.details?.name == "Octo" && model.state.notice?.action == .retry)
            #expect(model.state.notice?.text.contains("sso.corp") == true, "\(model.state.notice?.text ?? "")")
        }
        await model.refresh()
        #expect(model.state.notice == nil && model.state.content.provenance == .fresh)
        #expect(tokens(at: "sso.corp").isEmpty && container.gitHubSession().current.user != nil)
    }

    /// encode/httpx#821
    @Test func `a redirect to the same address ends, and is named`() async {
        let same = ScriptedServer.Response.status(
            302,
            headers: ["Location": "https://api.github.com/users/octocat", "Set-Cookie": "a=b"]
        )
        server.on(.get, "/users/octocat", times: .any, response: same)
        let model = container().userProfileViewModel()
        await model.show(octocat)
        let message = model.state.content.status.message
        #expect(server.requests.count <= 6 && message?.kind != .offline)
        #expect(message?.text.contains("redirect") == true && message?.action == .retry, "\(message?.text ?? "")")
    }

    // HelpCode-ai/anythingmcp#578, cloudflare/cloudflare-docs#8590,
    // monkeytypegame/monkeytype#4254
    /// Han-1413141/dsh-cost-meter#172
    @Test(arguments: [200, 403, 503, 0])
    func `a challenge or unreadable bytes aren't data, and the next answer is`(status: Int) async {
        let bytes = Data([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3])
        let first = status == 0 ? .body(bytes).ofProxy() : html(status, ["cf-mitigated": "challenge"])
        let body = #"{"info":{"count":1,"next":null},"results":[{"id":1,"name":"Rick"}]}"#
        let answer = Monitor(first)
        let requests = server.on(.get, "/api/character", times: .any, response: .computed { _ in answer.value })
        let container = container()
        let list = container.characterListViewModel()
        await list.show()
        let message = list.state.content.status.message
        #expect(message?.action == .retry && [.offline, .serverFailure].contains(message?.kind))
        #expect(message?.text.contains("<") == false && requests.requests.count == (status == 503 ? 3 : 1))
        let cached = self.container { $0.loadPolicy = .offline }.characterListViewModel()
        await cached.show()
        #expect(cached.state.content.rows.isEmpty)
        answer.withLock { $0 = .json(body) }
        await list.retry()
        #expect(list.state.content.rows.count == 1 && list.state.content.status == .ready)
    }

    /// wifidog/wifidog-gateway#271, foxykeep/DataDroid#26
    @Test(arguments: [411, 511]) func `a proxy's refusal of a star undoes it, and names the network`(status: Int)
        async throws
    {
        let container = container()
        let list = await signedIn(container)
        let stars = server.on(.put, "/user/starred/octocat/hello", times: .any, response: html(status))
        _ = await list.toggleStar(try #require(list.state.content.rows.first?.id))
        #expect(stars.requests.count == 1 && stars.requests.first?.body?.isEmpty == true)
        #expect(list.state.content.rows.first?.isStarred == false)
        #expect(list.state.notice?.text.contains("network") == true)
        server.on(.get, "/users/octocat", times: .any, response: html(status))
        let model = container.userProfileViewModel()
        await model.show(octocat)
        #expect(model.state.content.status.message?.text.contains("network") == true)
        #expect(container.gitHubSession().current.user != nil)
    }

    /// xrootd/xrootd#1638
    @Test(arguments: [301, 302, 307, 308], [true, false])
    func `a star of a renamed repository is set and unset through its redirect`(status: Int, isStar: Bool) async throws
    {
        let list = await signedIn(container())
        let id = try #require(list.state.content.rows.first?.id)
        let method: HTTPMethod = isStar ? .put : .delete
        if !isStar {
            server.on(.put, "/user/starred/octocat/hello", response: .status(204))
            _ = await list.setStar(id, to: true)
        }
        server.on(
            method,
            "/user/starred/octocat/hello",
            response: .redirect(to: "/user/starred/new/hello", status: status)
        )
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
        let container = container("https://ghe.corp")
        server.on(.get, "/api/v3/user", times: .any, response: .json(profile))
        server.on(.get, "/api/v3/user/starred", times: .any, response: .json("[]"))
        server.on(.get, "/api/v3/repos/a/b", query: [:], responses: [.redirect(to: location, status: 301)])
        let details = ScriptedServer.Response.json(#"{"id":42,"name":"b","full_name":"c/b"}"#)
        server.on(
            .get,
            "https://ghe.corp/api/v3/repositories/42/readme",
            times: .any,
            response: .status(404, headers: .gitHub)
        )
        let answers = server.on(.any.host(isOwn ? "ghe.corp" : "other.corp"), times: .any, response: details)
        let model = container.repoDetailViewModel()
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
            guard request.target == "/users/octocat" else { return .json(profile) }
            return LoopbackResponse(steps: [.bytes(Array(head.utf8) + bytes + Array("\r\n\r\n".utf8))])
        }
        let model = try loopback(server).userProfileViewModel()
        await model.show(octocat)
        #expect(server.requests.dropFirst().map(\.target) == (target.map { [$0] } ?? []))
        #expect((model.state.content.details != nil) == (target != nil))
    }

    private func loopback(_ server: LoopbackServer) throws -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.cacheFolder = .temporaryDirectory.appending(path: "reports-\(UUID())")
        }
        configuration.retries = .never
        configuration.gitHub.url = try #require(URL(string: server.origin))
        return .production(on: HTTPClient.makeTransport(), configuration: configuration)
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
        let list = try loopback(server).followerListViewModel()
        await list.show(.followers(of: octocat))
        await list.refresh()
        #expect(server.requests.last?.header("If-None-Match") == "\"a\"")
        await list.loadMore()
        #expect(list.state.content.rows.map(\.login.rawValue) == ["u1", "u2"] && server.requests.count == 3)
        // The limit of the second page counts.
        await list.refresh()
        guard case .failedRefresh(let message) = list.state.content.status else { throw CancellationError() }
        #expect(message.action != .retry && !server.requests.dropFirst(3).contains { $0.target.contains("followers") })
    }
}
