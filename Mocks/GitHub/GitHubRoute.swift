import BrowseData
import Foundation

/// What a request wants of GitHub's API, read from its path.
///
/// Only the end of the path counts, so the API may be at any address, such as `https://HOST/api/v3`.
struct GitHubRoute: Sendable {
    /// How a path names an account.
    enum Account: Sendable {
        case login(String)
        case id(Int64)
    }

    enum Resource: Sendable {
        case profile(Account)
        case list(FollowKind, of: Account)
    }

    let resource: Resource
    /// What stands in front of the API's own path.
    let basePath: String

    /// Reads a request; `nil` when the API has nothing there.
    init?(_ request: HTTPRequest) {
        // A slash at the end makes an empty last part, which is nobody and nothing: GitHub answers 404 too.
        guard request.method == .get, let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else {
            return nil
        }
        let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        let names = path.map { $0.removingPercentEncoding ?? String($0) }
        guard let (resource, length) = Self.list(names) ?? Self.profile(names) else {
            return nil
        }
        self.resource = resource
        basePath = path.dropLast(length).joined(separator: "/")
    }

    private static func list(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 3, let kind = FollowKind(rawValue: names[names.count - 1]) else { return nil }
        let name = names[names.count - 2]
        switch names[names.count - 3] {
        case "users": return (.list(kind, of: .login(name)), 3)
        case "user": return Int64(name).map { (.list(kind, of: .id($0)), 3) }
        default: return nil
        }
    }

    private static func profile(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 2, names[names.count - 2] == "users" else { return nil }
        return (.profile(.login(names[names.count - 1])), 2)
    }
}
