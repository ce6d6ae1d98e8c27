import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Signing in with a browser: pages, callbacks, codes, and what the token allows.
@MainActor
@Suite(.bounded)
struct `Reports about callbacks` {
    private let clock = TestClock()
    private let server: ScriptedServer
    private let now = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
    private let tokenPath = "https://github.com/login/oauth/access_token"

    init() { server = ScriptedServer(clock: clock) }

    private func container(
        clock: any Clock<Duration> = ImmediateClock(),
        redirect: String = "myapp://callback",
        store: (any TokenStore)? = nil
    ) -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
        }
        configuration.clock = clock
        configuration.now = { [now] in now.value }
        configuration.retries = .never
        configuration.gitHub.app = .gitHub(clientID: "client", redirect: URL(string: redirect))
        let user = ScriptedServer.Response.json(#"{"id": 1, "login": "mona", "type": "User"}"#, headers: .gitHub)
        server.on(.get, "/user", times: .any, response: user)
        server.on(.get, "/user/starred", times: .any, response: .json("[]", headers: .gitHub))
        let container = Container.production(on: server.transport(clock: clock), configuration: configuration)
        if let store { container.gitHubTokenStore.override { _ in store } }
        return container
    }

    private func scriptExchanges(_ fields: String = #""scope": "public_repo""#) -> ScriptedServer.Stub {
        let json = #"{"access_token": "gho_good_1234567890", \#(fields)}"#
        return server.on(.post, tokenPath, times: .any, response: .json(json))
    }

    /// Begins a sign-in; returns the page's query.
    private func begin(_ model: SignInViewModel<GitHub.User>) throws -> [String: String] {
        _ = model.signInByBrowser()
        guard case .waitingForBrowser(let page) = model.state else { throw URLError(.badURL) }
        let items = URLComponents(string: page.rawValue)?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func isSignedIn(_ model: SignInViewModel<GitHub.User>) -> Bool {
        if case .signedIn = model.state { true } else { false }
    }

    /// microsoft/vscode#109102
    @Test func `the callback of a forgotten tab changes nothing`() async throws {
        let exchanges = scriptExchanges()
        let model = container().gitHubSignInViewModel()
        let (first, second) = (try begin(model)["state"] ?? "", try begin(model)["state"] ?? "")
        for state in [second, first, second] {
            await model.finishSignIn(with: try url("myapp://callback?code=abc-\(state)&state=\(state)"))
            #expect(isSignedIn(model) && first != second)
        }
        #expect(exchanges.requests.count == 1)
    }

    /// langchain-ai/openwiki#481, openid/AppAuth-iOS#398, SolFoundry/solfoundry#1220
    @Test(arguments: [
        ("http://127.0.0.1:8123/callback", "http://127.0.0.1:8123/favicon.ico", true),
        ("http://127.0.0.1:8123/callback", "http://127.0.0.1:8123/apple-touch-icon.png?code=a&state=STATE", true),
        ("MyApp://oauth/Callback", "myapp://oauth/callback?code=abc&state=STATE", true),
        ("MyApp://oauth/Callback", "myapp://oauth/Callback?code=abc&state=STATE", false),
        ("myapp://callback", "myapp://callback?code=abc", true),
        ("myapp://callback", "myapp://callback?code=abc&state=", true),
        ("myapp://callback", "myapp://callback?code=abc&state=STATE&state=X", true),
        ("myapp://callback", "myapp://callback?code=abc&state=X&state=STATE", true),
    ])
    func `only the true callback counts`(redirect: String, callback: String, isForeign: Bool) async throws {
        let exchanges = scriptExchanges()
        let model = container(redirect: redirect).gitHubSignInViewModel()
        let state = try begin(model)["state"] ?? ""
        let isOurs = await model.finishSignIn(with: try url(callback.replacing("STATE", with: state)))
        #expect(isOurs != isForeign && isSignedIn(model) != isForeign)
        #expect(exchanges.requests.isEmpty == isForeign)
        guard isForeign else { return }
        await model.finishSignIn(with: try url("\(redirect)?code=abc&state=\(state)"))
        #expect(isSignedIn(model))
    }

    /// go-gitea/gitea#18185, octokit/oauth-app.js#9, XeroAPI/xoauth#30
    @Test(arguments: [
        ("access_denied", "GitHub didn’t give this app access to your account.", true),
        ("temporarily_unavailable", "GitHub couldn’t sign you in. Try again.", true),
        ("application_suspended", "GitHub doesn’t recognize this app. Contact its developer.", false),
        ("redirect_uri_mismatch", "This app isn’t set up for this sign-in method.", false),
        ("evil%1B%5D0;x%07%0D%E2%80%AE", "GitHub couldn’t sign you in. Try again.", true),
    ])
    func `a refusal says what helps, and repeats no text of the address`(
        code: String,
        text: String,
        isRepeatable: Bool
    ) async throws {
        let exchanges = scriptExchanges()
        let model = container().gitHubSignInViewModel()
        let state = try begin(model)["state"] ?? ""
        let query = "error=\(code)&error_description=%1B%5B2Jnot+you&error_uri=https://evil.example&state=\(state)"
        await model.finishSignIn(with: try url("myapp://callback?\(query)"))
        let message = try #require(model.state.message)
        #expect(message.text == text && (message.action == .retry) == isRepeatable && message.kind == .signInFailed)
        for text in [message.text, message.title, "\(String(describing: message.error))"] {
            #expect(!text.contains("not") || !text.contains("you ") || !text.contains("2J"))
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
        }
        #expect(exchanges.requests.isEmpty)
        _ = try begin(model)
    }

    /// XeroAPI/xoauth#30
    @Test func `the text of a token's refusal has no control characters`() async throws {
        let json = #"{"error": "evil\u001b]0;x\u0007", "error_description": "\u001b[2J\r\u202e gho_secret_1234567890"}"#
        server.on(.post, tokenPath, times: .any, response: .json(json, status: 400))
        let model = container().gitHubSignInViewModel()
        let state = try begin(model)["state"] ?? ""
        await model.finishSignIn(with: try url("myapp://callback?code=abc&state=\(state)"))
        let message = try #require(model.state.message)
        let shown = "\(message.title) \(message.text) \(String(describing: message.error))"
        #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
        #expect(!shown.contains("gho_secret"))
    }

    /// cli/cli#7102
    @Test(arguments: [
        "https://github.example.co/", "https://GITHUB.Example.CO", "https://github.example.co/login",
        "https://github.example.co/api/v3/",
    ])
    func `any form of a server's address is the same server and session`(address: String) throws {
        let settings = GitHubSettings(server: try url(address))
        #expect(settings.webURL.absoluteString == "https://github.example.co")
        #expect(settings.url.absoluteString == "https://github.example.co/api/v3")
        let name = SessionName("GitHub", at: try url("https://github.example.co/api/v3"))
        #expect(SessionName("GitHub", at: settings.url) == name)
        #expect(GitHubSettings(server: settings.url).url == settings.url)
        #expect(GitHubSettings(server: settings.webURL).webURL == settings.webURL)
    }

    /// atinux/nuxt-auth-utils#383
    @Test(arguments: ["https://octocorp.ghe.com", "https://api.octocorp.ghe.com/", "https://OCTOCORP.ghe.com/login"])
    func `a tenant has its own API and pages`(address: String) async throws {
        var configuration = Configuration()
        configuration.gitHub = GitHubSettings(server: try url(address))
        configuration.gitHub.app = .gitHub(clientID: "client", redirect: URL(string: "myapp://callback"))
        configuration.clock = ImmediateClock()
        let container = Container.production(on: server.transport(), configuration: configuration)
        let model = container.gitHubSignInViewModel()
        guard case .webPage(let page)? = model.signInByBrowser() else { Issue.record("no page"); return }
        #expect(page.rawValue.hasPrefix("https://octocorp.ghe.com/login/oauth/authorize?"))
        let state = URLComponents(string: page.rawValue)?.queryItems?.first { $0.name == "state" }?.value ?? ""
        server.on(
            .post,
            "https://octocorp.ghe.com/login/oauth/access_token",
            response: .json(#"{"access_token": "gho_good_1234567890", "scope": ""}"#)
        )
        let user = ScriptedServer.Response.json(#"{"id": 1, "login": "mona", "type": "User"}"#, headers: .gitHub)
        server.on(.get, "https://api.octocorp.ghe.com/user", response: user)
        await model.finishSignIn(with: try url("myapp://callback?code=abc&state=\(state)"))
        #expect(isSignedIn(model))
    }

    /// MaikuB/flutter_appauth#500
    @Test func `after a sign-out, the person chooses the account`() async throws {
        _ = scriptExchanges()
        let container = container()
        let model = container.gitHubSignInViewModel()
        let query = try begin(model)
        #expect(query["prompt"] == nil)
        await model.finishSignIn(with: try url("myapp://callback?code=abc&state=\(query["state"] ?? "")"))
        await container.gitHubAccountViewModel().signOut()
        #expect(try begin(container.gitHubSignInViewModel())["prompt"] == "select_account")
    }

    /// GitGuardian/ggshield#1448
    @Test(arguments: [#""scope": "read:user""#, #""scope": """#])
    func `a permission that wasn't granted is known, or named by its refusal`(scope: String) async throws {
        _ = scriptExchanges(scope)
        let container = container()
        let model = container.gitHubSignInViewModel()
        let state = try begin(model)["state"] ?? ""
        await model.finishSignIn(with: try url("myapp://callback?code=abc&state=\(state)"))
        let row = #"[{"id": 7, "name": "r", "full_name": "mona/r", "owner": {"id": 1, "login": "mona"}}]"#
        server.on(.get, "/users/mona/repos", times: .any, response: .json(row, headers: .gitHub))
        var fields = HTTPHeaders.gitHub
        fields["X-OAuth-Scopes"] = "read:user"
        fields["X-Accepted-OAuth-Scopes"] = "public_repo, repo"
        let refusal = ScriptedServer.Response.json(#"{"message": "Not Found"}"#, status: 404, headers: fields)
        server.on(.put, "/user/starred/mona/r", times: .any, response: refusal)
        server.on(.get, "/user/starred/mona/r", times: .any, response: .status(404, headers: .gitHub))
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        #expect(list.state.content.rows.map(\.canStar) == [scope.contains("read:user") ? false : true])
        _ = await list.toggleStar(GitHub.Repo.ID(rawValue: 7))
        let notice = try #require(list.state.notice)
        #expect(
            notice.text == "Your sign-in to GitHub lacks a permission: public_repo, repo." && notice.action == .signIn
        )
        #expect(list.state.content.rows.map(\.isStarred) == [false])
    }

    /// desktop/desktop#21516, openid/AppAuth-iOS#468, auth0/Auth0.swift#446
    @Test func `a browser that never calls back can be given up, and another try works`() async throws {
        let exchanges = scriptExchanges()
        let model = container().gitHubSignInViewModel()
        let first = try begin(model)["state"] ?? ""
        now.withLock { $0 += 300 }
        model.browserFailed()
        #expect(model.state.message?.action == .retry && model.pending == nil)
        #expect(model.state.message?.text == "The browser couldn’t be opened. Try again.")
        _ = try begin(model)
        model.cancel()
        #expect(model.state == .idle && model.pending == nil)
        let second = try begin(model)["state"] ?? ""
        await model.finishSignIn(with: try url("myapp://callback?code=abc&state=\(first)"))
        #expect(exchanges.requests.isEmpty && model.pending != nil)
        await model.finishSignIn(with: try url("myapp://callback?code=abc&state=\(second)"))
        #expect(isSignedIn(model))
    }

    /// f-is-h/Usage4Claude#77
    @Test func `a screen that is made again goes on with the sign-in of the one before`() async throws {
        _ = scriptExchanges()
        let container = container()
        var model = container.gitHubSignInViewModel()
        let state = try begin(model)["state"] ?? ""
        let pending = try #require(model.pending)
        model = container.gitHubSignInViewModel()
        #expect(model.state == .idle)
        await model.resume(pending)
        #expect(model.pending == pending)
        await model.finishSignIn(with: try url("myapp://callback?code=abc&state=\(state)"))
        #expect(isSignedIn(model))
    }

    /// CherryHQ/cherry-studio#18367
    @Test(arguments: [200, 500, 507], [true, false])
    func `an exchange that is canceled leaves nothing, and one that fails says why`(
        status: Int,
        isCanceled: Bool
    ) async throws {
        let token = ScriptedServer.Response.json(#"{"access_token": "gho_good_1234567890", "scope": ""}"#)
        server.on(
            .post,
            tokenPath,
            times: .any,
            response: (status == 500 ? .status(500) : token).delayed(by: .seconds(1))
        )
        let container = container(clock: clock, store: status == 507 ? UnwritableStore() : nil)
        let model = container.gitHubSignInViewModel()
        let state = try begin(model)["state"] ?? ""
        let callback = try url("myapp://callback?code=abc&state=\(state)")
        let finish = Task { await model.finishSignIn(with: callback) }
        if isCanceled {
            await clock.waitForSleepers(1)
            model.cancel()
        }
        await clock.run { _ = await finish.value }
        #expect((container.gitHubSession().current.user != nil) == (status == 200 && !isCanceled))
        if isCanceled {
            #expect(model.state == .idle)
        } else {
            #expect(model.state.message?.kind == [500: .serverFailure, 507: .storage][status])
        }
    }

    /// auth0/Auth0.swift#447
    @Test func `two taps on Sign In present one sign-in`() async throws {
        let exchanges = scriptExchanges()
        let container = container()
        let (one, other) = (container.gitHubSignInViewModel(), container.gitHubSignInViewModel())
        let states = [try begin(one)["state"] ?? "", try begin(one)["state"] ?? "", try begin(other)["state"] ?? ""]
        await one.finishSignIn(with: try url("myapp://callback?code=abc&state=\(states[0])"))
        #expect(exchanges.requests.isEmpty)
        await one.finishSignIn(with: try url("myapp://callback?code=abc&state=\(states[1])"))
        other.cancel()
        #expect(isSignedIn(one) && exchanges.requests.count == 1 && container.gitHubSession().current.user != nil)
    }
}

/// A store that can't be written.
private struct UnwritableStore: TokenStore {
    func load() async throws(BrowseError) -> Credentials? { nil }
    func update(_: @escaping @Sendable (Result<Credentials?, BrowseError>) -> TokenChange) async throws(BrowseError) {
        throw .storageFailed(StorageFailure(reason: .full, file: "session"))
    }
}
