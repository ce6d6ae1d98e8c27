import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Stars while the session isn't ready, or ends.
@MainActor @Suite(.bounded)
struct `Stars in each state of the session` {
    private let mona = GitHub.User.sample(1, login: "mona")
    private let held = ControlledResponses<InMemoryStarRepository.Call, [GitHub.Repo.ID]>()
    private let profiles = ControlledResponses<Int, GitHub.UserProfile>()
    private let clock = TestClock()

    private var profile: GitHub.UserProfile { GitHub.UserProfile(user: mona) { $0.memberSince = .distantPast } }

    private func session(_ tokens: any TokenRepository) -> GitHub.SessionManager {
        .inMemory(
            tokens: tokens,
            users: InMemoryUserRepository(held: profiles),
            stars: InMemoryStarRepository(onCall: held.response),
            clock: clock
        )
    }

    private func credentials(_ scopes: String..., user: GitHub.User? = nil) throws -> Credentials {
        Credentials(token: try Secret("monas"), scopes: scopes, user: user)
    }

    private func list(_ session: GitHub.SessionManager, _ repos: GitHub.Repo...) async -> RepoListViewModel {
        let list = RepoListViewModel(InMemoryRepoRepository { _ in Page(items: repos) }, session: session)
        await list.show(.publicRepos(of: .octocat))
        return list
    }

    private nonisolated static let failures: [BrowseError] = [
        .forbidden(BrowseError.RequestInfo(endpoint: "GET /user", status: 403)),
        .serverFailure(BrowseError.RequestInfo(endpoint: "GET /user", status: 503)),
    ]

    @Test(arguments: failures)
    func `are written although the user can't be loaded`(error: BrowseError) async throws {
        let session = session(InMemoryTokenRepository(try credentials()))
        profiles.answer(0, with: .failure(error))
        await session.start()
        #expect(session.current == .unidentified(error))
        profiles.answer(1, with: .failure(error))
        let list = await list(session, .sample(1))
        held.answer(0, with: .success([]))
        #expect(await list.toggleStar(at: 0) == nil)
        #expect(held.requests == [.set(true, GitHub.Repo.sample(1).id)])
        #expect(list.state.content.rows[0].isStarred)
        await list.until { $0.notice == Texts.english.starsMissing }
    }

    @Test func `are written before the starred list arrives, which doesn't undo them`() async throws {
        let session = session(InMemoryTokenRepository(try credentials(user: mona)))
        let starting = Task { await session.start() }
        await held.waitForRequests(1)
        let list = await list(session, .sample(1), .sample(2))
        held.answer(1, with: .success([]))
        #expect(await list.toggleStar(at: 0) == nil)
        #expect(held.requests == [.list, .set(true, GitHub.Repo.sample(1).id)])
        held.answer(0, with: .success([GitHub.Repo.sample(2).id]))
        await starting.value
        await list.until { $0.content.rows.map(\.isStarred) == [true, true] }
    }

    @Test func `are loaded with the user when a list is refreshed or shown again`() async throws {
        for isRefresh in [true, false] {
            let number = profiles.requests.count
            let session = session(InMemoryTokenRepository(try credentials()))
            let list = await list(session, .sample(1))
            profiles.answer(number, with: .failure(Self.failures[1]))
            await session.start()
            profiles.answer(number + 1, with: .success(profile))
            held.answer(held.requests.count, with: .success([GitHub.Repo.sample(1).id]))
            if isRefresh { await list.refresh() } else { await list.showIfNeeded(.publicRepos(of: .octocat)) }
            await list.until { $0.content.rows[0].isStarred }
            await session.start()
            #expect(session.current == .ready(mona))
        }
    }

    @Test func `that the device can't write before it's unlocked have a notice`() async throws {
        let failure = BrowseError.storageFailed(StorageFailure(reason: .locked, file: "session"))
        let session = session(InMemoryTokenRepository { _ throws(BrowseError) in throw failure })
        let list = await list(session, .sample(1))
        await session.start()
        #expect(session.current == .restoring)
        #expect(await list.toggleStar(at: 0) == nil)
        // Try Again would load the list again.
        #expect(list.state.notice?.text == "Unlock your device and try again." && list.state.notice?.action == nil)
        #expect(!list.state.content.rows[0].isStarred)
    }

    @Test func `that wait for a session that can't be restored return the sign-in route`() async throws {
        let failure = StorageFailure(reason: .damaged, file: "session")
        let session = session(InMemoryTokenRepository { _ throws(BrowseError) in throw .storageFailed(failure) })
        let list = await list(session, .sample(1))
        #expect(await list.toggleStar(at: 0) == .signIn)
        #expect(session.current == .signedOut(.storage(failure)))
    }

    @Test func `can't be set without the permission, if it's known`() async throws {
        let hidden = GitHub.Repo(id: .init(rawValue: 2), name: "r", fullName: "o/r") { $0.isPrivate = true }
        for (scopes, expected) in [
            ([], [true, true]), (["user"], [false, false]), (["public_repo"], [true, false]), (["repo"], [true, true]),
        ] as [([String], [Bool])] {
            let tokens = InMemoryTokenRepository(Credentials(token: try Secret("monas"), scopes: scopes, user: mona))
            let session = session(tokens)
            held.answer(held.requests.count, with: .success([]))
            await session.start()
            #expect(session.scopes == scopes)
            let list = await list(session, .sample(1), hidden)
            #expect(list.state.content.rows.map(\.canStar) == expected)
            await tokens.rejectToken()
            // With some scopes, the rows look the same before the session has ended.
            for await current in session.sessions where current == .signedOut(.revoked) { break }
            #expect(session.scopes.isEmpty)
            await list.until { $0.content.rows.map(\.canStar) == [true, true] }
        }
    }

    @Test(arguments: [SignOutReason.tokenRefused, .requested])
    func `that disappear with the session are explained, unless it ended elsewhere`(
        reason: SignOutReason
    ) async throws {
        let events = Broadcast<TokenEvent>()
        let tokens = InMemoryTokenRepository(try credentials(user: mona))
        let session = session(EventTokenRepository(tokens: tokens, broadcast: events))
        held.answer(0, with: .success([GitHub.Repo.sample(1).id]))
        await session.start()
        let list = await list(session, .sample(1))
        let grant = try #require(try await tokens.current())
        events.send(.ended(grant.id, reason))
        await list.until { !$0.content.rows[0].isStarred }
        // The stars end before the session does, in the same step.
        _ = await session.settled
        let isRefused = reason == .tokenRefused
        let message = Texts.english.about(.gitHub).message(for: SignOutReason.tokenRefused)
        // The person may star before the list has received the end of the session.
        let route = await list.toggleStar(at: 0)
        #expect(route == (isRefused ? nil : .signIn))
        #expect(list.state.notice == (isRefused ? message : Texts.english.starWaits))
    }

    @Test func `that end with the session have a notice to sign in, until somebody does`() async throws {
        let tokens = InMemoryTokenRepository(try credentials(user: mona))
        let session = session(tokens)
        held.answer(0, with: .success([]))
        await session.start()
        let list = await list(session, .sample(1))
        let tap = Task { await list.toggleStar(at: 0) }
        await held.waitForRequests(2)
        await tokens.rejectToken()
        #expect(await tap.value == nil)
        #expect(!list.state.content.rows[0].isStarred)
        #expect(list.state.notice == Texts.english.about(.gitHub).message(for: SignOutReason.revoked))
        #expect(list.state.notice?.action == .signIn)
        held.answer(2, with: .success([]))
        try await session.signIn(with: credentials(user: mona))
        await list.until { $0.notice == nil }
    }
}

/// Tokens whose events a test sends.
private struct EventTokenRepository: TokenRepository {
    let tokens: InMemoryTokenRepository
    let broadcast: Broadcast<TokenEvent>

    func current() async throws(BrowseError) -> TokenGrant? { try await tokens.current() }
    func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant {
        try await tokens.begin(with: credentials)
    }
    func identify(_ grant: TokenGrant.ID, as user: StoredUser) async { await tokens.identify(grant, as: user) }
    func end() async throws(BrowseError) { try await tokens.end() }
    func revoke(_ credentials: Credentials) async throws(BrowseError) { try await tokens.revoke(credentials) }
    var events: AsyncStream<TokenEvent> { broadcast.stream() }
}
