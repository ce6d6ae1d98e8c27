import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation

extension GitHub {
    /// Returns a page size from 1 to 100 rows; GitHub silently reduces larger ones.
    static func pageSize(_ rows: Int) -> Int { min(max(rows, 1), 100) }
}

extension Endpoint {
    /// Returns the endpoint for one page of a list.
    static func gitHubList<DTO: Decodable & Sendable, Row: Sendable>(
        _ path: EndpointPath,
        query: [QueryItem] = [],
        size: Int,
        at cursor: PageCursor?,
        map: @escaping @Sendable (DTO) -> Row
    ) -> Self where Response == LinkedPage<Row> {
        var endpoint: Self = gitHubPage(of: path, query, size: size, at: cursor) { (rows: LossyArray<DTO>, headers) in
            LinkedPage(rows, headers, map: map)
        }
        endpoint.isRevalidated = { $0.page.isRevalidated(size: size) }
        return endpoint
    }

    /// Returns the endpoint for one page of search results; without an order, the best match is first.
    static func gitHubSearch<DTO: Decodable & Sendable, Row: Sendable>(
        _ path: EndpointPath,
        for text: GitHub.SearchText,
        order: [QueryItem] = [],
        size: Int,
        at cursor: PageCursor?,
        map: @escaping @Sendable (DTO) -> Row
    ) -> Self where Response == Page<Row> {
        let query = [QueryItem("q", text.text)] + order
        var endpoint: Self = gitHubPage(of: path, query, size: size, at: cursor, bucket: RateLimitStatus.search) {
            (dto: SearchResponseDTO<DTO>, headers) in
            var page = LinkedPage(dto.items, headers, map: map).page
            (page.totalCount, page.isIncomplete) = (dto.totalCount, dto.incompleteResults ?? false)
            if page.next?.isBeyondSearchLimit(size: size) == true { page.next = nil }
            return page
        }
        endpoint.isRevalidated = { $0.isRevalidated(size: size) }
        return endpoint
    }

    private static func gitHubPage<Body: Decodable & Sendable>(
        of path: EndpointPath,
        _ query: [QueryItem],
        size: Int,
        at cursor: PageCursor?,
        bucket: String = RateLimitStatus.core,
        map: @escaping @Sendable (Body, HTTPHeaders) -> Response
    ) -> Self {
        .json(
            cursor.map { .page($0, of: path) } ?? .path(path),
            query: query + [QueryItem("per_page", String(size))],
            bucket: bucket
        ) { (body: Body, response) in
            map(body, response.headers)
        }
    }
}

extension Page {
    /// Whether rows that are added behind the page change it: it has a link, or isn't full.
    fileprivate func isRevalidated(size: Int) -> Bool { next != nil || items.count + skipped.count < size }
}

extension PageCursor {
    /// Whether GitHub rejects the linked page of a search (422), because it starts after the limit.
    fileprivate func isBeyondSearchLimit(size: Int) -> Bool {
        let page = URLComponents(string: rawValue)?.queryItems?.first { $0.name == "page" }?.value
        return (page.flatMap { Int($0) } ?? 1) > (GitHub.searchResultLimit + size - 1) / size
    }
}

extension LinkedPage {
    /// Source of the single sign-on field: GitHub's "Authenticating with SAML single sign-on".
    fileprivate init<DTO>(_ list: LossyArray<DTO>, _ headers: HTTPHeaders, map: (DTO) -> Element) {
        self.init(
            items: list.rows.map(map),
            skipped: list.skipped,
            link: headers["Link"],
            isPartial: headers["X-GitHub-SSO"]?.hasPrefix("partial-results") == true
        )
    }
}

/// The envelope of all searches.
private struct SearchResponseDTO<Row: Decodable & Sendable>: Decodable {
    let totalCount: Int
    @Lenient var incompleteResults: Bool?
    let items: LossyArray<Row>

    private enum CodingKeys: String, CodingKey {
        case items
        case totalCount = "total_count"
        case incompleteResults = "incomplete_results"
    }
}
