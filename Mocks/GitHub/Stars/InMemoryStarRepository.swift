public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain
import Synchronization

/// A star repository in memory, which knows no counts.
public final class InMemoryStarRepository: GitHub.StarRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A read of the starred list.
        case list
        /// A write of a star.
        case set(Bool, GitHub.Repo.ID)
        /// A check of a star.
        case isStarred(GitHub.Repo.ID)
    }

    private struct State {
        var ids: [GitHub.Repo.ID]
        var writeCount = 0
    }

    private let state: Mutex<State>
    private let pageSize: Int
    private let onCall: CallHook<Call, [GitHub.Repo.ID]>?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - ids: The initial stars, the latest first.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call. Its answer is a starred list, in one page.
    public init(
        _ ids: [GitHub.Repo.ID] = [],
        pageSize: Int = 100,
        onCall: CallHook<Call, [GitHub.Repo.ID]>? = nil
    ) {
        state = Mutex(State(ids: ids))
        self.pageSize = max(1, pageSize)
        self.onCall = onCall
    }

    /// The starred repositories, the latest star first.
    public var ids: [GitHub.Repo.ID] { state.withLock { $0.ids } }

    /// The number of writes.
    public var writeCount: Int { state.withLock { $0.writeCount } }

    /// Delivers all pages of the starred list; an empty list is one empty page.
    public func starred(
        receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        if let answer = try await onCall?(.list) { return try await receive(Page(items: answer)) }
        let pages = RowPages(ids, of: "starred", size: pageSize, endpoint: "InMemoryStarRepository.starred(receive:)")
        var cursor: PageCursor?
        repeat {
            let page = try pages.page(at: cursor)
            try await receive(page)
            cursor = page.next
        } while cursor != nil
    }

    /// Adds or removes a star.
    public func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        _ = try await onCall?(.set(isStarred, repo.id))
        guard !Task.isCancelled else { throw .cancelled }
        state.withLock { state in
            state.writeCount += 1
            guard state.ids.contains(repo.id) != isStarred else { return }
            if isStarred { state.ids.insert(repo.id, at: 0) } else { state.ids.removeAll { $0 == repo.id } }
        }
    }

    /// Returns whether a repository is starred.
    public func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        if let answer = try await onCall?(.isStarred(repo.id)) { return answer.contains(repo.id) }
        guard !Task.isCancelled else { throw .cancelled }
        return ids.contains(repo.id)
    }
}

extension GitHub.SessionManager {
    /// A session manager without a network, for tests and previews.
    ///
    /// - Parameters:
    ///   - user: The user that is signed in initially.
    ///   - tokens: The storage of the token; `nil` stores a token of `user`, if any.
    ///   - users: Returns the account of a token.
    ///   - stars: The repository of stars.
    ///   - clock: Measures the delay between writes of stars.
    public static func inMemory(
        _ user: GitHub.User? = nil,
        tokens: (any TokenRepository)? = nil,
        users: any GitHub.UserRepository = InMemoryUserRepository(),
        stars: any GitHub.StarRepository = InMemoryStarRepository(),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> GitHub.SessionManager {
        let credentials = user.flatMap { user in
            (try? AccessToken("in-memory")).map { Credentials(token: $0, user: user) }
        }
        return GitHub.SessionManager(
            tokens: tokens ?? InMemoryTokenRepository(credentials),
            users: users,
            stars: GitHub.StarStore(repository: stars, clock: clock)
        )
    }
}
