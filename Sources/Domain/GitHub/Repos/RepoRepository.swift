public import BrowseDomain

extension GitHub {
    /// Loads code repositories.
    ///
    /// Use `RemoteRepoRepository` of BrowseGitHubData for GitHub's API, or `InMemoryRepoRepository` of BrowseGitHubMocks in
    /// tests.
    public protocol RepoRepository: Sendable {
        /// Returns one page of a list, in the server's order.
        ///
        /// The cursor is `Page.next` of the previous page; `nil` is the first page.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist, `.unauthorized` if the list requires a token.
        func page(of list: RepoList, at cursor: PageCursor?) async throws(BrowseError) -> Page<Repo>

        /// Returns one page of search results; use ``SearchRepos``, which applies GitHub's limit.
        func search(_ search: RepoSearch, at cursor: PageCursor?) async throws(BrowseError) -> SearchPage<Repo>

        /// Returns a code repository.
        ///
        /// - Throws: `BrowseError`: `.notFound` if it doesn't exist, or the user can't access it.
        func repo(named name: String, of owner: Login) async throws(BrowseError) -> Repo
    }

    /// A list of code repositories.
    public enum RepoList: Hashable, Sendable {
        /// An account's public repositories, most recently changed first.
        case publicRepos(of: Login)
        /// The repositories that the signed-in user can access, most recently changed first.
        case own
        /// The repositories that the signed-in user has starred, most recently starred first.
        case starred
    }
}
