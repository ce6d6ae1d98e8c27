public import BrowseDomain

/// A paged list to export.
public struct ExportSource<Row: Encodable & Sendable>: Sendable {
    /// A page, and the parts of the list that its response couldn't deliver.
    typealias Part = (page: Page<Row>, gaps: [ExportGap])

    /// The service, the list, and everything that selects rows, such as `?state=open`.
    ///
    /// A file is continued only with the same text.
    public var list: String
    /// The number of successive pages without new rows after which an export fails with `.repeatsItself`.
    public var pageLimit = 50
    /// Returns the text that identifies a row in the list.
    let id: @Sendable (Row) -> String
    /// Returns the account that selects rows; `nil` if none does, or if it isn't known.
    let account: @Sendable () async throws(BrowseError) -> String?
    /// Loads the page at a cursor; `nil` is the first page.
    let load: @Sendable (PageCursor?) async throws(BrowseError) -> Part

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - list: The service, the list, and everything that selects rows.
    ///   - id: Returns the text that identifies a row in the list.
    ///   - account: Returns the account that selects rows; `nil` if none does, or if it isn't known.
    ///   - page: Loads the page at a cursor; `nil` is the first page.
    public init(
        _ list: String,
        id: @escaping @Sendable (Row) -> String,
        account: @escaping @Sendable () async throws(BrowseError) -> String? = { () throws(BrowseError) in nil },
        page: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Page<Row>
    ) {
        self.init(list, id: id, account: account) { cursor throws(BrowseError) in (try await page(cursor), []) }
    }

    init(
        _ list: String,
        id: @escaping @Sendable (Row) -> String,
        account: @escaping @Sendable () async throws(BrowseError) -> String?,
        load: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Part
    ) {
        self.list = list
        self.id = id
        self.account = account
        self.load = load
    }
}

/// A part of a list that the server didn't deliver completely.
public struct ExportGap: Hashable, Codable, Sendable {
    /// The part, such as the text of a search.
    public var part: String
    /// The number of missing rows; `nil` if the server reports only that there may be some.
    public var missingCount: Int?
}
