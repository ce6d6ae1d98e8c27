public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain

/// A repository of GitHub repositories whose results a test sets as closures; see `RepositoryDouble`.
public struct RepoRepositoryDouble: GitHub.RepoRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A page of a list.
        case page(of: GitHub.RepoList, at: PageCursor?)
        /// A page of a search.
        case search(GitHub.RepoSearch, at: PageCursor?)
        /// A repository.
        case repo(named: String, of: GitHub.Login)
    }

    /// Performs ``page(of:at:)``.
    public var onPage: @Sendable (GitHub.RepoList, PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo>
    /// Performs ``search(_:at:)``.
    public var onSearch:
        @Sendable (GitHub.RepoSearch, PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo>
    /// Performs ``repo(named:of:)``.
    public var onRepo: @Sendable (String, GitHub.Login) async throws(BrowseError) -> GitHub.Repo

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onPage = { _, _ throws(BrowseError) in throw await error("onPage", 2) }
        onSearch = { _, _ throws(BrowseError) in throw await error("onSearch", 2) }
        onRepo = { _, _ throws(BrowseError) in throw await error("onRepo", 2) }
    }

    /// Creates a double; closures that are `nil` aren't set.
    public init(
        onPage: (@Sendable (GitHub.RepoList, PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo>)? = nil,
        onSearch: (
            @Sendable (GitHub.RepoSearch, PageCursor?) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo>
        )? = nil,
        onRepo: (@Sendable (String, GitHub.Login) async throws(BrowseError) -> GitHub.Repo)? = nil
    ) {
        self.init(throwing: Self.notSet)
        if let onPage { self.onPage = onPage }
        if let onSearch { self.onSearch = onSearch }
        if let onRepo { self.onRepo = onRepo }
    }

    /// Creates a double that forwards calls.
    public init(over repository: any GitHub.RepoRepository) {
        onPage = { list, cursor throws(BrowseError) in try await repository.page(of: list, at: cursor) }
        onSearch = { search, cursor throws(BrowseError) in try await repository.search(search, at: cursor) }
        onRepo = { name, owner throws(BrowseError) in try await repository.repo(named: name, of: owner) }
    }

    /// Returns a double whose calls suspend until a test responds.
    ///
    /// A list ignores the counts of its response. A read of one repository returns the first of the response, or throws
    /// `.notFound`.
    public static func controlled(by responses: ControlledResponses<Request, GitHub.SearchPage<GitHub.Repo>>) -> Self {
        Self(
            onPage: { list, cursor throws(BrowseError) in
                try await responses.response(to: .page(of: list, at: cursor)).page
            },
            onSearch: { search, cursor throws(BrowseError) in
                try await responses.response(to: .search(search, at: cursor))
            },
            onRepo: { name, owner throws(BrowseError) in
                try await responses.response(to: .repo(named: name, of: owner)).page.first(for: reportedName)
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
