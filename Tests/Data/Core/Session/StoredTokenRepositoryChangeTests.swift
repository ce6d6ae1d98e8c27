import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

/// Repositories of two processes that share a store, which reports changes.
@Suite(.bounded)
struct `A token changed elsewhere` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let hubot = GitHub.User(id: .init(rawValue: 2), login: GitHub.Login("hubot"))
    private let store = TestTokenStore()
    private let here: StoredTokenRepository
    private let elsewhere: StoredTokenRepository

    init() {
        store.reportsChanges = true
        let authorization = InMemoryAuthorizationRepository()
        here = StoredTokenRepository(store: store, authorization: authorization, now: { testNow })
        elsewhere = StoredTokenRepository(store: store, authorization: authorization, now: { testNow })
    }

    @Test func `is used after a sign-in elsewhere, until a sign-out there ends the session`() async throws {
        var events = here.events.makeAsyncIterator()
        #expect(try await here.current() == nil)
        _ = try await elsewhere.begin(with: try credentials("a"))
        #expect(await events.next() == .restored)
        let grant = try #require(try await here.current())
        #expect(try grant.credentials.token == Secret("a"))
        try await elsewhere.end()
        #expect(await events.next() == .ended(grant.id, .requested))
        #expect(try await here.currentGrant() == nil)
    }

    @Test(arguments: [true, false])
    func `begins the session at the next start or retry, in a store that doesn't report it`(
        isRetry: Bool
    ) async throws {
        let store = InMemoryTokenStore()
        let session = GitHub.SessionManager.inMemory(tokens: StoredTokenRepository(store: store))
        await session.start()
        #expect(session.current == .signedOut(.noSession))
        try await store.save(credentials("elsewhere", user: mona))
        if isRetry { await session.retry() } else { await session.start() }
        #expect(session.current == .ready(mona))
    }

    @Test func `starts another session after another user's sign-in`() async throws {
        store.stored = try credentials("a", user: mona)
        var events = here.events.makeAsyncIterator()
        let grant = try #require(try await here.current())
        _ = try await elsewhere.begin(with: try credentials("b", user: hubot))
        #expect(await events.next() == .ended(grant.id, .requested))
        #expect(await events.next() == .restored)
        let current = try #require(try await here.current())
        #expect(current.id != grant.id)
        #expect(current.credentials.user == StoredUser(hubot))
        #expect(store.stored?.token == (try Secret("b")))
    }

    @Test func `is read when the store is available again`() async throws {
        store.stored = try credentials("a")
        store.isAvailable = false
        var events = here.events.makeAsyncIterator()
        await #expect(throws: TestTokenStore.failure(.unavailable)) { try await here.current() }
        // Requests are sent without a token meanwhile.
        #expect(try await here.currentGrant() == nil)
        store.isAvailable = true
        store.report()
        #expect(await events.next() == .restored)
        #expect(try await here.currentGrant()?.token == Secret("a"))
    }

    @Test func `stays in use while the store is unavailable`() async throws {
        store.stored = try credentials("a")
        let grant = try await here.current()
        store.isAvailable = false
        #expect(try await here.current() == grant)
        #expect(try await here.currentGrant()?.token == grant?.credentials.token)
    }

    @Test func `stays signed out if the sign-out couldn't be stored`() async throws {
        store.stored = try credentials("a")
        _ = try await here.current()
        store.isAvailable = false
        await #expect(throws: TestTokenStore.failure(.unavailable)) { try await here.end() }
        store.isAvailable = true
        #expect(try await here.current() == nil)
        #expect(store.stored == nil)
        // A later sign-in elsewhere counts.
        _ = try await elsewhere.begin(with: try credentials("b"))
        #expect(try await here.current()?.credentials.token == Secret("b"))
    }

    @Test func `isn't replaced by a result of an attempt that was repeated`() async throws {
        let old = try credentials("a")
        store.stored = old
        var refreshed = try credentials("b")
        refreshed.expiresAt = testNow.addingTimeInterval(3000)
        let revoked = Monitor<[Secret]>([])
        let authorization = InMemoryAuthorizationRepository { [refreshed] call in
            if case .revoke(let credentials) = call { revoked.withLock { $0.append(credentials.token) } }
            return .credentials(refreshed)
        }
        let tokens = StoredTokenRepository(store: store, authorization: authorization, now: { testNow })
        _ = try await tokens.current()
        // The first attempt finds the old token, and the second finds that the user has signed out.
        store.beforeCommit = { $0.stored = nil }
        #expect(try await tokens.grantAfterRefusal() == nil)
        #expect(store.stored == nil)
        await revoked.wait { !$0.isEmpty }
        #expect(revoked.value == [refreshed.token])
    }

    @Test func `counts as stored only if the last attempt stored it`() async throws {
        store.stored = try credentials("a")
        var refreshed = try credentials("b")
        refreshed.expiresAt = testNow.addingTimeInterval(3000)
        let authorization = InMemoryAuthorizationRepository { [refreshed] _ in .credentials(refreshed) }
        let tokens = StoredTokenRepository(store: store, authorization: authorization, now: { testNow })
        _ = try await tokens.current()
        // The second attempt can't read the store. So the lock stays held, and the next request stores the token.
        store.beforeCommit = { $0.readFailure = TestTokenStore.failure(.unavailable) }
        #expect(try await tokens.grantAfterRefusal()?.token == refreshed.token)
        #expect(try await store.refreshLock() == nil)
        store.readFailure = nil
        _ = try await tokens.currentGrant()
        #expect(store.stored?.token == refreshed.token)
        #expect(try await store.refreshLock() != nil)
    }

    @Test(arguments: 0..<20)
    func `is the same everywhere after random sign-ins and sign-outs`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let repositories = [here, elsewhere, StoredTokenRepository(store: store, now: { testNow })]
        for repository in repositories { _ = try? await repository.current() }
        for step in 0..<20 {
            // Concurrent changes: any of them may be the last.
            await withTaskGroup { group in
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    guard let repository = repositories.randomElement(using: &random) else { continue }
                    let action = Int.random(in: 0..<4, using: &random)
                    let number = Int.random(in: 0..<1000, using: &random)
                    group.addTask { [store] in
                        switch action {
                        case 0: try? await repository.end()
                        case 1: store.isAvailable.toggle()
                        default:
                            guard let token = try? Secret("\(step)-\(number)") else { return }
                            _ = try? await repository.begin(with: Credentials(token: token))
                        }
                    }
                }
            }
            store.isAvailable = true
            // Before the check, because a read may repeat a sign-out.
            for repository in repositories + repositories { _ = try? await repository.current() }
            for repository in repositories {
                #expect(try await repository.current()?.credentials.token == store.stored?.token, "step \(step)")
            }
        }
    }
}
