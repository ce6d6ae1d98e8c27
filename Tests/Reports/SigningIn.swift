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
    private let server = ScriptedServer()
    private let now = Monitor(Date(timeIntervalSince1970: 1_800_000_000))
    private let name = Monitor("mona")
    private let tokenPath = "https://github.com/login/oauth/access_token"
    private let pending = ScriptedServer.Response.json(#"{"error": "authorization_pending"}"#)
    private let granted = ScriptedServer.Response.json(
        #"{"access_token": "gho_good_1234567890", "scope": "public_repo"}"#
    )

    private func container(
        clock: any Clock<Duration> = ImmediateClock(),
        secret: Secret? = nil,
        server other: ScriptedServer? = nil
    ) -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
        }
        configuration.clock = clock
        configuration.now = { [now] in now.value }
        configuration.retries = .never
        configuration.gitHub.app = .gitHub(
            clientID: "client",
            clientSecret: secret,
            redirect: URL(string: "myapp://callback")
        )
        return .production(on: (other ?? server).transport(), configuration: configuration)
    }

    private nonisolated func user(_ id: Int, _ login: String) -> ScriptedServer.Response {
        .json(#"{"id": \#(id), "login": "\#(login)", "type": "User"}"#, headers: .gitHub)
    }

    /// Answers `GET /user` for good tokens only.
    private func scriptUser(_ failure: ScriptedServer.Response? = nil, on other: ScriptedServer? = nil) {
        let server = other ?? server
        let refusal = ScriptedServer.Response.json(#"{"message": "Bad credentials"}"#, status: 401, headers: .gitHub)
        server.on(
            .get,
            "/user",
            times: .any,
            response: .computed { [name] request in
                let isGood = request.headers["Authorization"]?.contains("good") == true
                return isGood ? user(1, name.value) : failure ?? refusal
            }
        )
        server.on(.get, "/user/starred", times: .any, response: .json("[]", headers: .gitHub))
    }

    private func scriptDevice(
        on other: ScriptedServer? = nil,
        lifetime: Int = 899,
        _ polls: [ScriptedServer.Response]
    ) {
        let server = other ?? server
        server.on(
            .post,
            "https://github.com/login/device/code",
            times: .any,
            response: .json(
                #"{"device_code": "dc", "user_code": "A-B", "verification_uri": "https://github.com/login/device", "#
                    + #""expires_in": \#(lifetime), "interval": 5}"#
            )
        )
        if !polls.isEmpty { server.on(.post, tokenPath, responses: polls) }
    }

    private func isSignedIn(_ model: SignInViewModel<GitHub.User>) -> Bool {
        if case .signedIn = model.state { true } else { false }
    }

    @Test(arguments: [nil, ScriptedServer.Response.failure(.notConnectedToInternet), .status(503)])
    func `a pasted token that can't be used leaves the person signed in`(failure: ScriptedServer.Response?) async throws
    {
        scriptUser(failure)
        let container = container()
        let (session, tokens) = (container.gitHubSession(), container.gitHubTokenRepository())
        try await session.signIn(with: Credentials(token: Secret("ghp_good_1234567890")))
        let model = container.gitHubSignInViewModel()
        await model.signIn(withToken: "ghp_typo_1234567890")
        #expect(model.state.message != nil)
        if failure == nil { #expect(model.state.message?.text.contains("doesn’t accept this token") == true) }
        #expect(session.current.user?.login == GitHub.Login("mona"))
        #expect(try await tokens.current()?.credentials.token == Secret("ghp_good_1234567890"))
        let own = try await container.userRepository().ownProfile()
        #expect(own.user.login == GitHub.Login("mona"))
    }

    @Test func `the first token that is refused is named as refused`() async throws {
        scriptUser()
        let container = container()
        scriptDevice([.json(#"{"access_token": "gho_bad_1234567890", "scope": ""}"#)])
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
        try await container.gitHubSession().signIn(with: Credentials(token: Secret("ghp_good_1234567890")))
        let account = container.gitHubAccountViewModel()
        await account.show()
        name.withLock { $0 = "mona-new" }
        await account.refresh()
        #expect(account.state.user?.login == GitHub.Login("mona-new"))
        #expect(account.showPublicProfile()?.path == "/github/accounts/1")
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
        .body(Data("Forbidden".utf8), status: 403, headers: ["Content-Type": "text/plain"]),
        .body(Data("Bad Request".utf8), status: 400, headers: ["Content-Type": "text/plain"]),
        .json(#"{"message": "Forbidden"}"#, status: 403), .json(#"{"error": "authorization_pen"#), .json("[]"),
        .body(Data(), headers: ["Content-Type": "application/json"]), .status(404),
        .status(302, headers: ["Location": "http://portal.example/"]),
    ]

    @Test(arguments: oddPolls.indices)
    func `only the OAuth server's own error ends the polling`(index: Int) async {
        scriptUser()
        scriptDevice([pending, Self.oddPolls[index], granted])
        let model = container().gitHubSignInViewModel()
        await model.signInByCode()
        #expect(isSignedIn(model), "\(model.state)")
    }

    @Test func `polls that are lost don't make the next ones rare`() async {
        scriptUser()
        let (clock, times) = (TestClock(), Monitor<[Duration]>([]))
        func noted(_ response: ScriptedServer.Response) -> ScriptedServer.Response {
            .computed { _ in
                times.withLock { $0.append(clock.now.offset) }
                return response
            }
        }
        let lost = ScriptedServer.Response.failure(.networkConnectionLost)
        scriptDevice(([pending] + Array(repeating: lost, count: 8) + [pending, granted]).map(noted))
        let model = container(clock: clock).gitHubSignInViewModel()
        await clock.run { await model.signInByCode() }
        #expect(isSignedIn(model))
        #expect(times.value.suffix(2).reduce(.zero) { $1 - $0 } == .seconds(5))
    }

    @Test func `polls a last time before the code expires`() async {
        scriptUser()
        let clock = TestClock()
        // Polls at 5, 15, 30, 50, 75, 105, 140, …, 855: the next pause would exceed the lifetime.
        let lost = ScriptedServer.Response.failure(.networkConnectionLost)
        scriptDevice(Array(repeating: lost, count: 17) + [granted])
        let model = container(clock: clock).gitHubSignInViewModel()
        await clock.run { await model.signInByCode() }
        #expect(isSignedIn(model), "\(model.state)")
        #expect(clock.now.offset < .seconds(899))
    }

    @Test(arguments: [660.0, 31_536_000, -120])
    func `setting the clock doesn't end a sign-in`(step: Double) async {
        scriptUser()
        scriptDevice([granted, granted])
        let container = container()
        let model = container.gitHubSignInViewModel()
        _ = model.signInByBrowser()
        guard case .waitingForBrowser(let page) = model.state else { Issue.record("\(model.state)"); return }
        let query = URLComponents(string: page.rawValue)?.queryItems
        let state = query?.first { $0.name == "state" }?.value ?? ""
        now.withLock { $0 += step }
        await model.finishSignIn(with: URL(string: "myapp://callback?code=abc123456789&state=\(state)")!)
        #expect(isSignedIn(model), "\(model.state)")
        let device = container.gitHubSignInViewModel()
        async let signedIn: Void = device.signInByCode()
        now.withLock { $0 += step }
        await signedIn
        #expect(isSignedIn(device), "\(device.state)")
    }

    /// charmbracelet/crush#3399
    @Test(arguments: [nil, 12])
    func `no poll is earlier than the interval in force`(newInterval: Int?) async {
        let clock = TestClock()
        let server = ScriptedServer(clock: clock)
        scriptUser(on: server)
        let polls = Monitor<[Duration]>([])
        let poll = ScriptedServer.Response.computed { [pending, granted] _ in
            let now = clock.now.offset
            let times = polls.withLock { times in
                times.append(now)
                return times
            }
            if newInterval != nil, times.count == 1 {
                return .json(#"{"error": "slow_down", "interval": \#(newInterval ?? 0)}"#)
            }
            return now < .seconds(12) ? pending : granted
        }
        scriptDevice(on: server, Array(repeating: poll.delayed(by: .milliseconds(300)), count: 4))
        let model = container(clock: clock, server: server).gitHubSignInViewModel()
        await clock.run { await model.signInByCode() }
        #expect(isSignedIn(model))
        let gaps = zip(polls.value, polls.value.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 >= .seconds(newInterval ?? 5) } && polls.value.first ?? .zero >= .seconds(5))
        #expect(polls.value.count == (newInterval == nil ? 3 : 2))
    }

    /// justrach/codegraff#311
    @Test func `a code ends at its time, and polls that fail are told`() async throws {
        let clock = TestClock()
        let server = ScriptedServer(clock: clock)
        scriptDevice(on: server, lifetime: 900, [])
        let lost = ScriptedServer.Response.failure(.timedOut).delayed(by: .seconds(14))
        server.on(.post, tokenPath, times: .any, response: lost)
        let model = container(clock: clock, server: server).gitHubSignInViewModel()
        let signIn = Task { await model.signInByCode() }
        await clock.run {
            for await state in model.states.every {
                if case .waitingForCode(let prompt) = state, prompt.problem != nil { break }
            }
        }
        guard case .waitingForCode(let prompt) = model.state else { Issue.record("\(model.state)"); return }
        #expect(prompt.userCode == "A-B" && prompt.problem?.kind == .timedOut && prompt.problem?.action == nil)
        await clock.run { await signIn.value }
        #expect(model.state.message?.text == "The time to sign in has expired. Try again.")
        #expect(clock.now.offset <= .seconds(915) && clock.now.offset >= .seconds(860))
    }

    /// zitadel/zitadel#9419
    @Test(arguments: [7200.0, -7200], [28_800, 300])
    func `a clock that is wrong at a sign-in causes no refresh`(offset: Double, lifetime: Int) async throws {
        scriptUser()
        now.withLock { $0 += offset }
        let fields = #""expires_in": \#(lifetime), "refresh_token": "ghr_good_1234567890""#
        scriptDevice([.json(#"{"access_token": "gho_good_1234567890", "scope": "", \#(fields)}"#)])
        let container = container()
        let model = container.gitHubSignInViewModel()
        await model.signInByCode()
        for _ in 1...9 { _ = try await container.userRepository().ownProfile() }
        now.withLock { $0 += 60 }
        _ = try await container.userRepository().ownProfile()
        #expect(isSignedIn(model) && server.requests.count { $0.url.path() == "/login/oauth/access_token" } == 1)
    }

    @Test(arguments: [true, false])
    func `a token that arrives as the person cancels is revoked, or used`(isRevocable: Bool) async throws {
        scriptUser()
        scriptDevice([granted])
        let revocations = server.on(
            .delete,
            "/applications/client/token",
            times: .any,
            response: .status(204, headers: .gitHub)
        )
        let (hasArrived, isCanceled) = (Monitor(false), Monitor(false))
        let secret = isRevocable ? try Secret("client-secret-1") : nil
        let server = self.container(secret: secret).gitHubAuthorizationRepository()
        let container = self.container(secret: secret)
        container.gitHubAuthorizationRepository.override { _ in
            RacingServer(server: server, hasArrived: hasArrived, isCanceled: isCanceled)
        }
        let model = container.gitHubSignInViewModel()
        async let signIn: Void = model.signInByCode()
        await hasArrived.wait { $0 }
        model.cancel()
        isCanceled.withLock { $0 = true }
        await signIn
        #expect(revocations.requests.count == (isRevocable ? 1 : 0))
        #expect(isSignedIn(model) != isRevocable)
        #expect((container.gitHubSession().current.user == nil) == isRevocable)
    }
}

/// An OAuth server whose answer to a poll arrives when the person cancels.
private struct RacingServer: AuthorizationRepository {
    let server: any AuthorizationRepository
    let hasArrived: Monitor<Bool>
    let isCanceled: Monitor<Bool>

    func webPage(state: String, verifier: Secret) throws(BrowseError) -> (page: URL, redirect: URL) {
        try server.webPage(state: state, verifier: verifier)
    }
    func exchange(_ code: Secret, verifier: Secret) async throws(BrowseError) -> Credentials {
        try await server.exchange(code, verifier: verifier)
    }
    func deviceCode() async throws(BrowseError) -> DeviceCode { try await server.deviceCode() }
    func refresh(_ refreshToken: Secret) async throws(BrowseError) -> Credentials {
        try await server.refresh(refreshToken)
    }
    func revoke(_ credentials: Credentials) async throws(BrowseError) { try await server.revoke(credentials) }
    var canRevoke: Bool { server.canRevoke }

    func poll(_ code: DeviceCode) async throws(BrowseError) -> DevicePoll {
        let poll = try await server.poll(code)
        hasArrived.withLock { $0 = true }
        // Not the caller's task, which is canceled.
        await Task { [isCanceled] in await isCanceled.wait { $0 } }.value
        return poll
    }
}
