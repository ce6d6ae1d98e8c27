public import BrowseDomain

/// A repository of GitHub repositories whose results a test sets as closures.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryRepoRepository``. If a closure isn't set, its
/// calls fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct RepoRepositoryDouble: GitHub.RepoRepository {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A page of a list.
        case page(of: GitHub.RepoList, at: PageCursor?)
        /// A page of a search.
        case search(GitHub.RepoSearch, at: PageCursor?)
    }

    /// Performs ``page(of:at:)``.
    public var onPage: @Sendable (GitHub.RepoList, PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo>
    /// Performs ``search(_:at:)``.
    public var onSearch:
        @Sendable (GitHub.RepoSearch, PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo>
    /// Performs ``repo(named:of:)``.
    public var onRepo: @Sendable (String, GitHub.Login) async throws(BrowseError) -> GitHub.Repo

    /// Creates a double; calls of closures that aren't set fail.
    public init(
        onPage: @escaping @Sendable (GitHub.RepoList, PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo> = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onPage", of: "RepoRepositoryDouble", parameters: 2)
        },
        onSearch:
            @escaping @Sendable (GitHub.RepoSearch, PageCursor?) async throws(BrowseError) ->
            GitHub.SearchPage<
                GitHub.Repo
            > = { _, _ throws(BrowseError) in throw .notSetUp("onSearch", of: "RepoRepositoryDouble", parameters: 2) },
        onRepo: @escaping @Sendable (String, GitHub.Login) async throws(BrowseError) -> GitHub.Repo = {
            _,
            _ throws(BrowseError) in throw .notSetUp("onRepo", of: "RepoRepositoryDouble", parameters: 2)
        }
    ) {
        self.onPage = onPage
        self.onSearch = onSearch
        self.onRepo = onRepo
    }

    /// Returns a double whose calls fail.
    public static func failing(with error: BrowseError) -> RepoRepositoryDouble {
        RepoRepositoryDouble(
            onPage: { _, _ throws(BrowseError) in throw error },
            onSearch: { _, _ throws(BrowseError) in throw error },
            onRepo: { _, _ throws(BrowseError) in throw error }
        )
    }

    /// A double whose calls suspend until their task is canceled, and then throw `.cancelled`.
    public static var never: RepoRepositoryDouble {
        RepoRepositoryDouble(
            onPage: { _, _ throws(BrowseError) in throw await .whenCancelled() },
            onSearch: { _, _ throws(BrowseError) in throw await .whenCancelled() },
            onRepo: { _, _ throws(BrowseError) in throw await .whenCancelled() }
        )
    }

    /// Returns a double whose lists and searches suspend until a test responds.
    ///
    /// The counts in responses to lists are ignored. ``onRepo`` isn't set.
    public static func controlled(
        by responses: ControlledResponses<Request, GitHub.SearchPage<GitHub.Repo>>
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

    /// Calls ``onPage``.
    public func page(
        of list: GitHub.RepoList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.Repo> {
        try await onPage(list, cursor)
    }

    /// Calls ``onSearch``.
    public func search(
        _ search: GitHub.RepoSearch,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo> {
        try await onSearch(search, cursor)
    }

    /// Calls ``onRepo``.
    public func repo(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.Repo {
        try await onRepo(name, owner)
    }
}
