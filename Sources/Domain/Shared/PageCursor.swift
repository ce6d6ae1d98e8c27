/// Where a list goes on; only the repository that made it can read it.
///
/// For GitHub and the Rick and Morty API it is the address that the server gave for the next page. A repository of your
/// own may put into it whatever finds its next page again.
public struct PageCursor: RawRepresentable, Hashable, Sendable {
    /// What the repository wrote.
    public let rawValue: String

    /// Keeps what a repository needs to find the next page.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension PageCursor {
    /// Creates a cursor for a service that numbers its pages.
    public init(page: Int) {
        self.init(rawValue: String(page))
    }

    /// The number of a page; `nil` if the cursor isn't one of ``init(page:)``, or below 1.
    public var page: Int? {
        guard let page = Int(rawValue), page > 0, String(page) == rawValue else { return nil }
        return page
    }
}
