import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Signing in: by a pasted token, by code, and in a browser.
@MainActor
@Suite(.bounded)
struct `Reports about signing in` {
    private let clock = TestClock()
    private let server: ScriptedServer
    private let now = Monitor(Date.reports)
    private let name = Monitor("mona")
    private let pending = ScriptedServer.Response.json(#"{"error": "authorization_pending"}"#)
    private let granted = ScriptedServer.Response.token(fields: #""scope": "public_repo""#)
    private let lost = ScriptedServer.Response.failure(.networkConnectionLost)

    init() { server = ScriptedServer(clock: clock) }

    private func container(clock: any Clock<Duration> = ImmediateClock(), secret: Secret? = nil) -> Container {
        .reports(server, clock: clock, isCaching: false) {
            $0.now = { [now] in now.value }
            $0.gitHub.app = .gitHub(clientID: "client", clientSecret: secret, redirect: URL(string: "myapp://callback"))
        }
    }

    /// Answers `GET /user` for good tokens only.
    private func scriptUser(_ failure: ScriptedServer.Response = .badCredentials) {
        server.onSession(
            as: .computed { [name] request in
                request.headers["Authorization"]?.contains("good") == true ? .user(1, name.value) : failure
            }
        )
    }

    /// Answers polls in order; returns their times.
    @discardableResult
    private func scriptDevice(_ polls: [ScriptedServer.Response]) -> Monitor<[Duration]> {
        let times = Monitor<[Duration]>([])
        server.onDeviceCode()
        for poll in polls {
            let noted = ScriptedServer.Response.computed { [clock] _ in
                times.withLock { $0.append(clock.now.offset) }
                return poll
            }
            server.onTokens(noted, times: 1)
        }
        return times
    }

    /// Automattic/vip-cli#2946, PerpetualSoftware/pad#1160
    @Test func `a token of the configuration isn't revoked by signing out`() async throws {
        server.onSession(as: .mona)
        let revocation = ScriptedServer.Response.status(204, headers: .gitHub)
        let revocations = server.on(.delete, "/applications/client/token", times: .any, response: revocation)
        let secret = try Secret("client-secret-1")
        let container = Container.reports(server, clock: ImmediateClock(), hasToken: true) {
            $0.gitHub.app = .gitHub(clientID: "client", clientSecret: secret)
        }
        await container.account().signOut()
        #expect(container.gitHubSession().current == .signedOut(.requested) && revocations.requests.isEmpty)
    }

    @Test(arguments: [(ScriptedServer.Response.badCredentials, true), (.offline, false), (.status(503), false)])
    func `a pasted token that can't be used leaves the person signed in`(
        failure: ScriptedServer.Response,
        isRefused: Bool
    ) async throws {
        scriptUser(failure)
        let container = container()
        let (session, tokens) = (container.gitHubSession(), container.gitHubTokenRepository())
        try await container.signIn("ghp_good_1234567890")
        let model = await container.paste("ghp_typo_1234567890")
        #expect(model.state.message != nil)
        if isRefused { #expect(model.state.message?.text.contains("doesn’t accept this token") == true) }
        #expect(session.current.user?.login == .mona)
        #expect(try await tokens.current()?.credentials.token == Secret("ghp_good_1234567890"))
        #expect(try await container.userRepository().ownProfile().user.login == .mona)
    }

    @Test func `the first token that is refused is named as refused`() async throws {
        scriptUser()
        let container = container()
        scriptDevice([.token("gho_bad_1234567890")])
        let (model, account) = (container.gitHubSignInViewModel(), container.gitHubAccountViewModel())
        await model.signInByCode()
        await account.show()
        let text = "GitHub didn’t accept the token of this sign-in. Sign in again."
        #expect(model.state.message?.text == text)
        #expect(account.state.content.status.message?.text == text)
        await model.signIn(withToken: "ghp_typo_1234567890")
        #expect(model.state.message?.action == .changeInput)
    }

    @Test func `a person who was renamed keeps the own profile`() async throws {
        scriptUser()
        let container = container()
        try await container.signIn("ghp_good_1234567890")
        let account = await container.account()
        name.withLock { $0 = "mona-new" }
        await account.refresh()
        // The screen receives the name from the session, which can be later.
        await account.until { $0.user?.login == GitHub.Login("mona-new") }
        #expect(account.showPublicProfile()?.path == "/github/accounts/1/mona-new")
        // A day later.
        name.withLock { $0 = "mona-newer" }
        let store = container.gitHubTokenStore()
        let next = self.container()
        next.gitHubTokenStore.override { _ in store }
        for await session in next.gitHubSession().sessions where session.user?.login == GitHub.Login("mona-newer") {
            break
        }
        #expect(try await store.load()?.user?.accountID == "1")
    }

    private nonisolated static let oddPolls: [ScriptedServer.Response] = [
        .html(403, ["Content-Type": "text/plain"], text: "Forbidden"),
        .html(400, ["Content-Type": "text/plain"], text: "Bad Request"),
        .json(#"{"message": "Forbidden"}"#, status: 403), .json(#"{"error": "authorization_pen"#), .json("[]"),
        .body(Data(), headers: ["Content-Type": "application/json"]), .status(404),
        .status(302, headers: ["Location": "http://portal.example/"]), .failure(.cancelled), .html(), .html(511),
    ]

    /// Signs in by code; returns the times of the polls.
    @discardableResult
    private func signInByCode(_ polls: [ScriptedServer.Response]) async -> [Duration] {
        scriptUser()
        let times = scriptDevice(polls)
        let model = container(clock: clock).gitHubSignInViewModel()
        await clock.run { await model.signInByCode() }
        #expect(model.isSignedIn, "\(model.state)")
        return times.value
    }

    @Test(arguments: oddPolls.indices)
    func `only the OAuth server's own error ends the polling`(index: Int) async {
        await signInByCode([pending, Self.oddPolls[index], granted])
    }

    @Test func `polls that are lost don't make the next ones rare`() async {
        let times = await signInByCode([pending] + Array(repeating: lost, count: 8) + [pending, granted])
        #expect(times.suffix(2).reduce(.zero) { $1 - $0 } == .seconds(5))
    }

    @Test func `polls a last time before the code expires`() async {
        // Polls at 5, 15, 30, 50, 75, 105, 140, …, 855: the next pause would exceed the lifetime.
        await signInByCode(Array(repeating: lost, count: 17) + [granted])
        #expect(clock.now.offset < .seconds(899))
    }

    private nonisolated func prompt(
        _ state: SignInViewModel<GitHub.User>.State
    ) -> SignInViewModel<GitHub.User>.DevicePrompt? {
        if case .waitingForCode(let prompt) = state { prompt } else { nil }
    }

    @Test(arguments: [660.0, 31_536_000, -120])
    func `setting the clock doesn't end a sign-in`(step: Double) async throws {
        scriptUser()
        scriptDevice([granted, lost, granted])
        let container = container(clock: clock)
        let model = container.gitHubSignInViewModel()
        let state = try model.begin().state
        now.withLock { $0 += step }
        try await clock.run { try await model.callBack(state) }
        #expect(model.isSignedIn, "\(model.state)")
        let device = container.gitHubSignInViewModel()
        let signIn = Task { await device.signInByCode() }
        await device.until { prompt($0) != nil }
        // The first poll waits for its time.
        await clock.waitForSleepers(1)
        now.withLock { $0 += step }
        let told = prompt(await clock.run { await device.until { prompt($0)?.problem != nil } })
        #expect(told?.lifetime == .seconds(894))
        await clock.run { await signIn.value }
        #expect(device.isSignedIn, "\(device.state)")
    }

    /// charmbracelet/crush#3399, flyteorg/flyte-sdk#1587
    @Test(arguments: [(#"{"error": "slow_down"}"#, 10), (#"{"error": "slow_down", "interval": 12}"#, 12)])
    func `no poll is earlier than the interval in force, also after a gateway's page`(slow: String, gap: Int) async {
        let polls = [pending, pending, .html(502), pending, .json(slow), pending, pending, granted]
        let times = await signInByCode(polls.map { $0.delayed(by: .milliseconds(300)) })
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(times.first ?? .zero >= .seconds(5) && gaps.allSatisfy { $0 >= .seconds(5) }, "\(gaps)")
        #expect(gaps.suffix(3).allSatisfy { $0 >= .seconds(gap) } && times.count == polls.count, "\(gaps)")
    }

    /// justrach/codegraff#311
    @Test func `a code ends at its time, and polls that fail are told`() async throws {
        server.onDeviceCode(#""expires_in": 900, "interval": 5"#)
        server.onTokens(.failure(.timedOut).delayed(by: .seconds(14)))
        let model = container(clock: clock).gitHubSignInViewModel()
        let signIn = Task { await model.signInByCode() }
        let told = prompt(await clock.run { await model.until { prompt($0)?.problem != nil } })
        #expect(told?.userCode == "A-B" && told?.problem?.kind == .timedOut && told?.problem?.action == nil)
        await clock.run { await signIn.value }
        #expect(model.state.message?.text == "The time to sign in has expired. Try again.")
        #expect(clock.now.offset <= .seconds(915) && clock.now.offset >= .seconds(860))
    }

    /// zitadel/zitadel#9419
    @Test(arguments: [7200.0, -7200], [28_800, 300])
    func `a clock that is wrong at a sign-in causes no refresh`(offset: Double, lifetime: Int) async throws {
        scriptUser()
        now.withLock { $0 += offset }
        let fields = #""expires_in": \#(lifetime), "refresh_token": "ghr_good_1234567890", "scope": """#
        scriptDevice([.token(fields: fields)])
        let container = container()
        let model = container.gitHubSignInViewModel()
        await model.signInByCode()
        for _ in 1...9 { _ = try await container.userRepository().ownProfile() }
        now.withLock { $0 += 60 }
        _ = try await container.userRepository().ownProfile()
        #expect(model.isSignedIn && server.requests.count { $0.url.path() == "/login/oauth/access_token" } == 1)
    }

    @Test(arguments: [204, 200, 404, 422], ["docs.github.com/rest", "api.github.com/help", "a.example"])
    func `only the service's own word says that a token is revoked or gone`(status: Int, page: String) async throws {
        scriptUser()
        // The page of GitHub's that an error names is evidence, as an identifier is.
        let isRevoked = status == 204 || (status != 200 && page != "a.example")
        let json = #"{"message":"Not Found","documentation_url":"https://\#(page)"}"#
        let word = ScriptedServer.Response.status(status, headers: isRevoked ? .gitHub : [:])
        let response = status < 400 ? word : .json(json, status: status)
        server.on(.delete, "/applications/client/token", response: isRevoked ? response : response.ofProxy())
        let container = container(secret: try Secret("client-secret-1"))
        try await container.signIn("ghp_good_1234567890")
        let account = await container.account()
        account.askToSignOut()
        await account.signOut()
        #expect(container.gitHubSession().current.user == nil)
        #expect((account.state.notice == nil) == isRevoked, "\(account.state.notice?.text ?? "")")
    }

    @Test(arguments: [204, 500, nil], [true, false])
    func `a token that arrives as the person cancels is revoked, or used`(
        revocation: Int?,
        isByCode: Bool
    ) async throws {
        scriptUser()
        server.onDeviceCode()
        let tokens = server.onTokens(granted.held())
        let answer = ScriptedServer.Response.status(revocation ?? 404, headers: .gitHub)
        let revocations = server.on(.delete, "/applications/client/token", times: .any, response: answer)
        let container = container(secret: try revocation.map { _ in try Secret("client-secret-1") })
        let model = container.gitHubSignInViewModel()
        let state = isByCode ? "" : try model.begin().state
        let signIn = Task { if isByCode { await model.signInByCode() } else { try await model.callBack(state) } }
        await tokens.waitForRequests(1)
        model.cancel()
        server.release()
        try await signIn.value
        #expect(revocations.requests.count == (revocation == nil ? 0 : 1))
        #expect(model.isSignedIn == (revocation != 204))
        #expect((container.gitHubSession().current.user == nil) == (revocation == 204))
    }
}
