/// A paged list that a ``Sweep`` loads to its end.
///
/// `HTTPClient.sweepSource(of:id:endpoint:page:)` creates one for any endpoint.
public struct SweepSource<Row: Sendable>: Sendable {
    /// The service and the URL of the first page; a checkpoint is continued only with the same list.
    public var list: String
    /// The endpoint in errors, without parameters.
    package var endpoint = "sweep"
    /// Returns the text that identifies a row in the list.
    public var id: @Sendable (Row) -> String
    /// Returns the rate limit of these requests; `nil` if it's unknown.
    public var rateLimit: @Sendable () -> RateLimitStatus?
    /// Loads the page at a cursor; `nil` is the first page.
    ///
    /// The text is the page's validator of an earlier pass, and returning `nil` means that the page hasn't changed since.
    public var load: @Sendable (PageCursor?, String?) async throws(BrowseError) -> SweepPage<Row>?

    /// Creates a source.
    public init(
        _ list: String,
        id: @escaping @Sendable (Row) -> String,
        rateLimit: @escaping @Sendable () -> RateLimitStatus? = { nil },
        load: @escaping @Sendable (PageCursor?, String?) async throws(BrowseError) -> SweepPage<Row>?
    ) {
        self.list = list
        self.id = id
        self.rateLimit = rateLimit
        self.load = load
    }
}

/// A page of a sweep, with information of its response about the whole list.
public struct SweepPage<Row: Sendable>: Sendable {
    /// The rows and the next cursor.
    public var page: Page<Row>
    /// The number of rows in the list, or an upper bound; `nil` if the server doesn't report it.
    public var totalCount: Int?
    /// The number of requests after this one; `nil` estimates it from ``totalCount``.
    public var remainingRequests: Int?
    /// The parts of the list that this response couldn't deliver.
    public var gaps: [SweepGap] = []
    /// The account of the request; `nil` for anonymous requests.
    public var account: String?
    /// Identifies this version of the page to the server; `nil` if the server sent no `ETag`.
    public var validator: String?

    /// Creates a page.
    public init(_ page: Page<Row>, totalCount: Int? = nil) {
        self.page = page
        self.totalCount = totalCount
    }
}

/// A part of a list that the server didn't deliver completely.
public struct SweepGap: Hashable, Codable, Sendable {
    /// The part, such as the search text of a slice.
    public var part: String
    /// The number of missing rows; `nil` if the server only reports that there may be some.
    public var missingCount: Int?

    /// Creates a gap.
    public init(part: String, missingCount: Int?) {
        self.part = part
        self.missingCount = missingCount
    }
}
