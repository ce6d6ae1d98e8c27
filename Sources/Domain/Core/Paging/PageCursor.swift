/// The position of a page in a list, which is opaque to screens.
///
/// Repositories of services that link their pages use the URL of the next page; your own can use
/// any text.
public struct PageCursor: RawRepresentable, Hashable, Codable, Sendable {
    /// The repository's text.
    public let rawValue: String
    /// The URL of the last page, if the service announced it with this one; not part of the
    /// identity.
    package var last: String?

    /// Creates a cursor.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whether two cursors are of the same page.
    public static func == (one: PageCursor, other: PageCursor) -> Bool { one.rawValue == other.rawValue }
    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Creates a cursor for a service with numbered pages.
    public init(page: Int) {
        self.init(rawValue: String(page))
    }

    /// The page's number; `nil` if the cursor isn't one of ``init(page:)``, or the number is below
    /// 1.
    public var page: Int? {
        guard let page = Int(rawValue), page > 0, String(page) == rawValue else { return nil }
        return page
    }

    /// Returns the number of the page at a cursor; 1 for `nil`, the first page.
    ///
    /// - Parameters:
    ///   - cursor: One of ``init(page:)``.
    ///   - endpoint: The endpoint in the error, such as `GET /search`.
    /// - Throws: `.refused(.foreignPage)` for any other cursor.
    public static func page(at cursor: PageCursor?, of endpoint: String) throws(BrowseError) -> Int {
        guard let page = cursor == nil ? 1 : cursor?.page else {
            throw .refused(.foreignPage, BrowseError.RequestInfo(endpoint: endpoint))
        }
        return page
    }
}
