import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// The page of a list that a request names, and the links to the others.
///
/// Source: GitHub's "Using pagination in the REST API", and recorded responses for the order and
/// form of the links.
struct GitHubPaging: Sendable {
    let rows: Range<Int>
    /// The field `Link`; `nil` when the list fits on one page.
    let link: String?
    /// Whether the page starts after `GitHub.searchResultLimit` rows.
    let isPastSearchLimit: Bool

    /// Selects a page of a list.
    ///
    /// - Parameters:
    ///   - request: Contains `per_page` (default 30, at most 100) and `page` (default 1).
    ///   - count: The number of rows of the list.
    ///   - path: The path with the account's ID, which GitHub's links use; `nil` for the request's
    ///     path.
    init(of request: HTTPClient.Request, count: Int, path: String? = nil) {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) ?? URLComponents()
        let query = parts.queryItems ?? []
        func number(_ name: String) -> Int? {
            query.first { $0.name == name }?.value.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        let size = min(number("per_page") ?? 30, 100)
        let page = number("page") ?? 1
        let last = max(1, (count + size - 1) / size)
        isPastSearchLimit = page - 1 >= (GitHub.searchResultLimit + size - 1) / size
        let start = page <= last ? (page - 1) * size : count
        rows = start..<min(start + size, count)

        var links: [String] = []
        func add(_ relation: String, _ page: Int) {
            links.append("<\(Self.address(of: page, in: parts, path: path))>; rel=\"\(relation)\"")
        }
        if page > 1 { add("prev", min(page - 1, last)) }
        if page < last {
            add("next", page + 1)
            add("last", last)
        }
        if page > 1 { add("first", 1) }
        link = links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// The request's URL with another path and page.
    private static func address(of page: Int, in request: URLComponents, path: String?) -> String {
        var parts = request
        if let path { parts.percentEncodedPath = path }
        var items = parts.percentEncodedQuery?.split(separator: "&").map(String.init) ?? []
        let item = "page=\(page)"
        if let place = items.firstIndex(where: { $0.hasPrefix("page=") }) {
            items[place] = item
        } else {
            items.append(item)
        }
        parts.percentEncodedQuery = items.joined(separator: "&")
        return parts.string ?? ""
    }
}
