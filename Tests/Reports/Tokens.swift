import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// When a session ends, and when it doesn't.
@MainActor
@Suite(.bounded)
struct `Reports about tokens` {
    private let server: ScriptedServer
    private let clock = TestClock()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() { server = ScriptedServer(clock: clock) }

    private func container() -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
        }
        configuration.clock = clock
        configuration.now = clock.now(from: start)
        configuration.gitHub.app = .gitHub(clientID: "client", clientSecret: try? Secret("client-secret-1"))
        server.on(.get, "/user", times: .any, response: user(1, "mona"))
        server.on(.get, "/user/starred", times: .any, response: .json("[]", headers: .gitHub))
        return .production(on: server.transport(), configuration: configuration)
    }

    private func user(_ id: Int, _ login: String) -> ScriptedServer.Response {
        .json(#"{"id": \#(id), "login": "\#(login)", "type": "User"}"#, headers: .gitHub)
    }

    private var refusal: ScriptedServer.Response {
        .json(#"{"message": "Bad credentials"}"#, status: 401, headers: .gitHub)
    }

    /// Signs in with a token that was issued now.
    private func signIn(_ container: Container, lifetime: TimeInterval? = nil, scopes: [String] = []) async throws {
        var credentials = Credentials(token: try Secret("gho_old_1234567890"), scopes: scopes)
        credentials.issuedAt = start + clock.now.offset / .seconds(1)
        credentials.expiresAt = lifetime.map { start + $0 }
        if lifetime != nil { credentials.refreshToken = try Secret("ghr_old_1234567890") }
        try await container.gitHubSession().signIn(with: credentials)
    }

    @Test(arguments: [2.0, 9.1, 12.0])
    func `a token is as old as when it was sent, however long its refusal takes`(latency: Double) async throws {
        let container = container()
        try await signIn(container)
        await clock.advance(by: .seconds(1))
        server.on(
            .get,
            "/users/hubot",
            responses: [refusal.delayed(by: .seconds(latency)), user(2, "hubot")]
        )
        let profile = container.userProfileViewModel()
        await clock.run { await profile.show(GitHub.Login("hubot")) }
        #expect(container.gitHubSession().current.user != nil && profile.state.content.details != nil)
    }

    @Test func `a request that isn't sent isn't refused`() async throws {
        let container = container()
        try await signIn(container)
        server.on(.get, "/users/a", responses: [refusal, user(2, "a")])
        server.on(.get, "/users/b", response: user(3, "b"))
        await clock.advance(by: .seconds(9.5))
        let (first, second) = (container.userProfileViewModel(), container.userProfileViewModel())
        let one = Task { await first.show(GitHub.Login("a")) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(0.7))
        let two = Task { await second.show(GitHub.Login("b")) }
        await clock.run { for task in [one, two] { await task.value } }
        #expect(container.gitHubSession().current.user != nil)
        #expect(first.state.content.details != nil && second.state.content.details != nil)
    }

    @Test func `rows follow the scopes of a refreshed token`() async throws {
        let container = container()
        server.on(
            .get,
            "/users/mona/repos",
            times: .any,
            response: .json(
                #"[{"id": 7, "name": "r", "full_name": "mona/r"}]"#,
                headers: .gitHub
            )
        )
        server.on(
            .post,
            "https://github.com/login/oauth/access_token",
            response: .json(
                #"{"access_token": "gho_new_1234567890", "expires_in": 28800, "refresh_token": "ghr_new_1", "scope": "gist"}"#
            )
        )
        try await signIn(container, lifetime: 3600, scopes: ["public_repo"])
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: GitHub.Login("mona")))
        #expect(list.state.content.rows.map(\.canStar) == [true])
        await clock.advance(by: .seconds(3600))
        _ = try await container.userRepository().ownProfile()
        await list.until { $0.content.rows.map(\.canStar) == [false] }
    }

    @Test func `a refresh token that is too long ends the session with its token, and says why`() async throws {
        let container = container()
        let long = String(repeating: "r", count: 1 << 17)
        let refreshes = server.on(
            .post,
            "https://github.com/login/oauth/access_token",
            times: .any,
            response: .json(
                #"{"access_token": "gho_new_1234567890", "expires_in": 28800, "refresh_token": "\#(long)", "scope": ""}"#
            )
        )
        let answer = Monitor(user(2, "hubot"))
        server.on(.get, "/users/hubot", times: .any, response: .computed { _ in answer.value })
        try await signIn(container, lifetime: 3600)
        let account = container.gitHubAccountViewModel()
        await account.show()
        let profile = container.userProfileViewModel()
        for hours in [1, 4] {
            await clock.advance(by: .seconds(hours * 3600))
            await clock.run { await profile.show(GitHub.Login("hubot")) }
            #expect(profile.state.content.details != nil && refreshes.requests.count == 1)
        }
        await clock.advance(by: .seconds(5 * 3600))
        answer.withLock { $0 = refusal }
        await clock.run { await profile.show(GitHub.Login("hubot")) }
        #expect(refreshes.requests.count == 1)
        await account.until { $0.content.status.message?.text == "Your sign-in to GitHub has expired. Sign in again." }
    }
}

extension ViewModel {
    /// Returns the first state that meets a condition.
    @discardableResult
    fileprivate func until(_ condition: (State) -> Bool) async -> State {
        for await state in states.every where condition(state) { return state }
        return state
    }
}
