extension GitHub {
    /// Finds code repositories by a text, as far as GitHub hands them out: the first 1,000.
    public struct SearchRepos: Sendable {
        private let repository: any RepoRepository

        /// Creates the rule.
        public init(repository: any RepoRepository) {
            self.repository = repository
        }

        /// One page of results.
        ///
        /// - Parameters:
        ///   - search: What to search for, and how to order it.
        ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
        /// - Throws: ``BrowseError``: `.rejected` when GitHub cannot read the text's qualifiers, `.rateLimited` after ten
        ///   searches a minute (thirty when signed in), `.cancelled` when the caller was cancelled.
        public func callAsFunction(
            _ search: RepoSearch,
            at cursor: PageCursor?
        ) async throws(BrowseError) -> SearchPage<Repo> {
            let progress = SearchProgress(cursor)
            return progress.page(try await repository.search(search, at: progress.cursor))
        }
    }

    /// What to search code repositories for, and how to order what is found.
    public struct RepoSearch: Hashable, Sendable {
        /// What results are ordered by.
        public enum Sort: Hashable, Sendable, CaseIterable {
            /// How well they match; the order's direction does not count.
            case bestMatch
            /// How many people starred them.
            case stars
            /// How often they were forked.
            case forks
            /// How many of their issues ask for help.
            case helpWantedIssues
            /// When they last changed.
            case updated
        }

        /// In which direction.
        public enum Order: Hashable, Sendable, CaseIterable {
            /// The most, or the latest, first.
            case descending
            /// The least, or the earliest, first.
            case ascending
        }

        /// What to search for.
        public var text: SearchText
        /// What results are ordered by.
        public var sort: Sort
        /// In which direction.
        public var order: Order

        /// Describes a search; best match first unless told otherwise.
        public init(text: SearchText, sort: Sort = .bestMatch, order: Order = .descending) {
            self.text = text
            self.sort = sort
            self.order = order
        }
    }
}
