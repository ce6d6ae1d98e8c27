extension GitHub {
    /// Where the stars of whoever is signed in are.
    ///
    /// Choose `RemoteStarRepository` of BrowseData for GitHub's API, or `InMemoryStarRepository` of BrowseMocks in tests.
    /// Screens use ``StarStore``, which knows what is on its way.
    public protocol StarRepository: Sendable {
        /// Every page of what the person has starred, in order.
        ///
        /// - Parameter receive: Takes each page; what it throws ends the load and is thrown on.
        /// - Throws: ``BrowseError``: `.unauthorized` when nobody is signed in, `.cancelled` when the caller was cancelled.
        func starred(
            receive: nonisolated(nonsending) (Page<Repo.ID>) async throws(BrowseError) -> Void
        ) async throws(BrowseError)

        /// Stars a code repository, or takes the star back; doing it twice changes nothing.
        ///
        /// - Throws: ``BrowseError``: `.unauthorized` when nobody is signed in, `.notFound` when there is no such repository,
        ///   `.forbidden` when the token may not do it.
        func set(_ isStarred: Bool, for repo: Repo) async throws(BrowseError)

        /// Asks the server whether a code repository is starred.
        ///
        /// - Returns: `false` also when the repository doesn't exist, which GitHub answers alike.
        /// - Throws: ``BrowseError``: `.unauthorized` when nobody is signed in, `.forbidden` when the token may not ask.
        func isStarred(_ repo: Repo) async throws(BrowseError) -> Bool
    }
}
