import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `A token refresh` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let refreshes = ControlledResponses<Secret, Credentials>()
    private let revocations = Monitor<[Secret]>([])
    private let clock = TestClock()
    private let time = Monitor(testNow)
    private let offline = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "x"))

    private func tokens(
        _ store: any TokenStore,
        lockTimeout: Duration = .seconds(60),
        clock: (any Clock<Duration>)? = nil
    ) -> StoredTokenRepository {
        let authorization = InMemoryAuthorizationRepository { [refreshes, revocations] call throws(BrowseError) in
            if case .revoke(let credentials) = call { revocations.withLock { $0.append(credentials.token) } }
            guard case .refresh(let token) = call else { return nil }
            return .credentials(try await refreshes.response(to: token))
        }
        return StoredTokenRepository(
            store: store,
            authorization: authorization,
            refreshLockTimeout: lockTimeout,
            clock: clock ?? self.clock,
            now: { [time] in time.value }
        )
    }

    // MARK: Responses without a refresh token

    @Test func `keeps the refresh token and the scopes that a response doesn't have`() async throws {
        var old = try credentials("old", in: -1)
        old.scopes = ["repo"]
        let store = InMemoryTokenStore(old)
        let tokens = tokens(store)
        for number in 0..<2 {
            let response = Credentials(token: try Secret("new-\(number)"), expiresAt: time.value.addingTimeInterval(90))
            refreshes.answer(number, with: .success(response))
            #expect(try await tokens.currentGrant()?.token == response.token)
            time.withLock { $0 += 60 }
        }
        #expect(refreshes.requests == [try Secret("old-refresh"), try Secret("old-refresh")])
        let stored = try await store.load()
        #expect(stored?.scopes == ["repo"])
    }

    @Test(arguments: [59, -1])
    func `isn't attempted without a refresh token: the token is used until it's refused`(
        seconds: TimeInterval
    ) async throws {
        var credentials = try credentials("old", in: seconds)
        credentials.refreshToken = nil
        #expect(try await tokens(InMemoryTokenStore(credentials)).currentGrant()?.token == credentials.token)
        #expect(refreshes.requests.isEmpty)
    }

    @Test(arguments: [0, 60, -1, -TimeInterval.infinity])
    func `isn't caused by a lifetime that can't be true`(seconds: TimeInterval) async throws {
        let tokens = tokens(InMemoryTokenStore())
        _ = try await tokens.begin(with: credentials("first", in: seconds))
        for _ in 0..<3 { #expect(try await tokens.currentGrant()?.token == Secret("first")) }
        #expect(refreshes.requests.isEmpty)
        // A refresh can have such a lifetime, too.
        let expiring = self.tokens(InMemoryTokenStore(try credentials("old", in: -1)))
        refreshes.answer(0, with: .success(try credentials("new", in: seconds)))
        for _ in 0..<3 { #expect(try await expiring.currentGrant()?.token == Secret("new")) }
        #expect(refreshes.requests.count == 1)
    }

    // MARK: Failures

    @Test func `that fails is sent once for all requests, and again after a back-off of up to 30 seconds`()
        async throws
    {
        let tokens = tokens(InMemoryTokenStore(try credentials("old", in: -1)))
        for number in 0..<10 where number != 7 { refreshes.answer(number, with: .failure(offline)) }
        for (attempt, delay) in [1, 2, 4, 8, 16, 30, 30].enumerated() {
            for _ in 0..<10 {
                await #expect(throws: offline) { try await tokens.currentGrant() }
            }
            #expect(refreshes.requests.count == attempt + 1)
            await clock.advance(by: .seconds(delay) - .milliseconds(1))
            await #expect(throws: offline) { try await tokens.currentGrant() }
            #expect(refreshes.requests.count == attempt + 1)
            await clock.advance(by: .milliseconds(1))
        }
        refreshes.answer(7, with: .success(try credentials("new", in: 90)))
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
        // A success resets the back-off.
        time.withLock { $0 += 90 }
        await #expect(throws: offline) { try await tokens.currentGrant() }
        await clock.advance(by: .seconds(1))
        await #expect(throws: offline) { try await tokens.currentGrant() }
        #expect(refreshes.requests.count == 10)
    }

    @Test func `that is rate limited isn't sent again before the limit ends`() async throws {
        let tokens = tokens(InMemoryTokenStore(try credentials("old", in: -1)))
        let limit = BrowseError.RateLimit(kind: .secondary, retryAt: testNow + 120, isServerTime: true)
        refreshes.answer(0, with: .failure(.rateLimited(limit, .init(endpoint: "x"))))
        refreshes.answer(1, with: .success(try credentials("new", in: 3000)))
        for wait: Duration in [.zero, .seconds(119)] {
            await clock.advance(by: wait)
            await #expect(throws: BrowseError.rateLimited(limit, .init(endpoint: "x"))) {
                try await tokens.currentGrant()
            }
        }
        await clock.advance(by: .seconds(1))
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
        #expect(refreshes.requests.count == 2)
    }

    @Test(arguments: [200, 400, 401])
    func `ends the session only after a final error`(status: Int) async throws {
        let final = ["bad_refresh_token", "invalid_grant", "invalid_token"]
        let others = [
            "temporarily_unavailable", "slow_down", "server_error", "incorrect_client_credentials", "invalid_client",
            "unauthorized_client", "unsupported_grant_type", "invalid_request", "invalid_scope", "access_denied",
            "expired_token", "unverified_user_email", "application_suspended", "device_flow_disabled", "unknown_word",
            "BAD_REFRESH_TOKEN", "",
        ]
        for word in final + others {
            try await expect(ending: final.contains(word), after: "{\"error\":\"\(word)\"}", status: status)
        }
    }

    @Test func `keeps the session after every status without a final error`() async throws {
        for status in [400, 401, 403, 404, 408, 410, 418, 422, 429, 500, 502, 503, 504] {
            try await expect(ending: false, after: "{}", status: status)
        }
        for status in [500, 502, 503] {
            try await expect(ending: false, after: #"{"error":"bad_refresh_token"}"#, status: status)
        }
        for text in ["", "<html>", "[]", "null", #"{"access_token":""}"#, #"{"error":null}"#] {
            try await expect(ending: false, after: text)
        }
    }

    private func expect(ending isFinal: Bool, after text: String, status: Int = 200) async throws {
        let url = try #require(URL(string: "https://github.example"))
        let transport = FakeTransport { request, _ throws(BrowseError) in
            let headers: HTTPHeaders = ["Content-Type": "application/json"]
            return HTTPClient.Response(status: status, headers: headers, body: Data(text.utf8), url: request.url)
        }
        let web = HTTPClient(
            service: .gitHubWeb(url: url, userAgent: "Tests"),
            transport: transport,
            options: .init { $0.now = { testNow } }
        )
        let store = InMemoryTokenStore(try credentials("old", in: -1))
        let tokens = StoredTokenRepository(
            store: store,
            authorization: OAuthServer.gitHubRepository(
                app: OAuthApp.gitHub(clientID: "app"),
                url: url,
                web: web,
                api: web
            ),
            clock: ImmediateClock(),
            now: { testNow }
        )
        let failure = await thrown { () async throws(BrowseError) in try await tokens.currentGrant() }
        #expect((failure == nil) == isFinal, "\(status) \(text)")
        #expect(try await (store.load() == nil) == isFinal, "\(status) \(text)")
        #expect(try await (tokens.current() == nil) == isFinal, "\(status) \(text)")
    }

    @Test func `that is refused keeps the session if the store can't be read`() async throws {
        let store = TestTokenStore(try credentials("old", in: -1))
        let tokens = tokens(store)
        _ = try await tokens.current()
        let busy = BrowseError.storageFailed(StorageFailure(reason: .busy, file: "x"))
        async let failure = thrown { () async throws(BrowseError) in try await tokens.currentGrant() }
        await refreshes.waitForRequests(1)
        store.readFailure = busy
        refreshes.answer(0, with: .failure(.signInFailed(.invalidCode)))
        #expect(await failure == busy)
        store.readFailure = nil
        #expect(try await store.load()?.token == Secret("old"))
        #expect(try await tokens.current() != nil)
    }

    /// realiti4/claude-swap#254, auth0/react-native-auth0#1374
    @Test func `isn't sent while the store can't be read, which may have a newer pair`() async throws {
        var (old, newer) = (try credentials("old", in: -1), try credentials("newer", in: 3000))
        (old.signInID, newer.signInID) = ("one", "one")
        let store = TestTokenStore(old)
        let tokens = tokens(store)
        _ = try await tokens.current()
        // Another process refreshes it, and then one read fails.
        store.stored = newer
        store.readFailure = TestTokenStore.failure(.other)
        refreshes.answer(0, with: .failure(.signInFailed(.invalidCode)))
        await #expect(throws: TestTokenStore.failure(.other)) { try await tokens.currentGrant() }
        #expect(refreshes.requests.isEmpty)
        store.readFailure = nil
        await clock.advance(by: .seconds(1))
        #expect(try await tokens.currentGrant()?.token == Secret("newer"))
        #expect(refreshes.requests.isEmpty)
    }

    @Test func `that a proxy's refusal began ends no session, even if its request is canceled`() async throws {
        let tokens = tokens(InMemoryTokenStore(try credentials("old")))
        let grant = try await tokens.current()
        let refused = try #require(try await tokens.currentGrant())
        var doubtful = refused
        doubtful.isDoubtful = true
        let leaving = Task { [doubtful] in try await tokens.grant(afterRefusalOf: doubtful, refusals: 1) }
        await refreshes.waitForRequests(1)
        leaving.cancel()
        await #expect(throws: BrowseError.cancelled) { try await leaving.value }
        for number in 0...1 { refreshes.answer(number, with: .failure(.signInFailed(.invalidCode))) }
        // Another request waits for it, or comes during the back-off.
        await #expect(throws: BrowseError.signInFailed(.invalidCode)) {
            try await tokens.grant(afterRefusalOf: refused, refusals: 1)
        }
        #expect(try await tokens.current() == grant)
        // The next refresh is due to the service's own refusal.
        await clock.advance(by: .seconds(1))
        #expect(try await tokens.grant(afterRefusalOf: refused, refusals: 1) == nil)
        #expect(try await tokens.current() == nil)
    }

    /// RFC 6749, section 6
    @Test func `whose response has the same token replaces the refresh token, in other processes too`() async throws {
        let store = InMemoryTokenStore(try credentials("old", in: -1))
        let (first, second) = (tokens(store), tokens(store))
        _ = try await second.current()
        var renewed = try credentials("old", in: 3000)
        renewed.refreshToken = try Secret("new-refresh")
        refreshes.answer(0, with: .success(renewed))
        // The old refresh token is spent.
        refreshes.answer(1, with: .failure(.signInFailed(.invalidCode)))
        for tokens in [first, second] { #expect(try await tokens.currentGrant()?.token == Secret("old")) }
        #expect(refreshes.requests == [try Secret("old-refresh")])
        #expect(try await second.current()?.credentials.refreshToken == Secret("new-refresh"))
    }

    // MARK: The lock

    @Test func `that can't get the lock in time fails, and the session stays`() async throws {
        let store = InMemoryTokenStore(try credentials("old", in: -1))
        let lock = try #require(try await store.refreshLock())
        let tokens = tokens(store, lockTimeout: .milliseconds(20))
        async let failure = thrown { () async throws(BrowseError) in try await tokens.currentGrant() }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(20))
        #expect(await failure == .storageFailed(StorageFailure(reason: .busy, file: "refresh lock")))
        #expect(refreshes.requests.isEmpty)
        #expect(try await store.load() == credentials("old", in: -1))
        lock.release()
        await clock.advance(by: .seconds(1))
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
    }

    @Test func `that waits for the lock delays no request whose token is still valid`() async throws {
        let store = InMemoryTokenStore(try credentials("old", in: 30))
        let lock = try #require(try await store.refreshLock())
        let tokens = tokens(store)
        for _ in 0..<3 { #expect(try await tokens.currentGrant()?.token == Secret("old")) }
        #expect(refreshes.requests.isEmpty)
        lock.release()
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
    }

    @Test(arguments: [200, 401])
    func `is sent for a refused token of another process, but not for its own, which is given time`(
        status: Int
    ) async throws {
        var first = try credentials("first")
        first.signInID = "one"
        let store = TestTokenStore(first)
        let clock = RecordingClock()
        let tokens = tokens(store, clock: clock)
        var second = try credentials("second")
        second.signInID = first.signInID
        _ = try await tokens.current()
        try await store.save(second)
        refreshes.answer(0, with: .success(try credentials("third")))
        let server = FakeTransport { request, index throws(BrowseError) in
            // The third token is accepted at its third attempt, or never.
            HTTPClient.Response(status: index < 4 ? 401 : status, url: request.url)
        }
        let url = try #require(URL(string: "https://api.example"))
        let response = try await TestChain(.authorized(at: url, tokens), server).send(.sample())
        #expect(response.status == status)
        let seconds = status == 200 ? [1, 2] : [1, 2, 4]
        #expect(clock.pauses == seconds.map { .seconds($0) })
        #expect(
            server.requests.map { $0.headers["Authorization"] }
                == ["Bearer first", "Bearer second", "Bearer third"] + seconds.map { _ in "Bearer third" }
        )
        #expect(try refreshes.requests == [Secret("second-refresh")])
        #expect(try await store.load()?.token == (status == 200 ? Secret("third") : nil))
    }

    @Test func `isn't sent for a new token, whatever the device's clock says`() async throws {
        let clock = RecordingClock()
        let tokens = tokens(InMemoryTokenStore(), clock: clock)
        var new = try credentials("new")
        new.issuedAt = time.value
        _ = try await tokens.begin(with: new)
        time.withLock { $0 += 86_400 }
        #expect(try await tokens.grantAfterRefusal()?.token == Secret("new"))
        #expect(clock.pauses == [.seconds(1)])
        #expect(refreshes.requests.isEmpty)
        // It isn't new any longer.
        clock.advance(by: .seconds(10))
        refreshes.answer(0, with: .success(try credentials("newer")))
        #expect(try await tokens.grantAfterRefusal()?.token == Secret("newer"))
    }

    @Test func `is sent for a token that was refused in vain before, when the lock was held elsewhere`() async throws {
        let store = InMemoryTokenStore(try credentials("first"))
        let clock = RecordingClock()
        let tokens = tokens(store, clock: clock)
        var second = try credentials("second")
        second.issuedAt = testNow.addingTimeInterval(-100)
        refreshes.answer(0, with: .success(second))
        let refused = try #require(try await tokens.grantAfterRefusal())
        let lock = try #require(try await store.refreshLock())
        await #expect(throws: BrowseError.self) { try await tokens.grant(afterRefusalOf: refused, refusals: 4) }
        lock.release()
        try await clock.sleep(for: .seconds(60))
        refreshes.answer(1, with: .success(try credentials("third")))
        #expect(try await tokens.grant(afterRefusalOf: refused, refusals: 1)?.token == Secret("third"))
        #expect(try await store.load()?.token == Secret("third"))
    }

    @Test func `that waits for the lock doesn't delay cancellation or signing out`() async throws {
        let store = InMemoryTokenStore(try credentials("old", in: -1))
        let lock = try #require(try await store.refreshLock())
        let tokens = tokens(store)
        let leaving = Task { try await tokens.currentGrant() }
        await clock.waitForSleepers(1)
        leaving.cancel()
        await #expect(throws: BrowseError.cancelled) { try await leaving.value }
        let staying = Task { try await tokens.currentGrant() }
        try await tokens.end()
        #expect(try await staying.value == nil)
        #expect(try await store.load() == nil)
        #expect(lock.isHeld && refreshes.requests.isEmpty)
    }

    @Test func `that couldn't be stored is stored when the store reports that it can be, without a request`()
        async throws
    {
        let store = TestTokenStore(try credentials("old", in: -1))
        let tokens = tokens(store)
        store.writeFailure = TestTokenStore.failure(.unavailable)
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
        let attempts = Monitor(0)
        store.beforeUpdate = { attempts.withLock { $0 += 1 } }
        // A report while it can't be stored changes nothing.
        store.report()
        await attempts.wait { $0 == 1 }
        // Waits for the attempt in progress.
        #expect(try await tokens.current()?.credentials.token == Secret("new"))
        #expect(try await store.refreshLock() == nil)
        store.writeFailure = nil
        store.report()
        await attempts.wait { $0 == 2 }
        _ = try await tokens.current()
        #expect(try await store.load()?.token == Secret("new"))
        #expect(try await store.refreshLock() != nil)
    }

    @Test func `that can't be stored holds the lock until a sign-out or another sign-in is stored`() async throws {
        for isSignOut in [true, false] {
            let store = TestTokenStore(try credentials("old", in: -1))
            let (first, second) = (tokens(store), tokens(store, lockTimeout: .milliseconds(20)))
            _ = try await second.current()
            store.writeFailure = TestTokenStore.failure(.full)
            refreshes.answer(refreshes.requests.count, with: .success(try credentials("new", in: 3000)))
            #expect(try await first.currentGrant()?.token == Secret("new"))
            store.writeFailure = nil
            let sent = refreshes.requests.count
            store.holdsUpdates = true
            let change = Task {
                if isSignOut { try await first.end() } else { _ = try await first.begin(with: credentials("other")) }
            }
            await store.held.waitForRequests(1)
            #expect(try await store.refreshLock() == nil)
            store.release()
            try await change.value
            #expect(try await store.refreshLock() != nil)
            #expect(try await second.currentGrant()?.token == (isSignOut ? nil : Secret("other")))
            #expect(refreshes.requests.count == sent)
        }
    }

    // MARK: Signing out

    @Test func `that ends after another process has signed out stores nothing, and ends the session here`() async throws
    {
        let store = InMemoryTokenStore(try credentials("old", in: -1))
        let (refreshing, leaving) = (tokens(store), tokens(store))
        var events = refreshing.events.makeAsyncIterator()
        let grant = try #require(try await refreshing.current())
        _ = try await leaving.current()
        async let request = refreshing.currentGrant()
        await refreshes.waitForRequests(1)
        try await leaving.end()
        #expect(try await store.load() == nil)
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        #expect(try await request == nil)
        #expect(try await store.load() == nil)
        #expect(await events.next() == .ended(grant.id, .requested))
        await revocations.wait { !$0.isEmpty }
        #expect(revocations.value == [try Secret("new")])
    }

    @Test func `that ends after another sign-in with the same token doesn't revoke it`() async throws {
        let tokens = tokens(InMemoryTokenStore(try credentials("old", in: -1)))
        let old = try #require(try await tokens.current())
        async let refresh: Void = tokens.refresh(old)
        await refreshes.waitForRequests(1)
        // Some servers issue the token in use again.
        _ = try await tokens.begin(with: credentials("new", in: 3000))
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        await refresh
        #expect(revocations.value == [])
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
    }

    @Test func `that couldn't be stored is revoked when another process has signed out`() async throws {
        let store = TestTokenStore(try credentials("old", in: -1))
        let tokens = tokens(store)
        store.writeFailure = TestTokenStore.failure(.full)
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
        try await store.delete()
        #expect(try await tokens.currentGrant() == nil)
        await revocations.wait { !$0.isEmpty }
        #expect(revocations.value == [try Secret("new")])
    }

    @Test func `isn't sent after another process has signed out`() async throws {
        var old = try credentials("old", in: -1)
        old.user = StoredUser(mona)
        let store = InMemoryTokenStore(old)
        let tokens = tokens(store)
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        await session.start()
        #expect(session.current == .ready(mona))
        try await store.delete()
        #expect(try await tokens.currentGrant() == nil)
        #expect(refreshes.requests.isEmpty)
        // They weren't signed out by GitHub.
        for await current in session.sessions {
            guard case .signedOut(let reason) = current else { continue }
            #expect(reason == .requested)
            break
        }
    }

    @Test func `by another process doesn't prevent signing out and revoking the newest token here`() async throws {
        var old = try credentials("old", in: -1)
        old.user = StoredUser(mona)
        let store = InMemoryTokenStore(old)
        let refreshing = tokens(store)
        let leaving = GitHub.SessionManager.inMemory(tokens: tokens(store))
        await leaving.start()
        refreshes.answer(0, with: .success(try credentials("new", in: 90)))
        refreshes.answer(1, with: .success(try credentials("newest", in: 3000)))
        for _ in 0..<2 {
            _ = try await refreshing.currentGrant()
            time.withLock { $0 += 60 }
        }
        try await leaving.signOut()
        #expect(try await store.load() == nil)
        #expect(revocations.value == [try Secret("newest")])
    }

    @Test func `is used once it's stored, and signing out meanwhile leaves nothing behind`() async throws {
        let store = TestTokenStore(try credentials("old", in: -1))
        let tokens = tokens(store)
        _ = try await tokens.current()
        store.holdsUpdates = true
        async let request = tokens.currentGrant()
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        await store.held.waitForRequests(1)
        async let ending: Void = tokens.end()
        // Not the new token, which isn't stored yet.
        #expect(try await request == nil)
        store.release()
        try await ending
        #expect(try await store.load() == nil)
    }

    @Test func `reads the user that another process has stored, and keeps it`() async throws {
        let store = InMemoryTokenStore(try credentials("old", in: -1))
        let (refreshing, identifying) = (tokens(store), tokens(store))
        _ = try await refreshing.current()
        let grant = try #require(try await identifying.current())
        await identifying.identify(grant.id, as: StoredUser(mona))
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        _ = try await refreshing.currentGrant()
        #expect(try await store.load()?.user == StoredUser(mona))
        #expect(try await store.load()?.token == Secret("new"))
    }
}

extension RecordingClock {
    /// The sleeps that aren't the time limits of accesses to the store.
    fileprivate var pauses: [Duration] { sleeps.filter { $0 != .seconds(10) } }
}
