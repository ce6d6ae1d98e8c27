extension GitHub {
    /// A search for code repositories, and the order of its results.
    public struct RepoSearch: Hashable, Sendable {
        /// The value by which results are sorted.
        public enum Sort: String, Hashable, Sendable, CaseIterable {
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
