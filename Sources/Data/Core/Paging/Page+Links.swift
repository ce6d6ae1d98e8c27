@_spi(Services) public import BrowseDomain
import Foundation

extension Page {
    /// Creates a page with the link to the next one, and the following pages that it announces.
    ///
    /// ```swift
    /// Endpoint<Page<String>>(.path("/books")) { response in
    ///     Page(items: try response.json([String].self), linkedBy: response)
    /// }
    /// ```
    ///
    /// To fetch the next page, send ``Endpoint/Location/page(_:of:)``, which accepts only URLs of
    /// the service.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - skipped: The rows that can't be decoded.
    ///   - response: The response, whose `Link` header field (RFC 8288) has the links.
    public init(items: [Element], skipped: SkippedRows = SkippedRows(), linkedBy response: HTTPClient.Response) {
        let links = response.headers["Link"].map { LinkHeader($0, relativeTo: response.url) }
        self.init(items: items, next: links?["next"].map(PageCursor.init(rawValue:)), skipped: skipped)
        next?.last = links?["last"]
        if let next {
            pagesLeft = next.announced.map { $0.last.number - $0.next.number + 1 }
        } else if let links, ["first", "prev", "last"].contains(where: { links[$0] != nil }) {
            // A last page behind this one contradicts that the list ends here.
            func number(_ url: String?) -> Int? { url.flatMap { PageCursor(rawValue: $0).pageNumber } }
            let here = number(response.url.absoluteString) ?? 1
            pagesLeft = number(links["last"]).map { max(0, $0 - here) } ?? 0
        }
    }
}
