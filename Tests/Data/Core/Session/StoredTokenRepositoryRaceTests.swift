import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

import BrowseData

/// Concurrent changes of a token, in this process or in another one.
@Suite(.bounded)
struct `A token with concurrent changes` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let hubot = GitHub.User(id: .init(rawValue: 2), login: GitHub.Login("hubot"))
    private let refreshes = ControlledResponses<Secret, Credentials>()
    private let revoked = ControlledResponses<Secret, Bool>()
    private let executor = FIFOExecutor()

    private func tokens(
        _ store: any TokenStore,
        now: @escaping @Sendable () -> Date = { testNow }
    ) -> StoredTokenRepository {
        let authorization = InMemoryAuthorizationRepository { [refreshes, revoked] call throws(BrowseError) in
            if case .revoke(let credentials) = call {
                revoked.answer(revoked.requests.count, with: .success(true))
                _ = try await revoked.response(to: credentials.token)
            }
            guard case .refresh(let token) = call else { return nil }
            return .credentials(try await refreshes.response(to: token))
        }
        return StoredTokenRepository(store: store, authorization: authorization, now: now)
    }

    @Test(arguments: [true, false])
    func `isn't restored or changed by a late save after signing out or in`(isSigningIn: Bool) async throws {
        let store = TestTokenStore(try credentials("a"))
        store.holdsUpdates = true
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        let identifying = Task { await tokens.identify(grant.id, as: StoredUser(mona)) }
        await store.held.waitForRequests(1)
        let ending = Task(executorPreference: executor) {
            if isSigningIn {
                _ = try await tokens.begin(with: try credentials("b", user: hubot))
            } else {
                try await tokens.end()
            }
        }
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        store.release()
        await identifying.value
        try await ending.value
        #expect(store.stored?.token == (isSigningIn ? try Secret("b") : nil))
    }

    @Test func `leaves no request waiting if the session ends during a late save`() async throws {
        let store = TestTokenStore(try credentials("old", in: -1))
        store.holdsUpdates = true
        let time = Mutex(testNow)
        let tokens = tokens(store) { time.withLock { $0 } }
        refreshes.answer(0, with: .success(try credentials("new", in: 90)))
        store.held.answer(0, with: .failure(TestTokenStore.failure(.full)))
        _ = try await tokens.currentGrant()
        // The token isn't stored yet; the next request does that first.
        let request = Task { try await tokens.currentGrant() }
        await store.held.waitForRequests(2)
        // When it's stored, it's about to expire.
        time.withLock { $0 += 60 }
        let ending = Task(executorPreference: executor) { try await tokens.end() }
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        store.release()
        try await ending.value
        #expect(try await request.value == nil)
        #expect(store.stored == nil)
    }

    @Test func `isn't refreshed after another process has signed in, also with the same user`() async throws {
        for user in [hubot, mona, nil] {
            let store = InMemoryTokenStore(try credentials("monas", in: -1, user: mona))
            let tokens = tokens(store)
            var events = tokens.events.makeAsyncIterator()
            let grant = try #require(try await tokens.current())
            let account = await tokens.account()
            try await store.save(try credentials("hubots", in: 3000, user: user))
            let current = try await tokens.currentGrant()
            #expect(try current?.token == Secret("hubots"))
            #expect(current?.account != account)
            #expect(await events.next() == .ended(grant.id, .requested))
            #expect(await events.next() == .restored)
            // The other token isn't overwritten.
            #expect(try await store.load()?.token == Secret("hubots"))
        }
        #expect(refreshes.requests.isEmpty)
    }

    @Test func `isn't overwritten by the refresh of a session that another sign-in has replaced`() async throws {
        let store = InMemoryTokenStore(try credentials("monas", in: -1, user: mona))
        let tokens = tokens(store)
        let request = Task { try await tokens.currentGrant() }
        await refreshes.waitForRequests(1)
        try await store.save(try credentials("hubots", in: 3000, user: hubot))
        refreshes.answer(0, with: .success(try credentials("monas-new", in: 3000)))
        #expect(try await request.value?.token == Secret("hubots"))
        #expect(try await store.load()?.token == Secret("hubots"))
        await revoked.waitForRequests(1)
        #expect(revoked.requests == [try Secret("monas-new")])
    }

    @Test func `is revoked if another sign-in replaces it while it's stored`() async throws {
        let store = TestTokenStore()
        store.holdsUpdates = true
        let session = GitHub.SessionManager.inMemory(tokens: tokens(store))
        await session.start()
        let issued = modified(try credentials("monas", user: mona)) { $0.issuedAt = testNow }
        let first = Task { try await session.signIn(with: issued) }
        await store.held.waitForRequests(1)
        let second = Task(executorPreference: executor) {
            try await session.signIn(with: try credentials("hubots", user: hubot))
        }
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        store.release()
        await #expect(throws: BrowseError.cancelled) { try await first.value }
        try await second.value
        #expect(revoked.requests == [issued.token] && session.current == .ready(hubot))
    }

    @Test func `doesn't delete another process's sign-in when it ends`() async throws {
        let store = InMemoryTokenStore(try credentials("monas", user: mona))
        let revokedTokens = tokens(store)
        _ = try await revokedTokens.current()
        let signedOutTokens = tokens(store)
        _ = try await signedOutTokens.current()
        try await store.save(try credentials("hubots", user: hubot))
        #expect(try await revokedTokens.grantAfterRefusal()?.token == Secret("hubots"))
        try await signedOutTokens.end()
        #expect(try await store.load()?.token == Secret("hubots"))
    }

    @Test func `isn't restored by adding the user after another process has refreshed or deleted it`() async throws {
        var old = try credentials("old")
        old.signInID = "one"
        let store = InMemoryTokenStore(old)
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        var renewed = try credentials("renewed")
        renewed.signInID = "one"
        try await store.save(renewed)
        await tokens.identify(grant.id, as: StoredUser(mona))
        #expect(try await store.load()?.token == Secret("renewed"))
        #expect(try await store.load()?.user == StoredUser(mona))
        try await store.delete()
        await tokens.identify(grant.id, as: StoredUser(mona))
        #expect(try await store.load() == nil)
        // Nor is the user added to another sign-in.
        try await store.save(try credentials("hubots"))
        await tokens.identify(grant.id, as: StoredUser(mona))
        #expect(try await store.load() == credentials("hubots"))
    }

    @Test func `is read once for the session and the first request`() async throws {
        let store = TestTokenStore(try credentials("a"))
        let reads = Mutex(0)
        store.delay = { reads.withLock { $0 += 1 } }
        store.holdsReads = true
        let tokens = tokens(store)
        let current = Task { try await tokens.current() }
        await store.held.waitForRequests(1)
        let account = Task(executorPreference: executor) { await tokens.account() }
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        store.release()
        #expect(try await current.value != nil)
        #expect(await account.value != nil)
        #expect(reads.withLock(\.self) == 1)
    }

    @Test func `isn't sent while the store can't be read, and restores the session afterward`() async throws {
        let store = TestTokenStore(try credentials("a", user: mona))
        store.readFailure = TestTokenStore.failure(.busy)
        let tokens = tokens(store)
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        await session.start()
        #expect(session.current == .signedOut(.storage(StorageFailure(reason: .busy, file: "x"))))

        #expect(try await tokens.currentGrant() == nil)
        // The next request reads the store again, and restores the session.
        store.readFailure = nil
        #expect(try await tokens.currentGrant() != nil)
        for await current in session.sessions where current == .ready(mona) { break }
    }
}
