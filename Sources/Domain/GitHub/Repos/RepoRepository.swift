extension GitHub {
    /// Where code repositories come from.
    ///
    /// Choose `RemoteRepoRepository` of BrowseData for GitHub's API, or `InMemoryRepoRepository` of BrowseMocks in tests.
    public protocol RepoRepository: Sendable {
        /// One page of a list, in the server's order.
        ///
        /// - Parameters:
        ///   - list: Whose code repositories.
        ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
        /// - Throws: ``BrowseError``: `.notFound` when nobody has that login, `.unauthorized` when a list of one's own is
        ///   asked for without a token, `.cancelled` when the caller was cancelled.
        func page(of list: RepoList, at cursor: PageCursor?) async throws(BrowseError) -> Page<Repo>

        /// One page of what a search finds, without regard to GitHub's limit; ``SearchRepos`` is the rule that knows it.
        func search(_ search: RepoSearch, at cursor: PageCursor?) async throws(BrowseError) -> SearchPage<Repo>

        /// One code repository.
        ///
        /// - Throws: ``BrowseError``: `.notFound` when there is none of that name, or it is private to others.
        func repo(named name: String, of owner: Login) async throws(BrowseError) -> Repo
    }

    /// Names a list of code repositories.
    public enum RepoList: Hashable, Sendable {
        /// What an account shows to everybody, the latest change first.
        case publicRepos(of: Login)
        /// What the holder of the token can reach, private ones too, the latest change first.
        case own
        /// What the holder of the token has starred, the latest star first.
        case starred
    }
}
