public import BrowseDomain
import Synchronization

/// Stars that are kept as long as the value lives.
public final class InMemoryStarRepository: GitHub.StarRepository {
    private struct State {
        var ids: [GitHub.Repo.ID]
        var writeCount = 0
    }

    private let state: Mutex<State>
    private let pageSize: Int

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - ids: What is starred from the beginning, the latest star first.
    ///   - pageSize: How many rows a page has; below 1 is raised to that.
    public init(_ ids: [GitHub.Repo.ID] = [], pageSize: Int = 100) {
        state = Mutex(State(ids: ids))
        self.pageSize = max(1, pageSize)
    }

    /// What is starred, the latest star first.
    public var ids: [GitHub.Repo.ID] { state.withLock { $0.ids } }

    /// How often a star was given or taken back.
    public var writeCount: Int { state.withLock { $0.writeCount } }

    /// Every page of what is starred; an empty list is one empty page.
    public func starred(
        receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        let pages = RowPages(ids, of: "starred", size: pageSize, endpoint: "InMemoryStarRepository.starred(receive:)")
        var cursor: PageCursor?
        repeat {
            let page = try pages.page(at: cursor)
            try await receive(page)
            cursor = page.next
        } while cursor != nil
    }

    /// Stars a code repository, or takes the star back.
    public func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        guard !Task.isCancelled else { throw .cancelled }
        state.withLock { state in
            state.writeCount += 1
            guard state.ids.contains(repo.id) != isStarred else { return }
            if isStarred { state.ids.insert(repo.id, at: 0) } else { state.ids.removeAll { $0 == repo.id } }
        }
    }

    /// Whether a code repository is starred.
    public func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        guard !Task.isCancelled else { throw .cancelled }
        return ids.contains(repo.id)
    }
}

extension GitHub.SessionManager {
    /// A session without a network, for tests and previews: nobody is signed in, or whoever is given.
    ///
    /// - Parameters:
    ///   - user: Who is signed in from the beginning.
    ///   - tokens: Where the token is; unless given, one of the user's, if there is one.
    ///   - users: Tells whose a token is.
    ///   - stars: Where stars are.
    ///   - repos: Where a code repository is read again from, when its count is in doubt.
    ///   - clock: Measures the pause between writes of stars.
    public static func inMemory(
        _ user: GitHub.User? = nil,
        tokens: (any GitHub.TokenRepository)? = nil,
        users: any GitHub.UserRepository = InMemoryUserRepository(profiles: []),
        stars: any GitHub.StarRepository = InMemoryStarRepository(),
        repos: any GitHub.RepoRepository = InMemoryRepoRepository(),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> GitHub.SessionManager {
        let credentials = user.flatMap { user in
            (try? GitHub.AccessToken("in-memory")).map { GitHub.Credentials(token: $0, user: user) }
        }
        return GitHub.SessionManager(
            tokens: tokens ?? InMemoryTokenRepository(credentials),
            users: users,
            stars: GitHub.StarStore(repository: stars, repos: repos, clock: clock)
        )
    }
}
