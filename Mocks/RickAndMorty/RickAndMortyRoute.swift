@_spi(Services) import BrowseData
import Foundation

/// The resource of the Rick and Morty API that a request names.
///
/// Only the end of the path matters, so the base URL can be any.
struct RickAndMortyRoute: Sendable {
    enum Resource: Sendable {
        /// A page of a list.
        case list(RickAndMortyFixtures.Kind)
        /// One or more items, by their IDs in the path.
        case things(RickAndMortyFixtures.Kind, String)
    }

    let resource: Resource
    /// The URL of the list in the links of its pages.
    let listAddress: String
    /// The query items, in order and percent-encoded.
    let query: [(name: String, value: String)]

    /// Reads a request; `nil` for an unknown path.
    init?(_ request: HTTPClient.Request) {
        guard request.method == .get, var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        // Ignores a trailing slash, which old links of the API have.
        let path = parts.percentEncodedPath.split(separator: "/").map(String.init)
        if let last = path.last, let kind = RickAndMortyFixtures.Kind(rawValue: last) {
            resource = .list(kind)
        } else if path.count > 1, let kind = RickAndMortyFixtures.Kind(rawValue: path[path.count - 2]) {
            resource = .things(kind, path[path.count - 1])
        } else {
            return nil
        }
        query = (parts.percentEncodedQuery ?? "").split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
        }
        parts.percentEncodedQuery = nil
        parts.percentEncodedPath = "/" + path.joined(separator: "/")
        listAddress = parts.string ?? ""
    }

    /// The first value of a query item, decoded; `nil` if it's missing or empty.
    func parameter(_ name: String) -> String? {
        let value = query.first { $0.name == name }?.value
        return value.flatMap { $0.isEmpty ? nil : $0.replacing("+", with: "%20").removingPercentEncoding }
    }

    /// The URL of another page, with the other query items.
    func address(ofPage number: Int) -> String {
        let others = query.filter { $0.name != "page" }.map { "&\($0.name)=\($0.value)" }.joined()
        return "\(listAddress)?page=\(number)\(others)"
    }
}
