public import BrowseDomain

extension GitHub {
    /// Searches for accounts, within GitHub's limit of 1,000 results.
    public struct SearchUsers: Sendable {
        private let repository: any UserRepository

        /// Creates a use case.
        public init(repository: any UserRepository) { self.repository = repository }

        /// Returns one page of results.
        ///
        /// The cursor is `Page.next` of the previous page; `nil` is the first page.
        ///
        /// - Throws: `BrowseError`: `.rejected` if GitHub can't parse the qualifiers, `.rateLimited` after ten searches a
        ///   minute (thirty when signed in).
        public func callAsFunction(
            matching text: SearchText,
            at cursor: PageCursor?
        ) async throws(BrowseError) -> SearchPage<User> {
            let progress = SearchProgress(cursor)
            return progress.page(try await repository.search(for: text, at: progress.cursor))
        }
    }
}
