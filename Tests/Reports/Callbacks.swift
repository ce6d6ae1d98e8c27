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

    init() { server = ScriptedServer(clock: clock) }

    private func container(
        at address: String? = nil,
        clock: any Clock<Duration> = ImmediateClock(),
        redirect: String = "myapp://callback",
        store: (any TokenStore)? = nil
    ) -> Container {
        server.onSession(as: .mona)
        return .reports(server, at: address, clock: clock, isCaching: false, store: store) {
            $0.gitHub.app = .gitHub(clientID: "client", redirect: URL(string: redirect))
        }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// microsoft/vscode#109102, auth0/Auth0.swift#447, desktop/desktop#21516
    @Test func `the callback of a forgotten tab changes nothing`() async throws {
        let exchanges = server.onTokens(.token())
        let container = container()
        let (model, other) = (container.gitHubSignInViewModel(), container.gitHubSignInViewModel())
        _ = try model.begin()
        model.cancel()
        #expect(model.state == .idle && model.pending == nil)
        let (first, second, _) = (try model.begin().state, try model.begin().state, try other.begin())
        try await model.callBack(first)
        #expect(exchanges.requests.isEmpty && model.pending != nil && first != second)
        for state in [second, first, second] {
            try await model.callBack(state)
            #expect(model.isSignedIn)
        }
        other.cancel()
        #expect(exchanges.requests.count == 1 && container.gitHubSession().current.user != nil)
    }

    /// gravitational/teleport#69499
    @Test(arguments: ["", "&debug=1"])
    func `a callback that arrives twice is exchanged once`(more: String) async throws {
        let exchanges = server.onTokens(.token().delayed(by: .seconds(1)))
        let model = container(clock: clock).gitHubSignInViewModel()
        let state = try model.begin().state
        let first = Task { try await model.callBack(state) }
        await clock.waitForSleepers(1)
        let second = try url("myapp://callback?code=abc-\(state)&state=\(state)\(more)")
        #expect(await !model.finishSignIn(with: second))
        try await clock.run { try await first.value }
        #expect(model.isSignedIn && exchanges.requests.count == 1)
    }

    /// mislav/hub#2149
    @Test func `a token that may not read its account is used all the same`() async {
        let json = #"{"message": "Resource not accessible by integration"}"#
        server.on(.get, "/user", times: .any, response: .json(json, status: 403, headers: .gitHub))
        let repos = server.on(.get, "/users/mona/repos", response: .repos())
        let container = container()
        let model = await container.paste("ghs_1234567890")
        #expect(model.state.message != nil)
        if case .unidentified = container.gitHubSession().current {} else { Issue.record("\(model.state)") }
        #expect(await container.repos(.ofMona).state.content.rows.count == 1)
        #expect(repos.requests.first?.headers["Authorization"] == "Bearer ghs_1234567890")
    }

    // langchain-ai/openwiki#481, openid/AppAuth-iOS#398, SolFoundry/solfoundry#1220, wi3land/ionic-appauth#14,
    // damienbod/angular-auth-oidc-client#943
    @Test(arguments: [
        ("http://127.0.0.1:8123/callback", "http://127.0.0.1:8123/favicon.ico", true),
        ("http://127.0.0.1:8123/callback", "http://127.0.0.1:8123/apple-touch-icon.png?code=a&state=STATE", true),
        ("MyApp://oauth/Callback", "myapp://oauth/callback?code=abc&state=STATE", true),
        ("MyApp://oauth/Callback", "myapp://oauth/Callback?code=abc&state=STATE", false),
        ("myapp://callback", "myapp://callback?code=abc&state=STATE#_=_", false),
        ("myapp://callback", "myapp://callback/?state=STATE&code=abc&iss=https://github.com#", false),
        ("myapp://callback", "myapp://callback?code=abc", true),
        ("myapp://callback", "myapp://callback?code=abc&state=", true),
        ("myapp://callback", "myapp://callback?code=abc&state=STATE&state=X", true),
        ("myapp://callback", "myapp://callback?code=abc&state=X&state=STATE", true),
    ])
    func `only the true callback counts`(redirect: String, callback: String, isForeign: Bool) async throws {
        let exchanges = server.onTokens(.token())
        let model = container(redirect: redirect).gitHubSignInViewModel()
        let state = try model.begin().state
        let isOurs = await model.finishSignIn(with: try url(callback.replacing("STATE", with: state)))
        #expect(isOurs != isForeign && model.isSignedIn != isForeign)
        #expect(exchanges.requests.isEmpty == isForeign)
        guard isForeign else { return }
        try await model.callBack(state, redirect: redirect)
        #expect(model.isSignedIn)
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
        refusal: (code: String, text: String, isRepeatable: Bool)
    ) async throws {
        let exchanges = server.onTokens(.token())
        let model = container().gitHubSignInViewModel()
        let (code, state) = (refusal.code, try model.begin().state)
        let query = "error=\(code)&error_description=%1B%5B2Jnot+you&error_uri=https://evil.example&state=\(state)"
        await model.finishSignIn(with: try url("myapp://callback?\(query)"))
        let message = try #require(model.state.message)
        #expect(message.text == refusal.text && (message.action != nil) == refusal.isRepeatable)
        #expect(message.kind == .signInFailed)
        for text in [message.text, message.title, "\(String(describing: message.error))"] {
            #expect(!text.contains("2J") && !text.contains("not you"))
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
        }
        #expect(exchanges.requests.isEmpty)
        _ = try model.begin()
    }

    /// XeroAPI/xoauth#30, modelcontextprotocol/typescript-sdk#1599
    @Test(arguments: [true, false])
    func `the text of a token's refusal has no control characters, and no token`(isForm: Bool) async throws {
        let json = #"{"error": "evil\u001b]0;x\u0007", "error_description": "\u001b[2J\r\u202e gho_secret_1234567890"}"#
        let type: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        let form = ScriptedServer.Response.html(200, type, text: "access_token=gho_secret_1234567890&scope=")
        server.onTokens(isForm ? form : .json(json, status: 400))
        let model = container().gitHubSignInViewModel()
        try await model.callBack(model.begin().state)
        let message = try #require(model.state.message)
        let shown = "\(message.title) \(message.text) \(String(describing: message.error))"
        #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
        #expect(!shown.contains("gho_secret"))
    }

    /// atinux/nuxt-auth-utils#383
    @Test(arguments: ["https://octocorp.ghe.com", "https://api.octocorp.ghe.com/", "https://OCTOCORP.ghe.com/login"])
    func `a tenant has its own API and pages`(address: String) async throws {
        let model = container(at: address).gitHubSignInViewModel()
        let (state, page) = try model.begin()
        #expect(page.hasPrefix("https://octocorp.ghe.com/login/oauth/authorize?"))
        server.on(.post, "https://octocorp.ghe.com/login/oauth/access_token", response: .token())
        try await model.callBack(state)
        #expect(model.isSignedIn)
        #expect(server.requests.contains { $0.url.absoluteString == "https://api.octocorp.ghe.com/user" })
    }

    /// MaikuB/flutter_appauth#500
    @Test func `after a sign-out, the person chooses the account`() async throws {
        server.onTokens(.token())
        let container = container()
        let model = container.gitHubSignInViewModel()
        let (state, page) = try model.begin()
        #expect(!page.contains("prompt="))
        try await model.callBack(state)
        await container.gitHubAccountViewModel().signOut()
        #expect(try container.gitHubSignInViewModel().begin().page.contains("prompt=select_account"))
    }

    /// GitGuardian/ggshield#1448
    @Test(arguments: [#""scope": "read:user""#, #""scope": """#])
    func `a permission that wasn't granted is known, or named by its refusal`(scope: String) async throws {
        server.onTokens(.token(fields: scope))
        let container = container()
        let model = container.gitHubSignInViewModel()
        try await model.callBack(model.begin().state)
        server.on(.get, "/users/mona/repos", response: .repos())
        let fields = HTTPHeaders.gitHub(["X-OAuth-Scopes": "read:user", "X-Accepted-OAuth-Scopes": "public_repo, repo"])
        let refusal = ScriptedServer.Response.json(#"{"message": "Not Found"}"#, status: 404, headers: fields)
        server.on(.put, "/user/starred/mona/r7", times: .any, response: refusal)
        server.on(.get, "/user/starred/mona/r7", times: .any, response: .status(404, headers: .gitHub))
        let list = await container.repos(.ofMona)
        #expect(list.state.content.rows.map(\.canStar) == [!scope.contains("read:user")])
        _ = await list.toggleStar(GitHub.Repo.ID(rawValue: 7))
        let notice = try #require(list.state.notice)
        #expect(notice.text == "Your sign-in to GitHub lacks a permission: public_repo or repo.")
        #expect(notice.action == .signIn && list.state.content.rows.map(\.isStarred) == [false])
    }

    /// dotnet/aspnetcore#53457, dart-archive/oauth2#10, dart-archive/oauth2#20, golang/oauth2#542
    @Test(arguments: [
        (#""scope":"","error":"""#, "", "application/json"), (#""scope":"""#, "error=&", "text/javascript"),
        (#""scope":"""#, "", "text/plain;charset=UTF-8"), (#""scope":"""#, "", "text/html; charset=utf-8"),
    ])
    func `an empty error is none, and a script is JSON`(fields: String, query: String, type: String) async throws {
        let json = #"{"access_token":"gho_good_1234567890",\#(fields)}"#
        server.onTokens(.body(Data(json.utf8), headers: ["Content-Type": type]))
        let model = container().gitHubSignInViewModel()
        let state = try model.begin().state
        await model.finishSignIn(with: try url("myapp://callback?\(query)code=abc&state=\(state)"))
        #expect(model.isSignedIn, "\(model.state)")
    }

    /// CherryHQ/cherry-studio#18367
    @Test(arguments: [200, 500, 507], [true, false])
    func `an exchange leaves no unknown token if it's canceled, and one that fails says why`(
        status: Int,
        isCanceled: Bool
    ) async throws {
        let answer = status == 500 ? ScriptedServer.Response.status(500) : .token()
        server.onTokens(answer.delayed(by: .seconds(1)))
        let container = container(clock: clock, store: FailingTokenStore(isFailing: Monitor(status == 507)))
        let model = container.gitHubSignInViewModel()
        let state = try model.begin().state
        let finish = Task { try await model.callBack(state) }
        if isCanceled {
            await clock.waitForSleepers(1)
            model.cancel()
        }
        try await clock.run { try await finish.value }
        // Without a client secret, a token that arrives after all can't be revoked.
        #expect((container.gitHubSession().current.user != nil) == (status == 200))
        let kind: Message.Kind? = [500: .serverFailure, 507: .storage][status]
        #expect(isCanceled && status == 500 ? model.state == .idle : model.state.message?.kind == kind)
    }
}
