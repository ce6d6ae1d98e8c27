import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation

extension Endpoint {
    /// Returns the endpoint for one page of search results.
    ///
    /// - Parameters:
    ///   - path: The path of the search.
    ///   - text: The search text.
    ///   - order: The query items for the order of the results; empty orders by best match.
    ///   - cursor: The page's cursor; `nil` is the first page.
    ///   - map: Converts a DTO to a row.
    static func search<DTO: Decodable & Sendable, Row: Sendable>(
        _ path: EndpointPath,
        for text: GitHub.SearchText,
        order: [QueryItem] = [],
        at cursor: PageCursor?,
        map: @escaping @Sendable (DTO) -> Row
    ) -> Self where Response == GitHub.SearchPage<Row> {
        Endpoint(
            cursor.map { .page($0, of: path, within: .sameCollection) } ?? .path(path),
            query: [QueryItem("q", text.text)] + order + [.gitHubPageSize],
            bucket: RateLimitStatus.search,
            decodingID: "search"
        ) { response in
            let dto = try response.json(SearchResponseDTO<DTO>.self, using: GitHubCoding.decoder)
            let linked = LinkedPage(
                items: dto.items.rows.map(map),
                skipped: dto.items.skipped,
                link: response.headers["Link"]
            )
            return GitHub.SearchPage(
                page: linked.page,
                totalCount: dto.totalCount,
                isIncomplete: dto.incompleteResults ?? false,
                pageSize: gitHubPageSize
            )
        }
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
