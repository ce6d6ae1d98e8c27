public import BrowseDomain

/// A repository of code repositories whose answers a test writes as closures.
///
/// Use ``InMemoryRepoRepository`` when the rows are what matters; use this one to fail, to come late, or to look at what is
/// asked for. A closure that was not set throws an error that says which one to set.
public struct RepoRepositoryDouble: GitHub.RepoRepository {
    /// What was asked for.
    public enum Request: Hashable, Sendable {
        /// A page of a list.
        case page(of: GitHub.RepoList, at: PageCursor?)
        /// A page of a search.
        case search(GitHub.RepoSearch, at: PageCursor?)
    }

    /// Answers ``page(of:at:)``.
    public var onPage: @Sendable (GitHub.RepoList, PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo>
    /// Answers ``search(_:at:)``.
    public var onSearch:
        @Sendable (GitHub.RepoSearch, PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo>
    /// Answers ``repo(named:of:)``.
    public var onRepo: @Sendable (String, GitHub.Login) async throws(BrowseError) -> GitHub.Repo

    /// Creates a double from its closures; those that are not given throw until they are set.
    public init(
        onPage: @escaping @Sendable (GitHub.RepoList, PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo> = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onPage", of: "RepoRepositoryDouble")
        },
        onSearch:
            @escaping @Sendable (GitHub.RepoSearch, PageCursor?) async throws(BrowseError) ->
            GitHub.SearchPage<
                GitHub.Repo
            > = { _, _ throws(BrowseError) in throw .notSetUp("onSearch", of: "RepoRepositoryDouble") },
        onRepo: @escaping @Sendable (String, GitHub.Login) async throws(BrowseError) -> GitHub.Repo = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onRepo", of: "RepoRepositoryDouble")
        }
    ) {
        self.onPage = onPage
        self.onSearch = onSearch
        self.onRepo = onRepo
    }

    /// Answers every call with an error.
    public static func failing(with error: BrowseError) -> RepoRepositoryDouble {
        RepoRepositoryDouble(
            onPage: { _, _ throws(BrowseError) in throw error },
            onSearch: { _, _ throws(BrowseError) in throw error },
            onRepo: { _, _ throws(BrowseError) in throw error }
        )
    }

    /// Never answers; a call ends with `.cancelled` when its task is cancelled.
    public static var never: RepoRepositoryDouble {
        RepoRepositoryDouble(
            onPage: { _, _ throws(BrowseError) in throw await .whenCancelled() },
            onSearch: { _, _ throws(BrowseError) in throw await .whenCancelled() },
            onRepo: { _, _ throws(BrowseError) in throw await .whenCancelled() }
        )
    }

    /// Answers lists and searches when the test lets the response go; the response to a list needs no counts.
    public static func held(
        _ responses: ControlledResponses<Request, GitHub.SearchPage<GitHub.Repo>>
    ) -> RepoRepositoryDouble {
        RepoRepositoryDouble(
            onPage: { list, cursor throws(BrowseError) in
                try await responses.response(to: .page(of: list, at: cursor)).page
            },
            onSearch: { search, cursor throws(BrowseError) in
                try await responses.response(to: .search(search, at: cursor))
            }
        )
    }

    /// What ``onPage`` answers.
    public func page(
        of list: GitHub.RepoList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.Repo> {
        try await onPage(list, cursor)
    }

    /// What ``onSearch`` answers.
    public func search(
        _ search: GitHub.RepoSearch,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo> {
        try await onSearch(search, cursor)
    }

    /// What ``onRepo`` answers.
    public func repo(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.Repo {
        try await onRepo(name, owner)
    }
}
