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

    /// A list of code repositories.
    public enum RepoList: Hashable, Sendable {
        /// An account's public repositories, most recently changed first.
        case publicRepos(of: Login)
        /// The repositories that the signed-in user can access, most recently changed first.
        case own
        /// The repositories that the signed-in user has starred, most recently starred first.
        case starred
    }

    /// A search for code repositories, and the order of its results.
    public struct RepoSearch: Hashable, Sendable {
        /// The value by which results are sorted.
        public enum Sort: Hashable, Sendable, CaseIterable {
            /// The relevance; ``Order`` doesn't apply.
            case bestMatch
            /// The number of stars.
            case stars
            /// The number of forks.
            case forks
            /// The date of the last change.
            case updated
        }

        /// The direction of the order.
        public enum Order: Hashable, Sendable, CaseIterable {
            /// Largest or latest first.
            case descending
            /// Smallest or earliest first.
            case ascending
        }

        /// The text to search for.
        public var text: SearchText
        /// The value by which results are sorted.
        public var sort: Sort
        /// The direction of the order.
        public var order: Order

        /// Creates a search; by default with the best match first.
        public init(text: SearchText, sort: Sort = .bestMatch, order: Order = .descending) {
            self.text = text
            self.sort = sort
            self.order = order
        }
    }
}
