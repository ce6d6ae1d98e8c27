import BrowseData
import Foundation

/// What a request wants of the Rick and Morty API, read from its path.
///
/// Only the end of the path counts, so the API may be at any address.
struct RickAndMortyRoute: Sendable {
    enum Resource: Sendable {
        /// A page of a list.
        case list(RickAndMortyFixtures.Kind)
        /// One or more things, by what stands in the path.
        case things(RickAndMortyFixtures.Kind, String)
    }

    let resource: Resource
    /// The address of the list, as the links of its pages write it.
    let listAddress: String
    /// The parameters of the query, in order and percent-encoded as they came.
    let query: [(name: String, value: String)]

    /// Reads a request; `nil` when the API has nothing there.
    init?(_ request: HTTPRequest) {
        guard request.method == .get, var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        // A slash at the end changes nothing: old links of the API have one.
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

    /// The first value of a parameter, decoded; `nil` when it is not there or empty.
    func parameter(_ name: String) -> String? {
        let value = query.first { $0.name == name }?.value
        return value.flatMap { $0.isEmpty ? nil : $0.replacing("+", with: "%20").removingPercentEncoding }
    }

    /// The address of another page of the same list, with everything else that was asked for.
    func address(ofPage number: Int) -> String {
        let others = query.filter { $0.name != "page" }.map { "&\($0.name)=\($0.value)" }.joined()
        return "\(listAddress)?page=\(number)\(others)"
    }
}
