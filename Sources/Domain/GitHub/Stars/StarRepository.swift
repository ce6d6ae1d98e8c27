public import BrowseDomain

extension GitHub {
    /// Reads and writes the signed-in user's stars.
    ///
    /// Use `RemoteGitHubRepository` of BrowseGitHubData for GitHub's API, or
    /// `InMemoryStarRepository` of BrowseGitHubMocks in tests. Screens use ``StarStore``, which
    /// includes changes that aren't written yet.
    ///
    /// All methods throw `BrowseError`: `.unauthorized` if no user is signed in.
    public protocol StarRepository: Sendable {
        /// Reads all pages of the starred list, in order.
        ///
        /// An actor implements this as `nonisolated(nonsending)`, because `receive` isn't sendable.
        ///
        /// - Parameter receive: Receives each page; an error that it throws ends the read and is
        ///   rethrown.
        func starred(
            receive: nonisolated(nonsending) (Page<Repo.ID>) async throws(BrowseError) -> Void
        ) async throws(BrowseError)

        /// Stars or unstars a code repository; repeating it has no effect.
        ///
        /// - Throws: `BrowseError`, such as `.notFound`, or `.forbidden` if the token lacks
        ///   permission.
        func set(_ isStarred: Bool, for repo: Repo) async throws(BrowseError)

        /// Returns whether a code repository is starred.
        ///
        /// - Returns: `false` if the repository isn't starred or doesn't exist; GitHub's response
        ///   is the same.
        /// - Throws: `BrowseError`, such as `.forbidden` if the token lacks permission.
        func isStarred(_ repo: Repo) async throws(BrowseError) -> Bool

        /// Returns a code repository with its present name and number of stars.
        ///
        /// It's found by its number, because another one can have its name by now.
        ///
        /// - Returns: `nil` if that's unknown, as by default; then a count can be off by one, and a
        ///   star that waited for a sign-in is written under the name that was known.
        /// - Throws: `BrowseError`, such as `.notFound`.
        func current(_ repo: Repo) async throws(BrowseError) -> Repo?
    }
}

extension GitHub.StarRepository {
    /// Returns `nil`, because the repository is unknown; the default.
    public func current(_ repo: GitHub.Repo) async throws(BrowseError) -> GitHub.Repo? { nil }
}
