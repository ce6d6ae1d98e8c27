@_spi(Services) public import BrowseData
@_spi(Services) import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// A repository on GitHub's REST API of accounts, followers, code repositories, and stars.
public struct RemoteGitHubRepository: Sendable {
    let client: HTTPClient
    let concurrency: Int
    let pageSize: Int

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - client: A client of `HTTPClient.Service.gitHub(baseURL:userAgent:)`.
    ///   - concurrency: The maximum number of concurrent requests for pages of stars, 1 to 100.
    ///   - pageSize: The number of rows on a page, 1 to 100.
    public init(client: HTTPClient, concurrency: Int = 4, pageSize: Int = 100) {
        self.client = client
        self.concurrency = concurrency
        // GitHub silently reduces larger ones.
        self.pageSize = min(max(pageSize, 1), 100)
    }
}

extension Endpoint {
    /// Returns the endpoint for one page of a list.
    static func gitHubList<Row: JSONReadable>(
        _ path: EndpointPath,
        query: [QueryItem] = [],
        size: Int,
        at cursor: PageCursor?
    ) -> Self where Response == Page<Row> {
        gitHubPage(of: path, query, size: size, at: cursor, map: Page.init)
    }

    /// Returns the endpoint for one page of search results; without an order, the best match is
    /// first.
    static func gitHubSearch<Row: JSONReadable>(
        _ path: EndpointPath,
        for text: GitHub.SearchText,
        order: [QueryItem] = [],
        size: Int,
        at cursor: PageCursor?
    ) -> Self where Response == Page<Row> {
        let query = [QueryItem("q", text.text)] + order
        return gitHubPage(of: path, query, size: size, at: cursor, bucket: RateLimitStatus.search) {
            (dto: SearchResponseDTO<Row>, response) in
            var page = Page(dto.items, response)
            page.totalCount = dto.totalCount
            page.isIncomplete = dto.incompleteResults.value ?? false
            let number = min(cursor?.pageNumber ?? 1, GitHub.searchResultLimit)
            let isLast = number * size >= GitHub.searchResultLimit
            page.isLimited = isLast && dto.totalCount > GitHub.searchResultLimit && !page.items.isEmpty
            // GitHub rejects later pages (422).
            if isLast { page.next = nil }
            return page
        }
    }

    private static func gitHubPage<Body: Decodable & Sendable, Row: Sendable>(
        of path: EndpointPath,
        _ query: [QueryItem],
        size: Int,
        at cursor: PageCursor?,
        bucket: String = RateLimitStatus.core,
        map: @escaping @Sendable (Body, HTTPClient.Response) -> Response
    ) -> Self where Response == Page<Row> {
        // A link to another list isn't followed.
        var endpoint = json(
            cursor.map { .page($0.isPage(of: path) ? $0 : PageCursor(rawValue: ""), of: path) } ?? .path(path),
            query: query + [QueryItem("per_page", String(size))],
            bucket: bucket,
            map: map
        )
        // Rows that are added behind the page change it: it has a link, or isn't full.
        endpoint.isRevalidated = { $0.next != nil || $0.items.count + $0.skipped.count < size }
        return endpoint
    }
}

extension Page where Element: JSONReadable {
    /// Source of the single sign-on field: GitHub's "Authenticating with SAML single sign-on".
    fileprivate init(_ list: LossyArray<DTO<Element>>, _ response: HTTPClient.Response) {
        self.init(items: list.rows.map(\.entity), skipped: list.skipped, linkedBy: response)
        isPartial = response.headers["X-GitHub-SSO"]?.hasPrefix("partial-results") == true
    }
}

/// The envelope of all searches.
private struct SearchResponseDTO<Row: JSONReadable>: Decodable {
    let totalCount: Int
    let incompleteResults: Lenient<Bool>
    let items: LossyArray<DTO<Row>>

    private enum CodingKeys: String, CodingKey {
        case items
        case totalCount = "total_count"
        case incompleteResults = "incomplete_results"
    }
}
