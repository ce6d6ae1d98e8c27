import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Tokens that expire, and how they are replaced.
@MainActor
@Suite(.bounded)
struct `Reports about refreshes` {
    private let server: ScriptedServer
    private let clock = TestClock()
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    /// The seconds by which the computer's clock is ahead.
    private let offset = Monitor(0.0)
    private let tokenPath = "https://github.com/login/oauth/access_token"

    init() { server = ScriptedServer(clock: clock) }

    private func container(_ store: (any TokenStore)? = nil) -> Container {
        var configuration = Configuration().with {
            $0.locale = Locale(identifier: "en_US")
            $0.timeZone = .gmt
        }
        configuration.clock = clock
        configuration.now = { [now = clock.now(from: start), offset] in now() + offset.value }
        configuration.retries = .never
        configuration.gitHub.app = .gitHub(clientID: "client", clientSecret: try? Secret("client-secret-1"))
        server.on(.get, "/user", times: .any, response: user(1, "mona"))
        server.on(.get, "/user/starred", times: .any, response: .json("[]", headers: .gitHub))
        let container = Container.production(on: server.transport(), configuration: configuration)
        if let store { container.gitHubTokenStore.override { _ in store } }
        return container
    }

    private func user(_ id: Int, _ login: String) -> ScriptedServer.Response {
        .json(#"{"id": \#(id), "login": "\#(login)", "type": "User"}"#, headers: .gitHub)
    }

    private var refusal: ScriptedServer.Response {
        .json(#"{"message": "Bad credentials"}"#, status: 401, headers: .gitHub)
    }

    /// Signs in with a token that was issued now.
    private func signIn(_ container: Container, lifetime: TimeInterval? = nil) async throws {
        var credentials = Credentials(token: try Secret("gho_old_1234567890"))
        let now = start + clock.now.offset / .seconds(1) + offset.value
        credentials.signInID = "mona"
        credentials.issuedAt = now
        credentials.expiresAt = lifetime.map { now + $0 }
        if lifetime != nil { credentials.refreshToken = try Secret("ghr_old_1234567890") }
        try await container.gitHubSession().signIn(with: credentials)
    }

    /// Answers a refresh with the next tokens, and counts the refresh tokens that are spent.
    private func scriptRefreshes(
        lifetime: String = "300",
        _ failures: [ScriptedServer.Response] = []
    ) -> (stub: ScriptedServer.Stub, spent: Monitor<[String]>) {
        let spent = Monitor<[String]>([])
        for failure in failures { server.on(.post, tokenPath, times: .exactly(1), response: failure) }
        let stub = server.on(
            .post,
            tokenPath,
            times: .any,
            response: .computed { request in
                let form = String(decoding: request.body ?? Data(), as: UTF8.self)
                let token = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }
                let number = spent.withLock { spent in
                    spent.append(String(token ?? ""))
                    return spent.count
                }
                return .json(
                    #"{"access_token": "gho_\#(number)_1234567890", "expires_in": \#(lifetime), "#
                        + #""refresh_token": "ghr_\#(number)_1234567890", "scope": ""}"#
                )
            }
        )
        return (stub, spent)
    }

    private nonisolated static let finalRefusal = ScriptedServer.Response.json(#"{"error": "bad_refresh_token"}"#)

    private func ownProfile(_ container: Container) async -> Result<GitHub.UserProfile, BrowseError> {
        await clock.run { () async -> Result<GitHub.UserProfile, BrowseError> in
            do throws(BrowseError) {
                return .success(try await container.userRepository().ownProfile())
            } catch {
                return .failure(error)
            }
        }
    }

    /// anomalyco/opencode#49439, coder/coder#17069
    @Test func `processes that share a session spend each refresh token once`() async throws {
        let (_, spent) = scriptRefreshes()
        let store = InMemoryTokenStore()
        let containers = (0..<7).map { _ in container(store) }
        try await signIn(containers[0], lifetime: 300)
        for container in containers { await container.gitHubSession().start() }
        for _ in 1...12 {
            await clock.advance(by: .seconds(300))
            await clock.run {
                await withTaskGroup { group in
                    for container in containers + containers {
                        group.addTask {
                            let profile = try? await container.userRepository().ownProfile()
                            #expect(profile?.user.login == GitHub.Login("mona"))
                        }
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
        server.on(
            .post,
            tokenPath,
            times: .any,
            response: .computed { _ in
                if let newer = newer.value { try? await store.save(newer) }
                return Self.finalRefusal
            }
        )
        try await signIn(container, lifetime: 300)
        var second = try #require(try await store.load())
        second.token = try Secret("gho_second_1234567890")
        second.refreshToken = try Secret("ghr_second_1234567890")
        second.expiresAt = start + 90_000
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
        let (_, spent) = scriptRefreshes(lifetime: "28800")
        let store = InMemoryTokenStore()
        let first = container(store)
        try await signIn(first, lifetime: 300)
        server.on(.get, "/users/a", response: failure)
        server.on(.get, "/users/b", response: user(2, "b"))
        await clock.advance(by: .seconds(300))
        let profile = first.userProfileViewModel()
        await clock.run { await profile.show(GitHub.Login("a")) }
        #expect(profile.state.content.status.message != nil)
        #expect(try await store.load()?.token == Secret("gho_1_1234567890"))
        let next = container(store)
        await next.gitHubSession().start()
        _ = try await next.userRepository().profile(of: GitHub.Login("b"))
        #expect(server.requests.last?.headers["Authorization"] == "Bearer gho_1_1234567890")
        #expect(spent.value == ["refresh_token=ghr_old_1234567890"] && next.gitHubSession().current.user != nil)
    }

    /// coder/coder#24334
    @Test(arguments: [
        ScriptedServer.Response.json(#"{"message": "Slow down"}"#, status: 403, headers: ["Retry-After": "60"]),
        .json(#"{"message": "Slow down"}"#, status: 429, headers: ["Retry-After": "60"]),
        .body(Data("<html>Blocked</html>".utf8), status: 403, headers: ["Content-Type": "text/html"]),
    ])
    func `a refresh that is limited or blocked ends no session`(failure: ScriptedServer.Response) async throws {
        let (_, spent) = scriptRefreshes(lifetime: "28800", [failure])
        let container = container()
        try await signIn(container, lifetime: 300)
        await clock.advance(by: .seconds(300))
        let result = await ownProfile(container)
        switch result {
        case .failure(.rateLimited(let limit, _)): #expect(limit.retryAt == start + 360)
        case .failure(.unreachable(.intercepted, _)): break
        default: Issue.record("\(result)")
        }
        await clock.advance(by: .seconds(60))
        #expect(try await ownProfile(container).get().user.login == GitHub.Login("mona"))
        #expect(spent.value.count == 1 && container.gitHubSession().current.user != nil)
    }

    /// coder/coder#25686
    @Test func `requests that wait for a refresh outlast a server that is down for seconds`() async throws {
        let (_, spent) = scriptRefreshes(lifetime: "28800", [.status(503), .status(503)])
        let container = container()
        try await signIn(container, lifetime: 300)
        await clock.advance(by: .seconds(300))
        let begin = clock.now.offset
        await clock.run {
            await withTaskGroup { group in
                for id in 1...4 {
                    server.on(.get, "/users/u\(id)", response: user(id, "u\(id)"))
                    group.addTask {
                        let profile = try? await container.userRepository().profile(of: GitHub.Login("u\(id)"))
                        #expect(profile != nil)
                    }
                }
            }
        }
        #expect(spent.value.count == 1 && clock.now.offset - begin <= .seconds(15))
    }

    /// coder/coder#25686, coder/coder#15608
    @Test func `a refresh that is refused for good isn't sent again`() async throws {
        let refreshes = server.on(.post, tokenPath, times: .any, response: Self.finalRefusal)
        let container = container()
        try await signIn(container, lifetime: 300)
        let ends = Monitor(0)
        let observer = Task { [sessions = container.gitHubSession().sessions] in
            for await session in sessions { if case .signedOut = session { ends.withLock { $0 += 1 } } }
        }
        server.on(.get, "/users/hubot", times: .any, response: user(2, "hubot"))
        await clock.advance(by: .seconds(300))
        _ = await ownProfile(container)
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
        let refreshes = server.on(
            .post,
            tokenPath,
            times: .any,
            response: .computed { request in
                let number = String(decoding: request.body ?? Data(), as: UTF8.self).count
                return .json(
                    #"{"access_token": "gho_\#(number)\#(answer.value.count)", "expires_in": 300\#(answer.value)}"#
                )
            }
        )
        let container = container()
        try await signIn(container, lifetime: 300)
        for token in ["ghr_old_1234567890", "ghr_old_1234567890", "ghr_new"] {
            await clock.advance(by: .seconds(300))
            #expect((try? await ownProfile(container).get()) != nil)
            let form = String(decoding: refreshes.requests.last?.body ?? Data(), as: UTF8.self)
            #expect(form.contains("refresh_token=\(token)&") || form.hasSuffix("refresh_token=\(token)"))
            if refreshes.requests.count == 1 { answer.withLock { $0 = #", "refresh_token": "ghr_new""# } }
        }
        #expect(refreshes.requests.count == 3)
    }

    /// home-assistant/core#39489
    @Test(arguments: [
        (#""28800""#, 1), ("28800.0", 1), ("28800", 1), ("null", 0), ("0", 0), ("-1", 0),
        ("1e20", 0),
        (#""soon""#, 0),
    ])
    func `any lifetime of a token is understood, or unknown`(lifetime: String, refreshCount: Int) async throws {
        let (_, spent) = scriptRefreshes()
        server.on(
            .post,
            "https://github.com/login/device/code",
            response: .json(
                #"{"device_code": "dc", "user_code": "A-B", "verification_uri": "https://github.com/login/device", "#
                    + #""expires_in": "900", "interval": "5"}"#
            )
        )
        server.on(
            .post(tokenPath).form(["device_code": "dc"]),
            times: .any,
            response: .json(
                #"{"access_token": "gho_first_1234567890", "refresh_token": "ghr_first", "expires_in": \#(lifetime)}"#
            )
        )
        let container = container()
        let model = container.gitHubSignInViewModel()
        await clock.run { await model.signInByCode() }
        for hours in [1, 10] {
            #expect((try? await ownProfile(container).get()) != nil && spent.value.count <= refreshCount)
            await clock.advance(by: .seconds(hours * 3600))
        }
        #expect((try? await ownProfile(container).get()) != nil && spent.value.count == refreshCount)
    }

    /// workos/authkit-nextjs#470, ginlix-ai/LangAlpha#387
    @Test(arguments: [(0.0, -1200.0), (10_800, 0), (0, 10_800)])
    func `the service's word counts, not the computer's clock`(before: Double, after: Double) async throws {
        let (_, spent) = scriptRefreshes(lifetime: "600")
        offset.withLock { $0 = before }
        let container = container()
        let response = ScriptedServer.Response.computed { [clock, refusal, hubot = user(2, "hubot")] request in
            let isOld = request.headers["Authorization"] == "Bearer gho_old_1234567890"
            return isOld && clock.now.offset > .seconds(600) ? refusal : hubot
        }
        for path in ["/users/hubot", "/user/2"] { server.on(.get, path, times: .any, response: response) }
        try await signIn(container, lifetime: 600)
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

    /// boardsesh/boardsesh#4001, GlycemicGPT/GlycemicGPT#859
    @Test(arguments: [true, false])
    func `a start without a network shows the account, and asks rarely`(hasLifetime: Bool) async throws {
        let store = InMemoryTokenStore()
        let isOffline = Monitor(false)
        let (refreshes, spent) = scriptRefreshes(lifetime: "28800")
        let offline = server.on(
            .post(tokenPath).matching("offline") { _ in isOffline.value },
            times: .any,
            response: .failure(.notConnectedToInternet)
        )
        let reads = server.on(
            .get,
            "/users/hubot",
            times: .any,
            response: .computed { [hubot = user(2, "hubot")] _ in
                isOffline.value ? .failure(.notConnectedToInternet) : hubot
            }
        )
        try await signIn(container(store), lifetime: 300)
        if !hasLifetime {
            var credentials = try #require(try await store.load())
            credentials.expiresAt = nil
            try await store.save(credentials)
        }
        await clock.advance(by: .seconds(86_400))
        isOffline.withLock { $0 = true }
        let next = container(store)
        _ = try await next.favoriteRepository().add(
            Favorite(GitHub.User(id: GitHub.User.ID(rawValue: 2), login: GitHub.Login("hubot")))
        )
        await next.gitHubSession().start()
        let (profile, favorites) = (next.userProfileViewModel(), next.favoriteListViewModel())
        await favorites.show()
        #expect(favorites.state.content.rows.count == 1)
        for _ in 1...30 {
            await clock.run { await profile.show(GitHub.Login("hubot")) }
            await clock.advance(by: .seconds(20))
        }
        #expect(next.gitHubSession().current.user?.login == GitHub.Login("mona"))
        #expect(profile.state.content.status.message?.kind == .offline)
        #expect(offline.requests.count < 20 && reads.requests.count <= 30)
        isOffline.withLock { $0 = false }
        await clock.advance(by: .seconds(30))
        await clock.run { await profile.retry() }
        #expect(profile.state.content.details != nil)
        #expect(spent.value.count == (hasLifetime ? 1 : 0) && refreshes.requests.count <= 1)
    }

    /// octokit/handbook#8
    @Test(arguments: [1, 2])
    func `a new token that some servers don't know yet is given time`(count: Int) async throws {
        let denial = ScriptedServer.Response.json(
            #"{"message": "Resource not accessible by integration"}"#,
            status: 403,
            headers: .gitHub
        )
        server.on(.get, "/user", responses: Array(repeating: denial, count: count))
        let container = container()
        try await clock.run { try await signIn(container) }
        #expect(container.gitHubSession().current.user?.login == GitHub.Login("mona"))
        // Later, a permission is missing.
        server.on(.get, "/users/hubot", times: .any, response: denial)
        await clock.advance(by: .seconds(60))
        let profile = container.userProfileViewModel()
        await profile.show(GitHub.Login("hubot"))
        #expect(profile.state.content.status.message?.kind == .forbidden)
    }
}
