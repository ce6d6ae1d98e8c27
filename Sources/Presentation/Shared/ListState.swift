public import BrowseDomain

/// What a screen shows of a list: its rows and what the list is doing.
public struct ListState<Row: Identifiable & Equatable & Sendable>: Equatable, Sendable where Row.ID: Sendable {
    /// What the list is doing.
    public enum Status: Equatable, Sendable {
        /// Nothing was asked for yet.
        case idle
        /// The first page is on its way.
        case loading
        /// The rows are there.
        case ready
        /// The rows are there, and another page is on its way.
        case loadingMore
        /// The rows are those from before, and new ones are on their way in their place.
        case refreshing
        /// The list has no rows.
        case empty(Message)
        /// The list has rows, and the filter hides them all.
        case noMatches(Message)
        /// The first page did not come.
        case failed(Message)
        /// The rows are there, and the next page did not come.
        case failedMore(Message)
    }

    /// The rows, those that pass the filter if there is one.
    public var rows: Rows<Row> = Rows()
    /// What the list is doing.
    public var status: Status = .idle
    /// How many rows have been loaded, whether they pass the filter or not.
    public var loadedCount: Int = 0
    /// Rows of the server's that could not be read and are left out.
    public var skippedCount: Int = 0
    /// Whether there may be more pages.
    public var hasMore: Bool = false
    /// Whether every remaining page is being loaded.
    public var isLoadingAll: Bool = false
    /// Where the rows came from, the least certain of all pages; `nil` while there are none.
    public var provenance: Provenance?
    /// From when the rows are, in words; `nil` when they are as the server has them.
    public var age: String?
    /// The rate limit that the load waits for, and until when; `nil` while it waits for none.
    public var waiting: Message?

    /// Creates the state of a list that nothing was asked of.
    public init() {}
}

extension ListState {
    /// The state of a paged list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - texts: What to say of errors and of an empty filter result.
    ///   - empty: What to say when the list has no rows.
    init(_ list: PagedList<Row>, texts: Texts, empty: Message) {
        rows = list.rows
        loadedCount = list.loadedCount
        skippedCount = list.skippedCount
        hasMore = list.hasMore
        provenance = list.provenance
        age = list.provenance.flatMap(texts.age(of:))
        waiting = list.waitEnd.map(texts.waiting(until:))
        let isEmpty = list.loadedCount == 0
        switch list.phase {
        case .loading:
            status = isEmpty ? .loading : list.isRefreshing ? .refreshing : .loadingMore
        case .failed(let error):
            let message = texts.message(for: error)
            status = isEmpty ? .failed(message) : .failedMore(message)
        case .ready where isEmpty && list.pageCount == 0:
            status = .idle
        case .ready, .ended:
            status =
                if isEmpty {
                    .empty(empty)
                } else if rows.isEmpty {
                    .noMatches(list.hasMore ? texts.noLoadedMatches : texts.noMatches)
                } else {
                    .ready
                }
        }
    }
}
