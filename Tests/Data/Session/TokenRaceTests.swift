import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

/// Concurrent changes of a token, in this process or in another one.
@Suite(.bounded)
struct `A token with concurrent changes` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let hubot = GitHub.User(id: .init(rawValue: 2), login: GitHub.Login("hubot"))
    private let refreshes = ControlledResponses<Secret, Credentials>()
    private let revoked = ControlledResponses<Secret, Bool>()

    private func tokens(
        _ store: any TokenStore,
        now: @escaping @Sendable () -> Date = { testNow }
    ) -> StoredTokenRepository {
        var double = AuthorizationRepositoryDouble()
        double.onRefresh = { [refreshes] token throws(BrowseError) in try await refreshes.response(to: token) }
        double.onRevoke = { [revoked] credentials throws(BrowseError) in
            revoked.answer(revoked.requests.count, with: .success(true))
            _ = try await revoked.response(to: credentials.token)
        }
        return StoredTokenRepository(store: store, authorization: double, now: now)
    }

    private func credentials(
        _ text: String,
        in seconds: TimeInterval? = nil,
        user: GitHub.User? = nil
    ) throws -> Credentials {
        Credentials(
            token: try Secret(text),
            expiresAt: seconds.map { testNow.addingTimeInterval($0) },
            refreshToken: try Secret(text + "-refresh"),
            user: user
        )
    }

    /// Requests a new token, which the test controls; the request returns `nil` when the session ends.
    private func requestNewToken(
        after grant: TokenGrant,
        _ tokens: StoredTokenRepository
    ) async -> Task<TokenGrant?, any Error> {
        let number = refreshes.requests.count
        let task = Task {
            defer { refreshes.answer(number, with: .failure(.cancelled)) }
            return try await tokens.grant(afterRefusalOf: grant.id, token: grant.credentials.token)
        }
        await refreshes.waitForRequests(number + 1)
        return task
    }

    @Test func `isn't restored by a late save after signing out`() async throws {
        let store = SlowStore(try credentials("a"))
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        let identifying = Task { await tokens.identify(grant.id, as: StoredUser(mona)) }
        await store.changes.waitForRequests(1)
        let refused = await requestNewToken(after: grant, tokens)
        let ending = Task { try await tokens.end() }
        #expect(try await refused.value == nil)
        for number in 0...1 { store.changes.answer(number, with: .success(true)) }
        await identifying.value
        try await ending.value
        #expect(store.stored == nil)
    }

    @Test func `doesn't overwrite the token of a later sign-in`() async throws {
        let store = SlowStore(try credentials("a"))
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        let identifying = Task { await tokens.identify(grant.id, as: StoredUser(mona)) }
        await store.changes.waitForRequests(1)
        let refused = await requestNewToken(after: grant, tokens)
        let beginning = Task { try await tokens.begin(with: try credentials("b", user: hubot)) }
        #expect(try await refused.value == nil)
        for number in [1, 0] { store.changes.answer(number, with: .success(true)) }
        await identifying.value
        _ = try await beginning.value
        #expect(store.stored?.token == (try Secret("b")))
    }

    @Test func `leaves no request waiting if the session ends during a late save`() async throws {
        let store = SlowStore(try credentials("old", in: -1))
        let time = Mutex(testNow)
        let tokens = tokens(store) { time.withLock { $0 } }
        refreshes.answer(0, with: .success(try credentials("new", in: 90)))
        let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "x"))
        store.changes.answer(0, with: .failure(full))
        _ = try await tokens.currentGrant()
        let grant = try #require(try await tokens.current())
        // The token isn't stored yet; the next request does that first.
        let request = Task { try await tokens.currentGrant() }
        await store.changes.waitForRequests(2)
        // When it's stored, it's about to expire.
        time.withLock { $0 += 60 }
        let refused = await requestNewToken(after: grant, tokens)
        let ending = Task { try await tokens.end() }
        #expect(try await refused.value == nil)
        for number in 1...99 { store.changes.answer(number, with: .success(true)) }
        try await ending.value
        #expect(try await request.value == nil)
    }

    @Test func `isn't taken from another process with another user`() async throws {
        for user in [hubot, nil] {
            let store = InMemoryTokenStore(try credentials("monas", in: -1, user: mona))
            let tokens = tokens(store)
            _ = try await tokens.current()
            try await store.save(try credentials("hubots", in: 3000, user: user))
            refreshes.answer(refreshes.requests.count, with: .success(try credentials("monas-new", in: 3000)))
            #expect(try await tokens.currentGrant()?.token == Secret("monas-new"))
            // The other user's token isn't overwritten.
            #expect(try await store.load()?.token == Secret("hubots"))
        }
    }

    @Test func `doesn't delete another process's sign-in when it ends`() async throws {
        let store = InMemoryTokenStore(try credentials("monas", user: mona))
        let revokedTokens = tokens(store)
        let grant = try #require(try await revokedTokens.current())
        let signedOutTokens = tokens(store)
        _ = try await signedOutTokens.current()
        try await store.save(try credentials("hubots", user: hubot))
        refreshes.answer(0, with: .failure(.signInFailed(.invalidCode)))
        #expect(try await revokedTokens.grant(afterRefusalOf: grant.id, token: grant.credentials.token) == nil)
        try await signedOutTokens.end()
        #expect(try await store.load()?.token == Secret("hubots"))
    }

    @Test func `isn't restored by adding the user after another process has refreshed or deleted it`() async throws {
        let store = InMemoryTokenStore(try credentials("old"))
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        try await store.save(try credentials("renewed"))
        await tokens.identify(grant.id, as: StoredUser(mona))
        #expect(try await store.load()?.token == Secret("renewed"))
        try await store.delete()
        await tokens.identify(grant.id, as: StoredUser(mona))
        #expect(try await store.load() == nil)
    }

    @Test func `is revoked if the refresh completes after signing out`() async throws {
        let tokens = tokens(InMemoryTokenStore(try credentials("old", in: -1, user: mona)))
        let request = Task { try await tokens.currentGrant() }
        await refreshes.waitForRequests(1)
        try await tokens.end()
        refreshes.answer(0, with: .success(try credentials("new", in: 3000)))
        #expect(try await request.value == nil)
        await revoked.waitForRequests(1)
        #expect(revoked.requests == [try Secret("new")])
    }

    @Test func `isn't sent while the repository reports that nobody is signed in`() async throws {
        let store = SlowStore(try credentials("a", user: mona))
        store.isLocked = true
        let session = GitHub.SessionManager.inMemory(tokens: tokens(store))
        await session.start()
        #expect(session.current == .signedOut(.storage(StorageFailure(reason: .busy, file: "x"))))

        let tokens = tokens(store)
        #expect(try await tokens.currentGrant() == nil)
        store.isLocked = false
        #expect(try await tokens.currentGrant() == nil)
        // `current()` reads the store again, and later requests have the token.
        #expect(try await tokens.current()?.credentials.user == StoredUser(mona))
        #expect(try await tokens.currentGrant() != nil)
    }

    @Test func `keeps the user that was added during a refresh`() async throws {
        let tokens = tokens(InMemoryTokenStore(try credentials("old")))
        let grant = try #require(try await tokens.current())
        let request = Task { try await tokens.grant(afterRefusalOf: grant.id, token: grant.credentials.token) }
        await refreshes.waitForRequests(1)
        await tokens.identify(grant.id, as: StoredUser(mona))
        refreshes.answer(0, with: .success(try credentials("new")))
        #expect(try await request.value != nil)
        #expect(try await tokens.current()?.credentials.user == StoredUser(mona))
    }

    @Test func `isn't in any file after signing out during a write`() async throws {
        for _ in 0..<200 {
            let folder = TemporaryFolder()
            let server = try #require(URL(string: "https://api.github.com"))
            let store = FileTokenStore(folder: folder.url, server: server)
            let tokens = StoredTokenRepository(store: store)
            let grant = try await tokens.begin(with: credentials("a"))
            async let identified: Void = tokens.identify(grant.id, as: StoredUser(mona))
            try await tokens.end()
            await identified
            #expect(try await store.load() == nil)
        }
    }
}

/// A store with changes that wait until the test completes them or lets them fail.
private final class SlowStore: TokenStore {
    private let credentials: Mutex<Credentials?>
    private let locked = Mutex(false)
    let changes = ControlledResponses<Int, Bool>()

    init(_ credentials: Credentials) {
        self.credentials = Mutex(credentials)
    }

    var stored: Credentials? { credentials.withLock { $0 } }

    var isLocked: Bool {
        get { locked.withLock { $0 } }
        set { locked.withLock { $0 = newValue } }
    }

    func load() async throws(BrowseError) -> Credentials? {
        guard !isLocked else { throw .storageFailed(StorageFailure(reason: .busy, file: "x")) }
        return stored
    }

    func update(
        _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        _ = try await changes.response(to: changes.requests.count)
        credentials.withLock { credentials in
            switch change(.success(credentials)) {
            case .keep: break
            case .store(let new): credentials = new
            case .delete: credentials = nil
            }
        }
    }
}
