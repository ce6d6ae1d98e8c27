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

extension PageCursor {
    /// The maximum number of announced pages; later ones are fetched by their links.
    private static var maxAnnounced: Int { 1000 }

    /// This page and the last one, which must differ only in the number of `page`.
    package var announced: (next: NumberedURL, last: NumberedURL)? {
        guard let next = NumberedURL(rawValue), let last = last.flatMap(NumberedURL.init),
            next.pattern == last.pattern, next.number <= last.number
        else { return nil }
        return (next, last)
    }

    /// The number in the query of the page's URL; `nil` if there is none.
    @_spi(Services) public var pageNumber: Int? { NumberedURL(rawValue)?.number }

    /// The pages from this one to the last, with the server's links as the pattern.
    ///
    /// It's empty if the links don't announce several.
    var following: [PageCursor] {
        guard let (next, last) = announced, next.number < last.number else { return [] }
        return (next.number...min(last.number, next.number + Self.maxAnnounced - 1))
            .map { PageCursor(rawValue: next.url(of: $0)) }
    }

    /// A URL with the number of a page in its query.
    package struct NumberedURL {
        let pattern: [Substring]
        package let number: Int
        private let index: Int

        /// The maximum page number, which prevents overflow.
        private static var maxNumber: Int { 1_000_000_000 }

        /// The maximum URL length in bytes; RFC 9110 (section 4.1) recommends supporting 8000.
        ///
        /// A thousand longer ones could fill memory.
        private static var maxLength: Int { 8000 }

        init?(_ url: String) {
            guard url.utf8.count <= Self.maxLength else { return nil }
            let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            var items = parts[1].split(separator: "&", omittingEmptySubsequences: false)
            guard let index = items.firstIndex(where: { $0.hasPrefix("page=") }),
                let number = Int(items[index].dropFirst(5)), (1...Self.maxNumber).contains(number)
            else { return nil }
            items[index] = "page="
            self.index = index + 1
            self.number = number
            pattern = [parts[0]] + items
        }

        func url(of number: Int) -> String {
            var items = pattern.map(String.init)
            items[index] += String(number)
            return items[0] + "?" + items.dropFirst().joined(separator: "&")
        }
    }
}
