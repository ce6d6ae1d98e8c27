import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Tokens that expire, how they are replaced, and when a session ends.
@MainActor
@Suite(.bounded)
struct `Reports about refreshes` {
    private let server: ScriptedServer
    private let clock = TestClock()
    /// The seconds by which the computer's clock is ahead.
    private let offset = Monitor(0.0)

    init() { server = ScriptedServer(clock: clock) }

    private func container(
        _ store: (any TokenStore)? = nil,
        retries: RetryPolicy = .never,
        limits: HTTPLimits = HTTPLimits()
    ) -> Container {
        server.onSession(as: .mona)
        return .reports(server, clock: clock, retries: retries, isCaching: false, store: store) {
            $0.limits = limits
            $0.now = { now() }
            $0.gitHub.app = .gitHub(clientID: "client", clientSecret: try? Secret("client-secret-1"))
        }
    }

    /// A container with a session whose token has expired.
    private func expired(_ store: (any TokenStore)? = nil) async throws -> Container {
        let container = container(store)
        try await container.signIn(at: now(), lifetime: 300)
        await clock.advance(by: .seconds(300))
        return container
    }

    private nonisolated func now() -> Date { Date.reports + clock.now.offset / .seconds(1) + offset.value }

    /// Answers refreshes with the next tokens, after some failures; returns the spent tokens.
    private func scriptRefreshes(
        lifetime: String = "300",
        _ failures: [ScriptedServer.Response] = []
    ) -> Monitor<[String]> {
        let spent = Monitor<[String]>([])
        for failure in failures { server.onTokens(failure, times: 1) }
        server.compute(.post, "https://github.com/login/oauth/access_token") { request in
            spent.withLock { $0.append(Self.refreshToken(of: request)) }
            let number = spent.value.count
            let (token, next) = ("gho_\(number)_1234567890", "ghr_\(number)_1234567890")
            return .token(token, fields: #""expires_in": \#(lifetime), "refresh_token": "\#(next)", "scope": """#)
        }
        return spent
    }

    private nonisolated static func refreshToken(of request: HTTPClient.Request?) -> String {
        URLComponents(string: "?" + String(decoding: request?.body ?? Data(), as: UTF8.self))?
            .queryItems?.first { $0.name == "refresh_token" }?.value ?? ""
    }

    private nonisolated static let finalRefusal = ScriptedServer.Response.json(#"{"error": "bad_refresh_token"}"#)

    @discardableResult
    private func ownProfile(_ container: Container) async throws -> GitHub.UserProfile {
        try await clock.run { try await container.userRepository().ownProfile() }
    }

    /// anomalyco/opencode#49439, coder/coder#17069
    @Test func `processes that share a session spend each refresh token once`() async throws {
        let spent = scriptRefreshes(lifetime: "28800")
        let store = InMemoryTokenStore()
        // The clock runs while some wait for the lock, however long a refresh takes.
        let retries = RetryPolicy(attempts: 1, deadline: .seconds(90_000))
        let limits = HTTPLimits(duration: .seconds(90_000))
        let containers = (0..<7).map { _ in container(store, retries: retries, limits: limits) }
        try await containers[0].signIn(at: now(), lifetime: 28_800)
        for container in containers { await container.gitHubSession().start() }
        for _ in 1...12 {
            await clock.advance(by: .seconds(28_800))
            await clock.run {
                await withTaskGroup { group in
                    for one in containers + containers {
                        group.addTask { #expect((try? await one.userRepository().ownProfile())?.user.login == .mona) }
                    }
                }
            }
        }
        #expect(spent.value.count == 12 && Set(spent.value).count == 12)
        #expect(containers.allSatisfy { $0.gitHubSession().current.user != nil })
    }

    /// pomerium/pomerium#6801
    @Test func `a refused refresh removes only the pair that was refused`() async throws {
        let store = InMemoryTokenStore()
        let container = container(store)
        let newer = Monitor<Credentials?>(nil)
        server.compute(.post, "https://github.com/login/oauth/access_token") { _ in
            if let newer = newer.value { try? await store.save(newer) }
            return Self.finalRefusal
        }
        try await container.signIn(at: now(), lifetime: 300)
        var second = try #require(try await store.load())
        second.token = try Secret("gho_second_1234567890")
        second.refreshToken = try Secret("ghr_second_1234567890")
        second.expiresAt = .reports + 90_000
        newer.withLock { [second] in $0 = second }
        await clock.advance(by: .seconds(300))
        await withTaskGroup { group in
            for _ in 1...4 { group.addTask { #expect((try? await container.userRepository().ownProfile()) != nil) } }
        }
        #expect(try await store.load()?.token == second.token && container.gitHubSession().current.user != nil)
        #expect(server.requests.last?.headers["Authorization"] == "Bearer gho_second_1234567890")
    }

    /// coder/coder#23473
    @Test(arguments: [ScriptedServer.Response.status(500, headers: .gitHub), .failure(.timedOut)])
    func `a refreshed pair is stored before anything else is read`(failure: ScriptedServer.Response) async throws {
        let spent = scriptRefreshes(lifetime: "28800")
        let store = InMemoryTokenStore()
        let first = try await expired(store)
        server.on(.get, "/users/a", response: failure)
        server.on(.get, "/users/b", response: .user(2, "b"))
        let profile = await clock.run { await first.profile(of: "a") }
        #expect(profile.state.content.status.message != nil)
        #expect(try await store.load()?.token == Secret("gho_1_1234567890"))
        let next = await container(store).started()
        _ = try await next.userRepository().profile(of: GitHub.Login("b"))
        #expect(server.requests.last?.headers["Authorization"] == "Bearer gho_1_1234567890")
        #expect(spent.value == ["ghr_old_1234567890"] && next.gitHubSession().current.user != nil)
    }

    /// coder/coder#24334
    @Test(arguments: [
        ScriptedServer.Response.json(#"{"message": "Slow down"}"#, status: 403, headers: ["Retry-After": "60"]),
        .json(#"{"message": "Slow down"}"#, status: 429, headers: ["Retry-After": "60"]), .html(403),
    ])
    func `a refresh that is limited or blocked ends no session`(failure: ScriptedServer.Response) async throws {
        let spent = scriptRefreshes(lifetime: "28800", [failure])
        let container = try await expired()
        switch await #expect(throws: BrowseError.self, performing: { try await ownProfile(container) }) {
        case .rateLimited(let limit, _): #expect(limit.retryAt == .reports + 360)
        case .unreachable(.intercepted, _): break
        case let error: Issue.record("\(String(describing: error))")
        }
        await clock.advance(by: .seconds(60))
        #expect(try await ownProfile(container).user.login == .mona)
        #expect(spent.value.count == 1 && container.gitHubSession().current.user != nil)
    }

    /// coder/coder#25686, huskarl-rs/huskarl#198, fenichelar/ember-simple-auth-token#300
    @Test func `requests that wait for a refresh outlast a server that is down for seconds`() async throws {
        let down = ScriptedServer.Response.json(#"{"error": "invalid_grant"}"#, status: 503)
        let spent = scriptRefreshes(lifetime: "28800", [down, .status(503)])
        let container = try await expired()
        let begin = clock.now.offset
        await clock.run {
            await withTaskGroup { group in
                for id in 1...4 {
                    server.on(.get, "/users/u\(id)", response: .user(id, "u\(id)"))
                    let login = GitHub.Login("u\(id)")
                    group.addTask { #expect((try? await container.userRepository().profile(of: login)) != nil) }
                }
            }
        }
        #expect(spent.value.count == 1 && clock.now.offset - begin <= .seconds(15))
    }

    /// coder/coder#25686, coder/coder#15608
    @Test func `a refresh that is refused for good isn't sent again`() async throws {
        let refreshes = server.onTokens(Self.finalRefusal)
        let container = try await expired()
        let ends = Monitor(0)
        let observer = Task { [sessions = container.gitHubSession().sessions] in
            for await session in sessions { if case .signedOut = session { ends.withLock { $0 += 1 } } }
        }
        server.on(.get, "/users/hubot", response: .user(2, "hubot"))
        _ = try? await ownProfile(container)
        for _ in 1...200 { _ = try? await container.userRepository().profile(of: GitHub.Login("hubot")) }
        #expect(refreshes.requests.count == 1)
        #expect(server.requests.last?.headers["Authorization"] == nil)
        await ends.wait { $0 > 0 }
        #expect(ends.value == 1 && container.gitHubSession().current == .signedOut(.revoked))
        observer.cancel()
    }

    /// Kong/insomnia#1492
    @Test(arguments: ["", #", "refresh_token": """#, #", "refresh_token": null"#])
    func `a refresh token stays in use until there is a new one`(field: String) async throws {
        let answer = Monitor(field)
        let refreshes = server.compute(.post, "https://github.com/login/oauth/access_token") { request in
            let number = request.body?.count ?? 0
            return .token("gho_\(number)\(answer.value.count)", fields: #""expires_in": 300\#(answer.value)"#)
        }
        let container = container()
        try await container.signIn(at: now(), lifetime: 300)
        for token in ["ghr_old_1234567890", "ghr_old_1234567890", "ghr_new"] {
            await clock.advance(by: .seconds(300))
            try await ownProfile(container)
            #expect(Self.refreshToken(of: refreshes.requests.last) == token)
            if refreshes.requests.count == 1 { answer.withLock { $0 = #", "refresh_token": "ghr_new""# } }
        }
        #expect(refreshes.requests.count == 3)
    }

    /// home-assistant/core#39489
    @Test(arguments: [
        (#""28800""#, 1), ("28800.0", 1), ("28800", 1), ("null", 0), ("0", 0), ("-1", 0), ("1e20", 0),
        (#""soon""#, 0),
    ])
    func `any lifetime of a token is understood, or unknown`(lifetime: String, refreshCount: Int) async throws {
        let spent = scriptRefreshes()
        server.onDeviceCode(#""expires_in": "900", "interval": "5""#)
        let fields = #""refresh_token": "ghr_first", "expires_in": \#(lifetime)"#
        server.on(
            .post("https://github.com/login/oauth/access_token").form(["device_code": "dc"]),
            response: .token("gho_first_1234567890", fields: fields)
        )
        let container = container()
        let model = container.gitHubSignInViewModel()
        await clock.run { await model.signInByCode() }
        for hours in [1, 10] {
            try await ownProfile(container)
            #expect(spent.value.count <= refreshCount)
            await clock.advance(by: .seconds(hours * 3600))
        }
        try await ownProfile(container)
        #expect(spent.value.count == refreshCount)
    }

    /// workos/authkit-nextjs#470, ginlix-ai/LangAlpha#387
    @Test(arguments: [(0.0, -1200.0), (10_800, 0), (0, 10_800)])
    func `the service's word counts, not the computer's clock`(before: Double, after: Double) async throws {
        let spent = scriptRefreshes(lifetime: "600")
        offset.withLock { $0 = before }
        let container = container()
        for path in ["/users/hubot", "/user/2"] {
            server.compute(.get, path) { [clock] request in
                let isOld = request.headers["Authorization"] == "Bearer gho_old_1234567890"
                return isOld && clock.now.offset > .seconds(600) ? .badCredentials : .user(2, "hubot")
            }
        }
        try await container.signIn(at: now(), lifetime: 600)
        offset.withLock { $0 = after }
        let profile = container.userProfileViewModel()
        await clock.advance(by: .seconds(601))
        for _ in 1...9 {
            await clock.run { await profile.show(GitHub.Login("hubot")) }
            await clock.run { await profile.refresh() }
            #expect(profile.state.content.details != nil && profile.state.notice == nil, "\(profile.state)")
            await clock.advance(by: .seconds(50))
        }
        #expect(spent.value.count == 1 && container.gitHubSession().current.user != nil)
    }

    /// boardsesh/boardsesh#4001, GlycemicGPT/GlycemicGPT#859, product-os/jellyfish#5872
    @Test(arguments: [true, false])
    func `a start without a network shows the account, and asks rarely`(hasLifetime: Bool) async throws {
        let store = InMemoryTokenStore()
        let isOffline = Monitor(false)
        let spent = scriptRefreshes(lifetime: "28800")
        let offline = server.on(
            .post("https://github.com/login/oauth/access_token").matching("offline") { _ in isOffline.value },
            times: .any,
            response: .offline
        )
        let reads = server.compute(.get, "/users/hubot") { _ in isOffline.value ? .offline : .user(2, "hubot") }
        try await container(store).signIn(at: now(), lifetime: 300)
        if !hasLifetime {
            var credentials = try #require(try await store.load())
            credentials.expiresAt = nil
            try await store.save(credentials)
        }
        await clock.advance(by: .seconds(86_400))
        isOffline.withLock { $0 = true }
        let next = await container(store).started()
        try await next.addFavorite(2, "hubot")
        #expect(await next.favorites().state.content.rows.count == 1)
        let profile = next.userProfileViewModel()
        for _ in 1...30 {
            await clock.run { await profile.show(GitHub.Login("hubot")) }
            await clock.advance(by: .seconds(20))
        }
        #expect(next.gitHubSession().current.user?.login == .mona)
        #expect(profile.state.content.status.message?.kind == .offline)
        #expect(offline.requests.count < 20 && reads.requests.count <= 30)
        isOffline.withLock { $0 = false }
        await clock.advance(by: .seconds(30))
        await clock.run { await profile.retry() }
        #expect(profile.state.content.details != nil)
        #expect(spent.value.count == (hasLifetime ? 1 : 0))
    }

    /// octokit/handbook#8
    @Test(arguments: [1, 2])
    func `a new token that some servers don't know yet is given time`(count: Int) async throws {
        let json = #"{"message": "Resource not accessible by integration"}"#
        let denial = ScriptedServer.Response.json(json, status: 403, headers: .gitHub)
        server.on(.get, "/user", responses: Array(repeating: denial, count: count))
        let container = container()
        try await clock.run { try await container.signIn(at: .reports) }
        #expect(container.gitHubSession().current.user?.login == .mona)
        // Later, a permission is missing.
        server.on(.get, "/users/octocat", response: denial)
        await clock.advance(by: .seconds(60))
        let profile = await container.profile()
        #expect(profile.state.content.status.message?.kind == .forbidden)
    }

    // MARK: The end of a session

    @Test(arguments: [2.0, 9.1, 12.0])
    func `a token is as old as when it was sent, however long its refusal takes`(latency: Double) async throws {
        let container = container(retries: .standard)
        try await container.signIn(at: .reports)
        await clock.advance(by: .seconds(1))
        let late = ScriptedServer.Response.badCredentials.delayed(by: .seconds(latency))
        server.on(.get, "/users/octocat", responses: [late, .user(2, "octocat")])
        let profile = await clock.run { await container.profile() }
        #expect(container.gitHubSession().current.user != nil && profile.state.content.details != nil)
    }

    @Test func `a request that isn't sent isn't refused`() async throws {
        let container = container(retries: .standard)
        try await container.signIn(at: .reports)
        server.on(.get, "/users/a", responses: [.badCredentials, .user(2, "a")])
        server.on(.get, "/users/b", response: .user(3, "b"))
        await clock.advance(by: .seconds(9.5))
        let one = Task { await container.profile(of: "a") }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(0.7))
        let two = Task { await container.profile(of: "b") }
        let profiles = await clock.run { [await one.value, await two.value] }
        #expect(profiles.allSatisfy { $0.state.content.details != nil })
        #expect(container.gitHubSession().current.user != nil)
    }

    @Test func `rows follow the scopes of a refreshed token`() async throws {
        let container = container(retries: .standard)
        server.on(.get, "/users/mona/repos", response: .repos())
        let fields = #""expires_in": 28800, "refresh_token": "ghr_new_1", "scope": "gist""#
        server.onTokens(.token("gho_new_1234567890", fields: fields))
        try await container.signIn(at: .reports, lifetime: 3600, scopes: ["public_repo"])
        let list = await container.repos(.ofMona)
        #expect(list.state.content.rows.map(\.canStar) == [true])
        await clock.advance(by: .seconds(3600))
        _ = try await container.userRepository().ownProfile()
        await list.until { $0.content.rows.map(\.canStar) == [false] }
    }

    @Test func `a refresh token that is too long ends the session with its token, and says why`() async throws {
        let container = container(retries: .standard)
        let long = String(repeating: "r", count: 1 << 17)
        let fields = #""expires_in": 28800, "refresh_token": "\#(long)", "scope": """#
        let refreshes = server.onTokens(.token("gho_new_1234567890", fields: fields))
        let answer = Monitor(ScriptedServer.Response.user(2, "hubot"))
        server.compute(.get, "/users/hubot") { _ in answer.value }
        try await container.signIn(at: .reports, lifetime: 3600)
        let account = await container.account()
        let profile = container.userProfileViewModel()
        for hours in [1, 4] {
            await clock.advance(by: .seconds(hours * 3600))
            await clock.run { await profile.show(GitHub.Login("hubot")) }
            #expect(profile.state.content.details != nil && refreshes.requests.count == 1)
        }
        await clock.advance(by: .seconds(5 * 3600))
        answer.withLock { $0 = .badCredentials }
        await clock.run { await profile.show(GitHub.Login("hubot")) }
        #expect(refreshes.requests.count == 1)
        await account.until { $0.content.status.message?.text == "Your sign-in to GitHub has expired. Sign in again." }
    }

    /// vectorize-io/hindsight#4286, arcee-ai/nac#43
    @Test func `a newer stored token is used, even if its folder can't be locked`() async throws {
        let store = FailingTokenStore(canLock: false)
        let container = try await expired(store)
        var newer = try #require(try await store.load())
        (newer.token, newer.expiresAt) = (try Secret("gho_second_1234567890"), .reports + 90_000)
        try await store.save(newer)
        try await ownProfile(container)
        #expect(server.requests.last?.headers["Authorization"] == "Bearer gho_second_1234567890")
    }

    /// uber/rides-java-sdk#14, anthropics/claude-code#86828, octokit/octokit.js#2709
    @Test(arguments: [
        (#"{"message":"No"}"#, #"Bearer error="insufficient_scope", scope="a""#, true),
        (#"{"message":"Requires authentication"}"#, "Bearer", false),
        (#"{"message":"Must authenticate to access this API."}"#, "Bearer", false),
    ])
    func `a 401 about a scope, or about a token that a proxy removed, ends no session`(
        refusal: (json: String, challenge: String, isAboutScope: Bool)
    ) async throws {
        let headers: HTTPHeaders = .gitHub(["WWW-Authenticate": refusal.challenge])
        let response = ScriptedServer.Response.json(refusal.json, status: 401, headers: headers)
        server.on(.get, "/users/octocat/repos", times: .any, response: response)
        let container = container()
        try await container.signIn(at: now() - 60)
        let message = await clock.run { await container.repos().state.content.status.message }
        #expect(container.gitHubSession().current.user != nil)
        #expect((message?.kind == .forbidden) == refusal.isAboutScope && message?.action != .signIn)
    }
}
