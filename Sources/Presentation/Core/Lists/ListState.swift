public import BrowseDomain

/// The part of a screen's state that shows a list.
public struct ListState<Row: Identifiable & Equatable & Sendable>: Equatable, Sendable where Row.ID: Sendable {
    /// The status of a list.
    public enum Status: Equatable, Sendable {
        /// Nothing was requested, or the load was canceled.
        case idle
        /// A page is loading, and there are no rows.
        case loading
        /// The rows are loaded.
        case ready
        /// The rows are loaded, and the next page is loading.
        case loadingMore
        /// The rows are loaded, but the service announced more than it sent, or left out some.
        case incomplete(Message)
        /// The first page is loading, and will replace the rows.
        case refreshing
        /// The list has no rows.
        case empty(Message)
        /// The filter hides all rows, or the pages so far have none.
        case noMatches(Message)
        /// A page couldn't be loaded, and there are no rows.
        case failed(Message)
        /// The rows are loaded, and the next page couldn't be.
        case failedMore(Message)
        /// The rows stay, because the first page, which would replace them, couldn't be loaded.
        case failedRefresh(Message)
    }

    /// The rows that pass the filter.
    public var rows: Rows<Row>
    /// The status of the list.
    public var status: Status = .idle
    /// The number of loaded rows, including those that the filter hides.
    public var loadedCount: Int = 0
    /// The number of rows that couldn't be decoded.
    public var skippedCount: Int = 0
    /// Whether the server has more pages, also while one is loading; `false` before the first page.
    public var hasMore: Bool = false
    /// Whether a loop over `loadMore()` continues.
    ///
    /// There may be more pages, none is loading, and none failed. It's also `false` after several
    /// pages without new rows, since a server can repeat its last page forever; a person can still
    /// call `loadMore()` while ``hasMore`` is `true`. A canceled load restores it, so the condition
    /// of a loop is `while canLoadMore && !Task.isCancelled`.
    public var canLoadMore: Bool = false
    /// The source of the rows, or the least certain one of several pages; `nil` until a page
    /// arrives.
    public var provenance: Provenance?
    /// The localized age of cached rows; `nil` for fresh rows.
    public var age: String?
    /// The message about a filter that hides all rows, or has seen only some; `nil` otherwise.
    package var filterNotice: Message?
    /// The message about rows that couldn't be decoded, below the last row; `nil` if there are
    /// none.
    package var skippedNotice: Message?

    /// Creates the state of a list that hasn't started.
    public init() { rows = Rows() }
}

extension ListState {
    /// The parts of a list that a screen draws around its rows.
    public struct Layout: Equatable, Sendable {
        /// A part that takes the place of rows or follows them.
        public enum Item: Equatable, Sendable {
            /// A spinner.
            case spinner
            /// A message, with its button.
            case message(Message)
            /// A button that loads the next page, with the title `Phrase.more`.
            ///
            /// Rows that stay visible don't appear again after a filter or a refresh, so perhaps
            /// none loads the next page.
            case more
        }

        /// The part above the rows, with the reason for a failure; `nil` if there is none.
        ///
        /// The rows couldn't be refreshed, or a filter hides all of them, and the next page
        /// couldn't be loaded.
        public var header: Message?
        /// The part in place of the rows; `nil` if there are rows, and before the first load.
        public var placeholder: Item?
        /// The part below the rows; `nil` if there is none.
        public var footer: Item?
    }

    /// The parts that a screen draws around its rows, from the status and the other properties.
    public var layout: Layout {
        switch status {
        case .idle: Layout()
        case .refreshing: Layout(placeholder: hidden)
        case .loading: Layout(placeholder: .spinner)
        case .empty(let message), .noMatches(let message), .failed(let message): Layout(placeholder: .message(message))
        case .failedRefresh(let message):
            // The end of the rows isn't that of the list.
            Layout(header: message, footer: hidden ?? (hasMore ? .message(message) : nil))
        case .loadingMore: Layout(placeholder: hidden, footer: .spinner)
        case .failedMore(let message) where hidden != nil: Layout(header: message, footer: hidden)
        case .failedMore(let message), .incomplete(let message): Layout(footer: .message(message))
        case .ready: Layout(footer: (filterNotice ?? skippedNotice).map { .message($0) } ?? (hasMore ? .more : nil))
        }
    }

    /// The message about the filter that hides all rows; `nil` if it doesn't.
    private var hidden: Layout.Item? { rows.isEmpty ? filterNotice.map { .message($0) } : nil }
}

extension ListState.Status {
    /// The message in place of the rows, or about a page that couldn't be loaded; `nil` if there is
    /// none.
    public var message: Message? {
        switch self {
        case .empty(let message), .noMatches(let message), .failed(let message), .failedMore(let message),
            .incomplete(let message), .failedRefresh(let message):
            message
        case .idle, .loading, .ready, .loadingMore, .refreshing: nil
        }
    }
}

extension ListState {
    /// - Parameter empty: The message of a list without rows.
    init(_ list: PagedList<Row>, texts: Texts, empty: Message) {
        rows = list.rows
        loadedCount = list.loadedCount
        skippedCount = list.skippedCount
        hasMore = list.hasMore
        if skippedCount > 0, !hasMore { skippedNotice = texts.unreadable(skippedCount) }
        canLoadMore = list.phase == .ready
        provenance = list.provenance
        age = list.provenance.flatMap(texts.age(of:))
        let isEmpty = list.loadedCount == 0
        if rows.isEmpty, !isEmpty {
            var others = list.isContradicted ? texts.incomplete : texts.noMatches
            if list.isPartial { others.text += " " + texts.partial.text }
            filterNotice = list.hasMore ? texts.onlyLoaded(loadedCount, titled: .noMatchesTitle) : others
        } else if list.isFiltered, list.hasMore {
            filterNotice = texts.onlyLoaded(loadedCount)
        }
        switch list.phase {
        case .loading:
            status = isEmpty ? .loading : list.isRefreshing ? .refreshing : .loadingMore
        case .failed(let error):
            let message = texts.message(for: error)
            status = isEmpty ? .failed(message) : list.isRefreshing ? .failedRefresh(message) : .failedMore(message)
        case .ready where isEmpty && list.pageCount == 0:
            status = .idle
        case .ready, .ended:
            status =
                if isEmpty {
                    list.hasMore ? .noMatches(texts.noLoadedRows) : .empty(list.isPartial ? texts.partial : empty)
                } else if rows.isEmpty, let filterNotice {
                    .noMatches(filterNotice)
                } else if list.isContradicted {
                    .incomplete(texts.incomplete)
                } else {
                    list.isPartial && !list.hasMore ? .incomplete(texts.partial) : .ready
                }
        }
    }
}
