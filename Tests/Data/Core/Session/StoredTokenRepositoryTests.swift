import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

@Suite(.bounded)
struct `The current token` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let refreshes = ControlledResponses<Secret, Credentials>()
    private let clock = TestClock()

    private func authorization() -> InMemoryAuthorizationRepository {
        InMemoryAuthorizationRepository { [refreshes] call throws(BrowseError) in
            guard case .refresh(let token) = call else { return nil }
            return .credentials(try await refreshes.response(to: token))
        }
    }

    private func tokens(_ store: any TokenStore) -> StoredTokenRepository {
        StoredTokenRepository(store: store, authorization: authorization(), clock: clock, now: { testNow })
    }

    /// A server that accepts some tokens and refuses all others.
    private func server(taking accepted: String...) throws -> LoopbackServer {
        try LoopbackServer { request in
            let token = request.header("Authorization")?.dropFirst("Bearer ".count)
            guard let token, accepted.contains(String(token)) else {
                return GitHubResponses.badCredentials
            }
            return GitHubResponses.good(for: request)
        }
    }

    private func client(of server: LoopbackServer, _ tokens: StoredTokenRepository) throws -> HTTPClient {
        let url = try #require(URL(string: server.origin))
        return HTTPClient(
            service: .gitHub(baseURL: url, userAgent: "BrowseKit-Tests"),
            transport: URLSessionTransport(connectionsPerHost: 20),
            middleware: .authorized(at: url, tokens),
            options: .init {
                $0.limits = .unhurried
                $0.now = { testNow }
            }
        )
    }

    /// Ends a stream when it's deallocated.
    private final class Owned: Sendable {
        private let (end, listener) = AsyncStream<Never>.makeStream()
        var ends: AsyncStream<Never> { end }

        deinit { listener.finish() }
    }

    @Test func `is released with its repository, also after it was used`() async throws {
        var owned: Owned? = Owned()
        let ends = try #require(owned?.ends)
        var tokens: StoredTokenRepository? = StoredTokenRepository(
            store: InMemoryTokenStore(try credentials("old")),
            eraseResponses: { [owned] _ in withExtendedLifetime(owned) {} }
        )
        #expect(try await tokens?.currentGrant() != nil)
        (owned, tokens) = (nil, nil)
        for await _ in ends {}
    }

    /// Sends concurrent requests for a profile.
    private func ask(_ client: HTTPClient, times: Int) async -> [BrowseError?] {
        await withTaskGroup(of: BrowseError?.self) { group in
            for _ in 0..<times {
                group.addTask {
                    await thrown { () async throws(BrowseError) in
                        try await RemoteGitHubRepository(client: client).profile(of: GitHub.Login("octocat"))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `ends the session once for 100 refused requests, and notifies listeners once`() async throws {
        let server = try server(taking: "none")
        let store = InMemoryTokenStore(Credentials(token: try Secret("old"), user: mona))
        let tokens = tokens(store)
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        await session.start()
        let listeners = (0..<50).map { _ in session.sessions }
        let client = try client(of: server, tokens)
        let outcomes = await ask(client, times: 100)
        #expect(outcomes.allSatisfy { if case .unauthorized = $0 { true } else { false } })
        for listener in listeners {
            var heard: [GitHub.Session] = []
            for await session in listener {
                heard.append(session)
                if case .signedOut = session { break }
            }
            #expect(heard == [.ready(mona), .signedOut(.revoked)])
        }
        #expect(try await store.load() == nil)
        #expect(try await tokens.current() == nil)
    }

    @Test func `is refreshed before it expires, so that no request is refused`() async throws {
        let server = try server(taking: "new")
        let tokens = tokens(InMemoryTokenStore(try credentials("old", in: 59)))
        async let outcomes = ask(try client(of: server, tokens), times: 20)
        await refreshes.waitForRequests(1)
        refreshes.answer(0, with: .success(try credentials("new", in: 28_800)))
        #expect(try await outcomes.allSatisfy { $0 == nil })
        #expect(refreshes.requests.count == 1)
        #expect(server.requests.count == 20)
    }

    @Test func `is used until it expires if the refresh fails`() async throws {
        let trouble = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "x"))
        let almost = tokens(InMemoryTokenStore(try credentials("old", in: 30)))
        refreshes.answer(0, with: .failure(trouble))
        #expect(try await almost.currentGrant()?.token == Secret("old"))
    }

    @Test(arguments: [false, true])
    func `lets waiting requests cancel independently`(isWaiting: Bool) async throws {
        let looks = Monitor(0)
        let tokens = StoredTokenRepository(
            store: InMemoryTokenStore(try credentials("old", in: -1)),
            authorization: authorization(),
            now: {
                looks.withLock { $0 += 1 }
                return testNow
            }
        )
        let staying = Task { try await tokens.currentGrant() }
        await refreshes.waitForRequests(1)
        let before = looks.value
        let leaving = (0..<20).map { _ in Task { try await tokens.currentGrant() } }
        if isWaiting {
            // Once the repository answers another call, all have checked the expiration.
            await looks.wait { $0 >= before + 20 }
            _ = await tokens.account()
        }
        for task in leaving { task.cancel() }
        for task in leaving { await #expect(throws: BrowseError.cancelled) { try await task.value } }
        refreshes.answer(0, with: .success(try credentials("new")))
        #expect(try await staying.value?.token == Secret("new"))
    }

    @Test func `is read before each request while the device is locked, and restores the session`() async throws {
        let server = try LoopbackServer { GitHubResponses.good(for: $0) }
        var mine = try credentials("mine")
        mine.user = StoredUser(mona)
        let store = TestTokenStore(mine)
        store.readFailure = TestTokenStore.failure(.locked)

        let tokens = tokens(store)
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        let client = try client(of: server, tokens)
        for _ in 0..<2 { await session.start() }
        #expect(session.current == .restoring)
        #expect(await ask(client, times: 3) == [nil, nil, nil])
        #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
        #expect(session.current == .restoring)

        store.readFailure = nil
        #expect(await ask(client, times: 1) == [nil])
        #expect(server.requests.last?.header("Authorization") == "Bearer mine")
        for await current in session.sessions where current == .ready(mona) { break }
        #expect(try await store.load() == mine)
    }

    @Test func `restores the session at its next start after the first unlock`() async throws {
        let store = TestTokenStore()
        store.readFailure = TestTokenStore.failure(.locked)
        let session = GitHub.SessionManager.inMemory(tokens: tokens(store))
        await session.start()
        #expect(session.current == .restoring)
        store.readFailure = nil
        await session.start()
        #expect(session.current == .signedOut(.noSession))
    }

    @Test func `restores the session when a store answers that hung, and isn't waited for meanwhile`() async throws {
        var mine = try credentials("mine")
        mine.user = StoredUser(mona)
        let store = TestTokenStore(mine)
        store.holdsReads = true
        let tokens = tokens(store)
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        var sessions = session.sessions.makeAsyncIterator()
        await store.held.waitForRequests(1)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(10))
        let failure = StorageFailure(reason: .busy, file: "session")
        // Rows that are read now have no account, and are read again with that of the session.
        for expected in [GitHub.Session.restoring, .signedOut(.storage(failure))] {
            #expect(await sessions.next() == expected)
        }
        #expect(session.needsRetry)
        store.release()
        for expected in [GitHub.Session.signingIn, .identified(mona), .ready(mona)] {
            #expect(await sessions.next() == expected)
        }
        #expect(try await tokens.currentGrant()?.token == Secret("mine"))
    }

    @Test func `has no failure for a caller that is canceled while the store is read`() async throws {
        let store = TestTokenStore(try credentials("mine"))
        store.holdsReads = true
        let tokens = tokens(store)
        let call = Task { try await tokens.current() }
        await store.held.waitForRequests(1)
        call.cancel()
        await #expect(throws: BrowseError.cancelled) { try await call.value }
        store.release()
        #expect(try await tokens.current()?.credentials.token == Secret("mine"))
    }

    @Test func `is saved again if the store couldn't be read during the refresh`() async throws {
        let store = TestTokenStore(try credentials("old", in: -1))
        let tokens = tokens(store)
        _ = try await tokens.current()
        async let grant = tokens.currentGrant()
        await refreshes.waitForRequests(1)
        store.isAvailable = false
        refreshes.answer(0, with: .success(try credentials("new")))
        #expect(try await grant?.token == Secret("new"))
        store.isAvailable = true
        #expect(try await tokens.currentGrant()?.token == Secret("new"))
        #expect(store.stored?.token == (try Secret("new")))
    }
}
