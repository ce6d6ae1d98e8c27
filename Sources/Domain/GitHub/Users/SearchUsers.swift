extension GitHub {
    /// Finds accounts by a text, as far as GitHub hands them out: the first 1,000.
    ///
    /// A text that is blank or over GitHub's limits never gets here, since it is no ``SearchText``.
    public struct SearchUsers: Sendable {
        private let repository: any UserRepository

        /// Creates the rule.
        public init(repository: any UserRepository) {
            self.repository = repository
        }

        /// One page of results.
        ///
        /// - Parameters:
        ///   - text: What to search for.
        ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
        /// - Throws: ``BrowseError``: `.rejected` when GitHub cannot read the text's qualifiers, `.rateLimited` after ten
        ///   searches a minute (thirty when signed in), `.cancelled` when the caller was cancelled.
        public func callAsFunction(
            matching text: SearchText,
            at cursor: PageCursor?
        ) async throws(BrowseError) -> SearchPage<User> {
            let progress = SearchProgress(cursor)
            return progress.page(try await repository.search(for: text, at: progress.cursor))
        }
    }
}
