extension GitHub {
    /// Where accounts come from.
    ///
    /// Choose `RemoteUserRepository` of BrowseData for GitHub's API, or `InMemoryUserRepository` of BrowseMocks in tests.
    public protocol UserRepository: Sendable {
        /// The public profile of an account.
        ///
        /// - Throws: ``BrowseError``: `.notFound` when nobody has that login, `.cancelled` when the caller was cancelled.
        func profile(of login: Login) async throws(BrowseError) -> UserProfile

        /// The profile of the holder of the token.
        ///
        /// - Throws: ``BrowseError``: `.unauthorized` without a token or with one that is no longer good.
        func ownProfile() async throws(BrowseError) -> UserProfile

        /// One page of what a search finds, without regard to GitHub's limit; ``SearchUsers`` is the rule that knows it.
        func search(for text: SearchText, at cursor: PageCursor?) async throws(BrowseError) -> SearchPage<User>
    }
}
