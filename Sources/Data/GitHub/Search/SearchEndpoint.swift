import BrowseDomain
import Foundation

extension Endpoint {
    /// One page of a search; what all of GitHub's searches have in common.
    ///
    /// - Parameters:
    ///   - path: Which search.
    ///   - text: What to search for.
    ///   - order: The query items that order the results; none is by best match.
    ///   - cursor: Where a page before said that this one is.
    ///   - map: Makes a row of its DTO.
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
            let reply = try response.json(SearchResponseDTO<DTO>.self, using: GitHubCoding.decoder)
            let linked = LinkedPage(
                items: reply.items.rows.map(map),
                skipped: reply.items.skipped,
                link: response.headers["Link"]
            )
            return GitHub.SearchPage(
                page: linked.page,
                totalCount: reply.totalCount,
                isIncomplete: reply.incompleteResults ?? false,
                capacity: gitHubPageSize
            )
        }
    }
}

/// The envelope of every search.
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
