public import BrowseDomain

extension GitHub {
    /// Loads accounts.
    ///
    /// Use `RemoteUserRepository` of BrowseGitHubData for GitHub's API, or `InMemoryUserRepository` of BrowseGitHubMocks in
    /// tests.
    public protocol UserRepository: Sendable {
        /// Returns the public profile of an account.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist.
        func profile(of login: Login) async throws(BrowseError) -> UserProfile

        /// Returns the public profile of the account with a number, whatever its login is now.
        ///
        /// The default implementation finds no account.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist.
        func profile(ofID id: User.ID) async throws(BrowseError) -> UserProfile

        /// Returns the profile of the signed-in user.
        ///
        /// - Throws: `BrowseError`: `.unauthorized` if the token is missing, expired, or revoked.
        func ownProfile() async throws(BrowseError) -> UserProfile

        /// Returns one page of search results; use ``SearchUsers``, which applies GitHub's limit.
        func search(for text: SearchText, at cursor: PageCursor?) async throws(BrowseError) -> SearchPage<User>
    }
}

extension GitHub.UserRepository {
    /// Finds no account.
    public func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
        throw .notFound(BrowseError.RequestInfo(endpoint: "UserRepository.profile(ofID:)"))
    }
}
