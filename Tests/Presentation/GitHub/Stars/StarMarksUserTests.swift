import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Synchronization
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `Rows that depend on the user` {
    private let mona = GitHub.User.sample(1, login: "mona")
    private let hubot = GitHub.User.sample(2, login: "hubot")
    private let pages = ControlledResponses<InMemoryRepoRepository.Call, Page<GitHub.Repo>>()

    private func page(_ repos: GitHub.Repo...) -> Result<Page<GitHub.Repo>, BrowseError> {
        .success(Page(items: repos, totalCount: repos.count))
    }

    /// jonan/ForkHub#138
    @Test(arguments: [(["public_repo"], true), (["repo"], false), ([], false)])
    func `may exist, although the sign-in shows none`(scopes: [String], isHint: Bool) async throws {
        let session = GitHub.SessionManager.inMemory()
        await session.start()
        try await session.signIn(with: Credentials(token: Secret("monas"), scopes: scopes, user: mona))
        let list = RepoListViewModel(InMemoryRepoRepository(), session: session)
        await list.show(.own)
        guard case .empty(let message) = list.state.content.status else {
            Issue.record("The list isn't empty.")
            return
        }
        #expect(message.text.contains("private") == isHint)
    }

    private nonisolated static let nothing: [Result<Page<GitHub.Repo>, BrowseError>] = [
        .failure(.unauthorized(.refused)), .failure(.notFound(.sample)), .success(Page(items: [])),
    ]

    @Test(arguments: nothing)
    func `are loaded for a user who may see some, although there were none`(
        nothing: Result<Page<GitHub.Repo>, BrowseError>
    ) async throws {
        let session = GitHub.SessionManager.inMemory()
        await session.start()
        let list = RepoListViewModel(InMemoryRepoRepository(onCall: pages.response), session: session)
        pages.answer(0, with: nothing)
        await list.show(.publicRepos(of: .octocat))
        pages.answer(1, with: page(.sample(1)))
        try await session.signIn(with: Credentials(token: Secret("monas"), user: mona))
        await list.until { $0.content.rows.map(\.id) == [GitHub.Repo.sample(1).id] }
    }

    @Test func `arrive beside a notice about something else, which a sign-in doesn't remove`() async throws {
        let session = GitHub.SessionManager.inMemory()
        await session.start()
        let list = RepoListViewModel(InMemoryRepoRepository(onCall: pages.response), session: session)
        pages.answer(0, with: page())
        await list.show(.publicRepos(of: .octocat))
        list.pages.show(Texts.english.noMatches)
        pages.answer(1, with: page(.sample(1)))
        try await session.signIn(with: Credentials(token: Secret("monas"), user: mona))
        // The states of the session arrive in order, and that of the user loads the rows.
        await list.until { $0.content.rows.map(\.id) == [GitHub.Repo.sample(1).id] }
        #expect(list.state.notice == Texts.english.noMatches)
    }

    @Test func `are loaded when the device is unlocked, before which requests have no token`() async throws {
        let isLocked = Mutex(true)
        let credentials = Credentials(token: try Secret("monas"), user: mona)
        let tokens = InMemoryTokenRepository(credentials) { _ throws(BrowseError) in
            let failure = StorageFailure(reason: .locked, file: "session")
            guard !isLocked.withLock(\.self) else { throw .storageFailed(failure) }
            return nil
        }
        let session = GitHub.SessionManager.inMemory(tokens: tokens)
        let list = RepoListViewModel(InMemoryRepoRepository(onCall: pages.response), session: session)
        pages.answer(0, with: .failure(.unauthorized(.refused)))
        await list.show(.own)
        await session.start()
        #expect(session.current == .restoring && list.state.content.status.message != nil)
        isLocked.withLock { $0 = false }
        pages.answer(1, with: page(.sample(1)))
        await session.start()
        await list.until { $0.content.rows.map(\.id) == [GitHub.Repo.sample(1).id] }
    }

    @Test func `are loaded once for the next user, even if that user is unknown at first`() async throws {
        let users = InMemoryUserRepository(onCall: { _ throws(BrowseError) in throw .timedOut(.sample) })
        let session = GitHub.SessionManager.inMemory(mona, users: users)
        await session.start()
        let list = RepoListViewModel(InMemoryRepoRepository(onCall: pages.response), session: session)
        pages.answer(0, with: page(.sample(1)))
        await list.show(.own)
        pages.answer(1, with: .failure(.unauthorized(.refused)))
        try await session.signOut()
        let message = Texts.english.message(for: SignOutReason.requested)
        await list.until { $0.content.status == .failed(message) }
        await #expect(throws: BrowseError.timedOut(.sample)) {
            try await session.signIn(with: Credentials(token: Secret("unknown")))
        }
        #expect(session.current == .unidentified(.timedOut(.sample)))
        try await session.signIn(with: Credentials(token: Secret("hubots"), user: hubot))
        await pages.waitForRequests(3)
        let isLoading = pages.answer(2, with: page(.sample(2)))
        try #require(isLoading)
        await list.until { $0.content.rows.map(\.id) == [GitHub.Repo.sample(2).id] }
        #expect(pages.requests.count == 3)
    }
}
