@_spi(Services) import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded)
struct `Session manager` {
    private let mona = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
    private let hubot = GitHub.User(id: .init(rawValue: 2), login: GitHub.Login("hubot"))
    private let profiles = ControlledResponses<GitHub.Login?, GitHub.UserProfile>()
    private let stars = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()

    private func session(_ tokens: any TokenRepository) -> GitHub.SessionManager {
        let users = InMemoryUserRepository { [profiles] _ throws(BrowseError) in
            .profile(try await profiles.response(to: nil))
        }
        return .inMemory(tokens: tokens, users: users, stars: InMemoryStarRepository(onCall: stars.response))
    }

    private func credentials(_ text: String = "token") throws -> Credentials {
        Credentials(token: try AccessToken(text))
    }

    /// Tokens that can't be read or stored, and are only revoked.
    private func brokenTokens(_ failure: StorageFailure) -> InMemoryTokenRepository {
        InMemoryTokenRepository { call throws(BrowseError) in
            if case .revoke = call { return nil }
            throw .storageFailed(failure)
        }
    }

    private func profile(_ user: GitHub.User) -> GitHub.UserProfile {
        GitHub.UserProfile(user: user) { $0.memberSince = .distantPast }
    }

    /// Returns the next sessions of a stream.
    private func next(_ count: Int, of sessions: AsyncStream<GitHub.Session>) async -> [GitHub.Session] {
        var received: [GitHub.Session] = []
        for await session in sessions {
            received.append(session)
            if received.count == count { break }
        }
        return received
    }

    /// Returns the sessions of a stream up to the given one.
    private func sessions(
        of stream: AsyncStream<GitHub.Session>,
        through last: GitHub.Session
    ) async -> [GitHub.Session] {
        var received: [GitHub.Session] = []
        for await session in stream {
            received.append(session)
            if session == last { break }
        }
        return received
    }

    @Test func `may load the user from the cache`() async throws {
        let users = InMemoryUserRepository { [profile = profile(mona)] _ throws(BrowseError) in
            guard LoadOptions.current.source == .networkElseCache else { throw .timedOut(.init(endpoint: "test")) }
            return .profile(profile)
        }
        let tokens = InMemoryTokenRepository(try credentials())
        let session = GitHub.SessionManager.inMemory(
            tokens: tokens,
            users: users,
            stars: InMemoryStarRepository(onCall: stars.response)
        )
        stars.answer(0, with: .success([]))
        await session.start()
        #expect(session.current == .ready(mona))
    }

    @Test func `stores the token, loads the user and then the stars, and reports each step`() async throws {
        let tokens = InMemoryTokenRepository()
        let session = session(tokens)
        var received = session.sessions.makeAsyncIterator()
        #expect(await received.next() == .restoring)
        #expect(await received.next() == .signedOut(.noSession))

        let signIn = Task { try await session.signIn(with: credentials()) }
        #expect(await received.next() == .signingIn)
        // The token is in use before the first request.
        #expect(try await tokens.current()?.credentials == credentials())
        await profiles.waitForRequests(1)
        #expect(stars.requests.isEmpty)
        profiles.answer(0, with: .success(profile(mona)))
        #expect(await received.next() == .identified(mona))
        await stars.waitForRequests(1)
        #expect(session.current == .identified(mona))
        stars.answer(0, with: .success([.init(rawValue: 7)]))
        #expect(await received.next() == .ready(mona))
        #expect(session.stars.isStarred(.init(rawValue: 7)))
        try await signIn.value
        #expect(try await tokens.current()?.credentials.user == StoredUser(mona))
    }

    @Test func `reports to any number of listeners, in order, starting with the current session`() async throws {
        let session = session(InMemoryTokenRepository(try credentials()))
        // The first stream starts the session, maybe before the others exist; but the session waits for the profile.
        let early = (0..<20).map { _ in session.sessions }
        profiles.answer(0, with: .success(profile(mona)))
        stars.answer(0, with: .success([]))
        await session.start()
        let late = session.sessions
        try await session.signOut()
        let all: [GitHub.Session] = [.restoring, .signingIn, .identified(mona), .ready(mona), .signedOut(.requested)]
        for stream in early {
            let received = await sessions(of: stream, through: .signedOut(.requested))
            #expect(received == all || received == Array(all.dropFirst()))
        }
        #expect(await next(2, of: late) == [.ready(mona), .signedOut(.requested)])
    }

    @Test func `restores a stored session, and then loads the user again`() async throws {
        var stored = try credentials()
        stored.user = StoredUser(mona)
        let session = session(InMemoryTokenRepository(stored))
        async let started: Void = session.start()
        await stars.waitForRequests(1)
        #expect(session.current == .identified(mona))
        stars.answer(0, with: .success([]))
        await started
        #expect(session.current == .ready(mona))
        // The login has changed.
        let renamed = GitHub.User(id: mona.id, login: GitHub.Login("mona-new"))
        await profiles.waitForRequests(1)
        profiles.answer(0, with: .success(profile(renamed)))
        for await state in session.sessions where state == .ready(renamed) { break }
    }

    @Test func `keeps a newer login that a screen has loaded before the session is ready`() async throws {
        let session = session(InMemoryTokenRepository(try credentials().owned(by: mona)))
        let starting = Task { await session.start() }
        await stars.waitForRequests(1)
        let renamed = GitHub.User(id: mona.id, login: GitHub.Login("mona-new"))
        await session.update(renamed)
        #expect(session.current == .identified(renamed))
        // The user is requested again when the session is ready.
        profiles.answer(0, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET /user"))))
        stars.answer(0, with: .success([]))
        await starting.value
        #expect(session.current == .ready(renamed))
        await profiles.waitForRequests(1)
    }

    // gravitational/teleport#1882
    @Test func `goes on loading when a task that waits for it is canceled`() async throws {
        let session = session(InMemoryTokenRepository(try credentials().owned(by: mona)))
        let starting = Task { await session.start() }
        await stars.waitForRequests(1)
        starting.cancel()
        await starting.value
        #expect(session.current == .identified(mona))
        profiles.answer(0, with: .success(profile(mona)))
        stars.answer(0, with: .success([.init(rawValue: 7)]))
        await session.start()
        #expect(session.current == .ready(mona) && session.stars.isStarred(.init(rawValue: 7)))
    }

    @Test func `goes on restoring when a task that waits for it is canceled`() async throws {
        let reads = ControlledResponses<InMemoryTokenRepository.Call, TokenGrant>()
        let session = session(InMemoryTokenRepository(onCall: reads.response))
        let starting = Task { await session.start() }
        await reads.waitForRequests(1)
        starting.cancel()
        await starting.value
        #expect(session.current == .restoring)
        let grant = TokenGrant(id: 1, credentials: try credentials().owned(by: mona))
        for read in 0..<2 { reads.answer(read, with: .success(grant)) }
        stars.answer(0, with: .success([]))
        profiles.answer(0, with: .success(profile(mona)))
        await session.start()
        #expect(session.current == .ready(mona))
    }

    @Test func `ends once when GitHub revokes the token, and discards the stars`() async throws {
        let tokens = InMemoryTokenRepository(Credentials(token: try Secret("t"), user: mona))
        let session = GitHub.SessionManager.inMemory(
            tokens: tokens,
            stars: InMemoryStarRepository([.init(rawValue: 3)])
        )
        await session.start()
        #expect(session.stars.isStarred(.init(rawValue: 3)))
        let stream = session.sessions
        for _ in 0..<5 { await tokens.rejectToken() }
        #expect(await next(2, of: stream) == [.ready(mona), .signedOut(.revoked)])
        #expect(!session.stars.isStarred(.init(rawValue: 3)))
        try await session.signIn(with: Credentials(token: Secret("u"), user: hubot))
        #expect(session.current == .ready(hubot))
    }

    @Test func `doesn't end when the previous token is revoked`() async throws {
        let ends = ControlledResponses<Int, TokenGrant.ID>()
        let session = GitHub.SessionManager.inMemory(tokens: LateTokenRepository(ends: ends))
        try await session.signIn(with: Credentials(token: Secret("t"), user: mona))
        try await session.signIn(with: Credentials(token: Secret("u"), user: hubot))
        ends.answer(0, with: .success(1))
        // The next request means that this event was handled.
        await ends.waitForRequests(2)
        #expect(session.current == .ready(hubot))
        ends.answer(1, with: .success(2))
        await ends.waitForRequests(3)
        #expect(session.current == .signedOut(.revoked))
    }

    @Test func `reports repeated sign-outs once`() async throws {
        let session = GitHub.SessionManager.inMemory(mona)
        await session.start()
        let stream = session.sessions
        for _ in 0..<3 { try await session.signOut() }
        try await session.signIn(with: Credentials(token: Secret("u"), user: hubot))
        #expect(await next(3, of: stream) == [.ready(mona), .signedOut(.requested), .signingIn])
    }

    /// The event of the rejection can arrive before the response.
    @Test(arguments: [false, true])
    func `ends and throws when GitHub rejects the token of a sign-in`(isEventFirst: Bool) async throws {
        let tokens = InMemoryTokenRepository()
        let session = session(tokens)
        await session.start()
        let signIn = Task { try await session.signIn(with: credentials()) }
        await profiles.waitForRequests(1)
        if isEventFirst {
            let stream = session.sessions
            await tokens.rejectToken()
            #expect(await next(2, of: stream) == [.signingIn, .signedOut(.refused)])
        }
        let error = BrowseError.unauthorized(BrowseError.RequestInfo(endpoint: "GET /user", status: 401))
        profiles.answer(0, with: .failure(error))
        await #expect(throws: error) { try await signIn.value }
        #expect(session.current == .signedOut(.refused))
    }

    @Test func `cancels a sign-in when the session ends elsewhere`() async throws {
        let ends = ControlledResponses<Int, TokenGrant.ID>()
        let session = session(LateTokenRepository(ends: ends, reason: .requested))
        await session.start()
        let signIn = Task { try await session.signIn(with: credentials()) }
        await profiles.waitForRequests(1)
        ends.answer(0, with: .success(1))
        await #expect(throws: BrowseError.cancelled) { try await signIn.value }
        #expect(session.current == .signedOut(.requested))
    }

    @Test func `revokes the token also if the caller of a sign-out is canceled`() async throws {
        let revocations = ControlledResponses<Credentials, Void>()
        let credentials = try credentials().owned(by: mona)
        let tokens = InMemoryTokenRepository(credentials) { call throws(BrowseError) in
            if case .revoke(let credentials) = call { try await revocations.response(to: credentials) }
            return nil
        }
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        await session.start()
        let signOut = Task { try await session.signOut() }
        await revocations.waitForRequests(1)
        signOut.cancel()
        revocations.answer(0, with: .success(()))
        try await signOut.value
        #expect(revocations.requests == [credentials])
    }

    @Test func `stays unidentified when the user can't be loaded, until a retry`() async throws {
        let session = session(InMemoryTokenRepository(try credentials()))
        async let started: Void = session.start()
        await profiles.waitForRequests(1)
        let error = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "GET /user"))
        profiles.answer(0, with: .failure(error))
        await started
        #expect(session.current == .unidentified(error))

        async let again: Void = session.retry()
        await profiles.waitForRequests(2)
        profiles.answer(1, with: .success(profile(mona)))
        stars.answer(0, with: .failure(error))
        await again
        // The session is ready even if the stars can't be loaded.
        #expect(session.current == .ready(mona))
        #expect(session.stars.failure == error)

        async let starsAgain: Void = session.retry()
        await stars.waitForRequests(2)
        stars.answer(1, with: .success([.init(rawValue: 5)]))
        await starsAgain
        #expect(session.stars.failure == nil)
        #expect(session.stars.isStarred(.init(rawValue: 5)))
    }

    @Test func `stays signed out if the app's own token is accepted again during the sign-out`() async throws {
        let ends = ControlledResponses<Int, Void>()
        let session = session(
            InMemoryTokenRepository(try credentials()) { [ends] call throws(BrowseError) in
                if call == .end { try await ends.response(to: 0) }
                return nil
            }
        )
        let info = BrowseError.RequestInfo(endpoint: "GET /user") { $0.refusedConfiguredToken = true }
        profiles.answer(0, with: .failure(.unauthorized(info)))
        await session.start()
        #expect(session.current == .signedOut(.tokenRefused))
        let retry = Task { await session.retry() }
        await profiles.waitForRequests(2)
        let signOut = Task { try await session.signOut() }
        await ends.waitForRequests(1)
        profiles.answer(1, with: .success(profile(mona)))
        stars.answer(0, with: .success([]))
        await retry.value
        #expect(session.current == .signedOut(.tokenRefused) && stars.requests.isEmpty)
        ends.answer(0, with: .success(()))
        try await signOut.value
        #expect(session.current == .signedOut(.requested))
    }

    @Test func `replaces the previous session and ignores its responses`() async throws {
        let tokens = InMemoryTokenRepository()
        let session = session(tokens)
        await session.start()
        let first = Task { try await session.signIn(with: credentials("first")) }
        await profiles.waitForRequests(1)
        let second = Task { try await session.signIn(with: credentials("second")) }
        await profiles.waitForRequests(2)
        profiles.answer(1, with: .success(profile(hubot)))
        stars.answer(0, with: .success([]))
        try await second.value
        // The first request was canceled, so its response is discarded.
        #expect(!profiles.answer(0, with: .success(profile(mona))))
        await #expect(throws: BrowseError.cancelled) { try await first.value }
        #expect(session.current == .ready(hubot))
        #expect(try await tokens.current()?.credentials.token == Secret("second"))
    }

    @Test(arguments: [false, true])
    func `stays signed out when a sign-out overtakes a sign-in`(isIdentified: Bool) async throws {
        let tokens = InMemoryTokenRepository()
        let session = session(tokens)
        await session.start()
        let signIn = Task { try await session.signIn(with: credentials()) }
        await profiles.waitForRequests(1)
        if isIdentified {
            profiles.answer(0, with: .success(profile(mona)))
            await stars.waitForRequests(1)
        }
        try await session.signOut()
        await #expect(throws: BrowseError.cancelled) { try await signIn.value }
        #expect(session.current == .signedOut(.requested))
        #expect(try await tokens.current() == nil)
        let expected = isIdentified ? try credentials().owned(by: mona) : try credentials()
        #expect(await tokens.revokedCredentials == [expected])
    }

    @Test func `discards a star set in an unidentified session on sign-out`() async throws {
        let session = session(InMemoryTokenRepository(try credentials()))
        let repo = GitHub.Repo(id: .init(rawValue: 9), name: "r", fullName: "o/r")
        profiles.answer(0, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET /user"))))
        await session.start()
        _ = session.stars.setStarred(true, for: repo)
        #expect(session.stars.isStarred(repo.id))
        await stars.waitForRequests(1)
        try await session.signOut()
        // The write was canceled.
        #expect(!stars.answer(0, with: .success([])))
        stars.answer(1, with: .success([]))
        try await session.signIn(with: Credentials(token: Secret("u"), user: hubot))
        #expect(!session.stars.isStarred(repo.id))
        #expect(session.stars.pendingCount == 0)
    }

    @Test func `discards a star that waits for a sign-in on sign-out`() async throws {
        let session = session(InMemoryTokenRepository())
        let repo = GitHub.Repo(id: .init(rawValue: 9), name: "r", fullName: "o/r")
        await session.start()
        _ = session.stars.setStarred(true, for: repo)
        try await session.signOut()
        stars.answer(0, with: .success([]))
        try await session.signIn(with: Credentials(token: Secret("u"), user: hubot))
        #expect(!session.stars.isStarred(repo.id))
        #expect(session.stars.pendingCount == 0)
    }

    @Test func `ends the session before another user's begins, even if no event has reported its end`() async throws {
        let tokens = InMemoryTokenRepository(try credentials().owned(by: mona))
        let session = GitHub.SessionManager.inMemory(
            tokens: tokens,
            stars: InMemoryStarRepository([.init(rawValue: 3)])
        )
        await session.start()
        let sessions = session.sessions
        _ = try await tokens.begin(with: credentials("other").owned(by: hubot))
        await session.start()
        let expected: [GitHub.Session] = [
            .ready(mona), .signedOut(.requested), .signingIn, .identified(hubot), .ready(hubot),
        ]
        #expect(await self.sessions(of: sessions, through: .ready(hubot)) == expected)
    }

    @Test func `reports no cancellation for concurrent retries`() async throws {
        let session = session(InMemoryTokenRepository(try credentials()))
        profiles.answer(0, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET /user"))))
        await session.start()
        let sessions = session.sessions
        for number in 1...8 { profiles.answer(number, with: .success(profile(mona))) }
        for number in 0...8 { stars.answer(number, with: .success([])) }
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { await session.retry() } }
        }
        try await session.signOut()
        let received = await self.sessions(of: sessions, through: .signedOut(.requested))
        #expect(!received.contains(.unidentified(.cancelled)))
        #expect(received.contains(.ready(mona)))
    }

    @Test func `stays signed out when a retry overlaps the sign-out`() async throws {
        let ends = ControlledResponses<Int, Bool>()
        let tokens = InMemoryTokenRepository(try credentials()) { call throws(BrowseError) in
            if call == .end { _ = try await ends.response(to: 0) }
            return nil
        }
        let session = session(tokens)
        for number in 0...1 {
            profiles.answer(number, with: .failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET /user"))))
        }
        await session.start()
        let stream = session.sessions
        let ending = Task { try await session.signOut() }
        await ends.waitForRequests(1)
        let executor = FIFOExecutor()
        let retrying = Task(executorPreference: executor) { await session.retry() }
        // The retry waits for the sign-out.
        await withTaskExecutorPreference(executor) { await executor.waitUntilIdle() }
        ends.answer(0, with: .success(true))
        try await ending.value
        await retrying.value
        #expect(session.current == .signedOut(.requested))
        #expect(profiles.requests.count == 1)
        stars.answer(0, with: .success([]))
        try await session.signIn(with: Credentials(token: Secret("u"), user: hubot))
        #expect(await next(3, of: stream).dropFirst() == [.signedOut(.requested), .signingIn])
    }

    @Test(arguments: [false, true])
    func `completes a sign-in whose caller is canceled`(isReplacing: Bool) async throws {
        let tokens = InMemoryTokenRepository()
        let session = session(tokens)
        for number in 0...1 { stars.answer(number, with: .success([])) }
        await session.start()
        if isReplacing { try await session.signIn(with: credentials("monas").owned(by: mona)) }
        let signIn = Task { try await session.signIn(with: credentials()) }
        await profiles.waitForRequests(1)
        signIn.cancel()
        profiles.answer(0, with: .success(profile(hubot)))
        try await signIn.value
        #expect(session.current == .ready(hubot))
        #expect(try await tokens.current()?.credentials.token == Secret("token"))
    }

    @Test func `is signed out when the token can't be stored`() async throws {
        let failure = StorageFailure(reason: .full, file: "session.json")
        let session = GitHub.SessionManager.inMemory(tokens: brokenTokens(failure))
        await session.start()
        #expect(session.current == .signedOut(.storage(failure)))
        await #expect(throws: BrowseError.storageFailed(failure)) { try await session.signIn(with: credentials()) }
        #expect(session.current == .signedOut(.storage(failure)))
        await #expect(throws: BrowseError.storageFailed(failure)) { try await session.signOut() }
        #expect(session.current == .signedOut(.requested))
    }

    @Test(arguments: [true, false])
    func `revokes a token that was issued but can't be stored, and not a pasted one`(isIssued: Bool) async throws {
        let failure = StorageFailure(reason: .full, file: "session.json")
        let tokens = brokenTokens(failure)
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        var credentials = try credentials()
        credentials.issuedAt = isIssued ? Date(timeIntervalSince1970: 0) : nil
        await #expect(throws: BrowseError.storageFailed(failure)) { try await session.signIn(with: credentials) }
        #expect(await tokens.revokedCredentials == (isIssued ? [credentials] : []))
    }

    @Test(arguments: 0..<20)
    func `matches the token in use after concurrent sign-ins and sign-outs`(seed: Int) async throws {
        let tokens = InMemoryTokenRepository()
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        await session.start()
        await withTaskGroup { group in
            for number in 0..<30 {
                group.addTask {
                    if (number + seed) % 3 == 0 {
                        try? await session.signOut()
                    } else {
                        let user = GitHub.User(id: .init(rawValue: Int64(number)), login: GitHub.Login("u\(number)"))
                        guard let token = try? Secret("t\(number)") else { return }
                        try? await session.signIn(with: Credentials(token: token, user: user))
                    }
                }
            }
        }
        // Whichever call came last, the reported session matches the token in use.
        let inUse = try await tokens.current()?.credentials.user?.user(as: GitHub.User.self)
        #expect(session.current == inUse.map { .ready($0) } ?? .signedOut(.requested))
    }
}

extension Credentials {
    fileprivate func owned(by user: GitHub.User) -> Credentials {
        var credentials = self
        credentials.user = StoredUser(user)
        return credentials
    }
}

/// A token repository whose event of an ended session is controlled by the test.
private struct LateTokenRepository: TokenRepository {
    let tokens = InMemoryTokenRepository()
    let ends: ControlledResponses<Int, TokenGrant.ID>
    var reason = SignOutReason.revoked

    func current() async throws(BrowseError) -> TokenGrant? { try await tokens.current() }
    func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
        try await tokens.begin(with: credentials)
    }
    func identify(_ grant: TokenGrant.ID, as user: StoredUser) async { await tokens.identify(grant, as: user) }
    func end() async throws(BrowseError) { try await tokens.end() }
    func revoke(_ credentials: Credentials) async throws(BrowseError) { try await tokens.revoke(credentials) }
    var events: AsyncStream<TokenEvent> {
        AsyncStream { (try? await ends.response(to: 0)).map { TokenEvent.ended($0, reason) } }
    }
}
