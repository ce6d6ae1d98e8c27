public import BrowseDomain

/// Fetches the pages from a cursor on, several at a time, and delivers them in order.
public typealias FetchPages<Item: Sendable> =
    @Sendable (
        PageCursor?, @MainActor (Page<Item>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) -> Void

/// The pages of a list, without the type of their items.
struct PageSource<Row: ListRow>: Sendable {
    /// Returns the rows of a response.
    typealias Accept = @MainActor @Sendable (Provenance) -> Page<Row>

    /// Fetches the response with a page.
    private(set) var page: @Sendable (PageCursor?) async throws(BrowseError) -> Accept
    /// Fetches several pages at a time, and delivers them in order; `nil` if the server doesn't
    /// number them.
    var allPages: FetchPages<Row>?

    init<Response: Sendable>(
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Response,
        accept: @escaping @MainActor @Sendable (Response, Provenance) -> Page<Row>
    ) {
        page = { cursor throws(BrowseError) in
            let response = try await fetch(cursor)
            return { accept(response, $0) }
        }
    }

    /// The same pages, with marks that depend on when a page was requested.
    func marked(from beginRead: @escaping RowMarks<Row>.BeginRead) -> PageSource {
        var source = self
        source.page = { [page] cursor throws(BrowseError) in
            let mark = beginRead()
            let accept = try await page(cursor)
            // Unlike the parameter, it tells a young response from one of the server.
            let origin = ProvenanceRecord.current?.provenance ?? .fresh
            return { provenance in
                var page = accept(provenance)
                mark(&page, origin)
                return page
            }
        }
        guard let allPages else { return source }
        source.allPages = { cursor, receive throws(BrowseError) in
            let mark = beginRead()
            try await allPages(cursor) { page throws(BrowseError) in
                var page = page
                mark(&page, ProvenanceRecord.current?.provenance ?? .fresh)
                try await receive(page)
            }
        }
        return source
    }
}

extension ListController {
    /// The localized strings.
    public var texts: Texts { options.texts }
    /// When cached pages may be shown; rows that are stored have none.
    var policy: LoadPolicy { isStored ? .fresh : options.policy }

    /// Starts over with other pages.
    ///
    /// To load the same pages again, which keeps the rows if that fails, call
    /// ``ListIntents/refresh()``.
    ///
    /// - Parameters:
    ///   - retention: How long the rows stay.
    ///   - empty: The message of a list without rows.
    ///   - page: Fetches a page, away from the main actor. With `LoadPolicy.cachedFirst`, it can be
    ///     called twice for the first page, so it must not keep values between calls.
    ///   - allPages: Fetches the pages from a cursor on, several at a time, and delivers them in
    ///     order; `nil` if the server doesn't report how many there are.
    ///   - row: Makes the row of an item.
    /// - Returns: The load of the first page and of the marks; call it to start the load.
    public func begin<Item: Sendable>(
        _ retention: RowRetention = .discard,
        empty: Message,
        page: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Page<Item>,
        allPages: FetchPages<Item>? = nil,
        row: @escaping @MainActor @Sendable (Item) -> Row
    ) -> ScreenLoad {
        var source = PageSource(fetch: page) { page, _ in page.map(row) }
        if let allPages {
            source.allPages = { cursor, receive throws(BrowseError) in
                try await allPages(cursor) { page throws(BrowseError) in try await receive(page.map(row)) }
            }
        }
        return begin(retention, empty: empty, source)
    }

    /// Starts over with responses that contain more than a page, or whose rows depend on their
    /// provenance.
    ///
    /// - Parameters:
    ///   - retention: How long the rows stay.
    ///   - empty: The message of a list without rows.
    ///   - fetch: Fetches a response; see `page` of ``begin(_:empty:page:allPages:row:)``.
    ///   - accept: Returns the rows of a response, and updates the rest of the screen's state, such
    ///     as a total. It isn't called for responses that arrive too late.
    /// - Returns: The load of the first page and of the marks; call it to start the load.
    public func begin<Response: Sendable>(
        _ retention: RowRetention = .discard,
        empty: Message,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Response,
        accept: @escaping @MainActor @Sendable (Response, Provenance) -> Page<Row>
    ) -> ScreenLoad {
        begin(retention, empty: empty, PageSource(fetch: fetch, accept: accept))
    }
}
