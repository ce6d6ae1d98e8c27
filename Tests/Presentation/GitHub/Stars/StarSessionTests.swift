import BrowseDomain
import BrowseGitHubDomain
@testable import BrowseGitHubPresentation
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowsePresentation

/// Stars while the session isn't ready, or ends.
@MainActor @Suite(.bounded)
struct `Stars in each state of the session` {
    private let mona = GitHub.User.sample(1, login: "mona")
    private let held = ControlledResponses<StarRepositoryDouble.Request, [GitHub.Repo.ID]>()
    private let profiles = ControlledResponses<Int, GitHub.UserProfile>()
    private let clock = TestClock()

    private var profile: GitHub.UserProfile { GitHub.UserProfile(user: mona, memberSince: .distantPast) }

    private func session(_ tokens: any TokenRepository) -> GitHub.SessionManager {
        var users = UserRepositoryDouble()
        users.onOwnProfile = { [profiles] () throws(BrowseError) in try await profiles.response(to: 0) }
        return .inMemory(tokens: tokens, users: users, stars: StarRepositoryDouble.controlled(by: held), clock: clock)
    }

    private func credentials(_ scopes: String..., user: GitHub.User? = nil) throws -> Credentials {
        Credentials(token: try Secret("monas"), scopes: scopes, user: user)
    }

    private func list(_ session: GitHub.SessionManager, _ repos: GitHub.Repo...) async -> RepoListViewModel {
        var repository = RepoRepositoryDouble()
        repository.onPage = { _, _ throws(BrowseError) in Page(items: repos) }
        let list = RepoListViewModel(
            repository: repository,
            favorites: InMemoryFavoriteRepository(),
            session: session,
            options: .english
        )
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
        #expect(list.state.notice == nil)
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
        let session = session(LockedTokenRepository())
        let list = await list(session, .sample(1))
        await session.start()
        #expect(session.current == .restoring)
        #expect(await list.toggleStar(at: 0) == nil)
        #expect(list.state.notice?.text == "Unlock your device and try again.")
        #expect(!list.state.content.rows[0].isStarred)
    }

    @Test func `that end with the session have a notice to sign in`() async throws {
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
    }
}

/// Tokens on a device that hasn't been unlocked.
private struct LockedTokenRepository: TokenRepository {
    private let failure = BrowseError.storageFailed(StorageFailure(reason: .locked, file: "session"))

    func current() async throws(BrowseError) -> TokenGrant? { throw failure }
    func begin(with credentials: Credentials) async throws(BrowseError) -> TokenGrant { throw failure }
    func identify(_ grant: TokenGrant.ID, as user: StoredUser) async {}
    func end() async throws(BrowseError) { throw failure }
    func revoke(_ credentials: Credentials) async throws(BrowseError) {}
    var events: AsyncStream<TokenEvent> { AsyncStream { _ in } }
}
