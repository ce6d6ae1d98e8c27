import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import Testing

@testable import BrowseData

/// What happens to a token while something else happens to it, here or in another process.
@Suite(.timeLimit(.minutes(5)))
struct `A token that changes while something is on its way` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let hubot = GitHub.User(id: .init(rawValue: 2), login: GitHub.Login("hubot"))
    private let renewals = ControlledResponses<Secret, GitHub.Credentials>()
    private let revoked = ControlledResponses<Secret, Bool>()

    private func tokens(
        _ store: any TokenStore,
        now: @escaping @Sendable () -> Date = { testNow }
    ) -> StoredTokenRepository {
        var double = AuthorizationRepositoryDouble()
        double.onRefresh = { [renewals] token throws(BrowseError) in try await renewals.response(to: token) }
        double.onRevoke = { [revoked] token throws(BrowseError) in
            revoked.answer(revoked.requests.count, with: .success(true))
            _ = try await revoked.response(to: token)
        }
        return StoredTokenRepository(store: store, authorization: double, now: now)
    }

    private func credentials(
        _ text: String,
        in seconds: TimeInterval? = nil,
        user: GitHub.User? = nil
    ) throws -> GitHub.Credentials {
        GitHub.Credentials(
            token: try Secret(text),
            expiresAt: seconds.map { testNow.addingTimeInterval($0) },
            refreshToken: try Secret(text + "-refresh"),
            user: user
        )
    }

    /// Requests a new token, which is held; the request returns `nil` at the moment when the session ends.
    private func requestNewToken(
        after grant: GitHub.Grant,
        _ tokens: StoredTokenRepository
    ) async -> Task<GitHub.Grant?, any Error> {
        let number = renewals.requests.count
        let task = Task {
            defer { renewals.answer(number, with: .failure(.cancelled)) }
            return try await tokens.grant(afterRefusalOf: grant)
        }
        await renewals.waitForRequests(number + 1)
        return task
    }

    @Test func `does not come back by a late save after signing out`() async throws {
        let store = SlowStore(try credentials("a"))
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        let identifying = Task { await tokens.identify(grant.id, as: mona) }
        await store.changes.waitForRequests(1)
        let refused = await requestNewToken(after: grant, tokens)
        let ending = Task { try await tokens.end() }
        #expect(try await refused.value == nil)
        for number in 0...1 { store.changes.answer(number, with: .success(true)) }
        await identifying.value
        try await ending.value
        #expect(store.stored == nil)
    }

    @Test func `does not overwrite that of whoever signed in since`() async throws {
        let store = SlowStore(try credentials("a"))
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        let identifying = Task { await tokens.identify(grant.id, as: mona) }
        await store.changes.waitForRequests(1)
        let refused = await requestNewToken(after: grant, tokens)
        let beginning = Task { try await tokens.begin(with: try credentials("b", user: hubot)) }
        #expect(try await refused.value == nil)
        for number in [1, 0] { store.changes.answer(number, with: .success(true)) }
        await identifying.value
        _ = try await beginning.value
        #expect(store.stored?.token == (try Secret("b")))
    }

    @Test func `leaves no request waiting when the session ends during a late save`() async throws {
        let store = SlowStore(try credentials("old", in: -1))
        let time = Mutex(testNow)
        let tokens = tokens(store) { time.withLock { $0 } }
        renewals.answer(0, with: .success(try credentials("new", in: 90)))
        let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "x"))
        store.changes.answer(0, with: .failure(full))
        let grant = try #require(try await tokens.grantForRequest())
        // It is still to be stored: requests do that first.
        let asking = Task { try await tokens.grantForRequest() }
        await store.changes.waitForRequests(2)
        // When it is stored it would be about to end.
        time.withLock { $0 += 60 }
        let refused = await requestNewToken(after: grant, tokens)
        let ending = Task { try await tokens.end() }
        #expect(try await refused.value == nil)
        for number in 1...99 { store.changes.answer(number, with: .success(true)) }
        try await ending.value
        #expect(try await asking.value == nil)
    }

    @Test func `is not taken from another process where somebody else has signed in`() async throws {
        for user in [hubot, nil] {
            let store = InMemoryTokenStore(try credentials("monas", in: -1, user: mona))
            let tokens = tokens(store)
            _ = try await tokens.current()
            try await store.save(try credentials("hubots", in: 3000, user: user))
            renewals.answer(renewals.requests.count, with: .success(try credentials("monas-new", in: 3000)))
            #expect(try await tokens.grantForRequest()?.credentials.token == Secret("monas-new"))
            // Nor is theirs overwritten.
            #expect(try await store.load()?.token == Secret("hubots"))
        }
    }

    @Test func `takes nothing along that another process has stored, when it ends`() async throws {
        let store = InMemoryTokenStore(try credentials("monas", user: mona))
        let revokedTokens = tokens(store)
        let grant = try #require(try await revokedTokens.current())
        let signedOutTokens = tokens(store)
        _ = try await signedOutTokens.current()
        try await store.save(try credentials("hubots", user: hubot))
        renewals.answer(0, with: .failure(.signInFailed(.invalidCode)))
        #expect(try await revokedTokens.grant(afterRefusalOf: grant) == nil)
        try await signedOutTokens.end()
        #expect(try await store.load()?.token == Secret("hubots"))
    }

    @Test func `is not put back by a note of whose it is, when another process has renewed or deleted it`() async throws
    {
        let store = InMemoryTokenStore(try credentials("old"))
        let tokens = tokens(store)
        let grant = try #require(try await tokens.current())
        try await store.save(try credentials("renewed"))
        await tokens.identify(grant.id, as: mona)
        #expect(try await store.load()?.token == Secret("renewed"))
        try await store.delete()
        await tokens.identify(grant.id, as: mona)
        #expect(try await store.load() == nil)
    }

    @Test func `is taken back when it comes after signing out`() async throws {
        let tokens = tokens(InMemoryTokenStore(try credentials("old", in: -1, user: mona)))
        let asking = Task { try await tokens.grantForRequest() }
        await renewals.waitForRequests(1)
        try await tokens.end()
        renewals.answer(0, with: .success(try credentials("new", in: 3000)))
        #expect(try await asking.value == nil)
        await revoked.waitForRequests(1)
        #expect(revoked.requests == [try Secret("new")])
    }

    @Test func `is on no request while it is said that nobody is signed in`() async throws {
        let store = SlowStore(try credentials("a", user: mona))
        store.isLocked = true
        let session = GitHub.SessionManager.inMemory(tokens: tokens(store))
        await session.start()
        #expect(session.current == .signedOut(.storage(StorageFailure(reason: .busy, file: "x"))))

        let tokens = tokens(store)
        #expect(try await tokens.grantForRequest() == nil)
        store.isLocked = false
        #expect(try await tokens.grantForRequest() == nil)
        // Asked for it, it is read again, and from then on requests have it.
        #expect(try await tokens.current()?.credentials.user == mona)
        #expect(try await tokens.grantForRequest() != nil)
    }

    @Test func `keeps its person when that was learnt during a renewal`() async throws {
        let tokens = tokens(InMemoryTokenStore(try credentials("old")))
        let grant = try #require(try await tokens.current())
        let asking = Task { try await tokens.grant(afterRefusalOf: grant) }
        await renewals.waitForRequests(1)
        await tokens.identify(grant.id, as: mona)
        renewals.answer(0, with: .success(try credentials("new")))
        #expect(try await asking.value != nil)
        #expect(try await tokens.current()?.credentials.user == mona)
    }

    @Test func `of somebody who signs out while it is written is in no file after that`() async throws {
        for _ in 0..<200 {
            let folder = TemporaryFolder()
            let server = try #require(URL(string: "https://api.github.com"))
            let store = FileTokenStore(folder: folder.url, server: server)
            let tokens = StoredTokenRepository(store: store)
            let grant = try await tokens.begin(with: credentials("a"))
            async let identified: Void = tokens.identify(grant.id, as: mona)
            try await tokens.end()
            await identified
            #expect(try await store.load() == nil)
        }
    }
}

/// A store whose changes wait until the test lets them go, or fail.
private final class SlowStore: TokenStore {
    private let credentials: Mutex<GitHub.Credentials?>
    private let locked = Mutex(false)
    let changes = ControlledResponses<Int, Bool>()

    init(_ credentials: GitHub.Credentials) {
        self.credentials = Mutex(credentials)
    }

    var stored: GitHub.Credentials? { credentials.withLock { $0 } }

    var isLocked: Bool {
        get { locked.withLock { $0 } }
        set { locked.withLock { $0 = newValue } }
    }

    func load() async throws(BrowseError) -> GitHub.Credentials? {
        guard !isLocked else { throw .storageFailed(StorageFailure(reason: .busy, file: "x")) }
        return stored
    }

    func update(
        _ change: @Sendable (Result<GitHub.Credentials?, BrowseError>) -> TokenChange
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
