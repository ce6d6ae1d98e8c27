public import BrowseDomain

extension GitHub {
    /// Loads code repositories.
    ///
    /// Use `InMemoryRepoRepository` of BrowseGitHubMocks in tests.
    public protocol RepoRepository: Sendable {
        /// Returns one page of a list, in the server's order.
        ///
        /// The cursor is `Page.next` of the previous page; `nil` is the first page.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist, `.unauthorized` if
        ///   the list requires a token.
        func page(of list: RepoList, at cursor: PageCursor?) async throws(BrowseError) -> Page<Repo>

        /// Returns one page of search results, with their number; see
        /// ``UserRepository/search(for:at:)``.
        func search(_ search: RepoSearch, at cursor: PageCursor?) async throws(BrowseError) -> Page<Repo>

        /// Returns the code repository with a name.
        ///
        /// - Throws: `BrowseError`: `.notFound` if it doesn't exist, or the user can't access it.
        func details(named name: String, of owner: Login) async throws(BrowseError) -> RepoDetails

        /// Returns the code repository with a number, whatever its name and owner are now.
        ///
        /// - Throws: `BrowseError`: `.notFound` if it doesn't exist, or the user can't access it.
        func details(of id: Repo.ID) async throws(BrowseError) -> RepoDetails

        /// Returns the README of a code repository, up to ``Readme/byteLimit``; `nil` if it has
        /// none.
        func readme(of id: Repo.ID) async throws(BrowseError) -> Readme?
    }
}
