public import BrowseDomain

extension GitHub {
    /// Loads accounts.
    ///
    /// Use `InMemoryUserRepository` of BrowseGitHubMocks in tests.
    public protocol UserRepository: Sendable {
        /// Returns the public profile of an account.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist.
        func profile(of login: Login) async throws(BrowseError) -> UserProfile

        /// Returns the public profile of the account with a number, whatever its login is now.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist.
        func profile(ofID id: User.ID) async throws(BrowseError) -> UserProfile

        /// Returns the profile of the signed-in user.
        ///
        /// - Throws: `BrowseError`: `.unauthorized` if the token is missing, expired, or revoked.
        func ownProfile() async throws(BrowseError) -> UserProfile

        /// Returns one page of the accounts that match a text, of which GitHub returns at most
        /// 1,000.
        ///
        /// - Throws: `BrowseError`: `.rejected` if GitHub can't parse the qualifiers,
        ///   `.rateLimited` after ten searches a minute (thirty when signed in).
        func search(for text: SearchText, at cursor: PageCursor?) async throws(BrowseError) -> Page<User>
    }
}
