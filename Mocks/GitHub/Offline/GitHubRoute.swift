@_spi(Services) import BrowseData
import Foundation

/// The resource of GitHub's API that a request names.
///
/// Only the end of the path matters, so the base URL can be any, such as `https://HOST/api/v3`.
struct GitHubRoute: Sendable {
    /// An account in a path.
    enum Account: Sendable {
        case login(String)
        case id(Int64)
    }

    /// A repository in a path.
    enum Repo: Sendable {
        case fullName(String)
        case id(Int64)
    }

    enum Resource: Sendable {
        case profile(Account)
        case ownProfile
        case list(FollowKind, of: Account)
        case repos(of: Account)
        case ownRepos
        case starred
        case repo(Repo)
        case readme(of: Repo)
        case userSearch
        case repoSearch
        case rateLimit
        case star(fullName: String)
        case deviceCode
        case accessToken
        case revocation

        /// Whether the rate limit of searches applies.
        var isSearch: Bool {
            switch self {
            case .userSearch, .repoSearch: true
            case .profile, .ownProfile, .list, .repos, .ownRepos, .starred, .repo, .readme, .rateLimit, .star,
                .deviceCode, .accessToken, .revocation:
                false
            }
        }

        /// Whether no rate limit applies.
        var isFree: Bool {
            if case .rateLimit = self { true } else { false }
        }
    }

    let resource: Resource
    let basePath: String

    /// Reads a request; `nil` for an unknown path.
    init?(_ request: HTTPClient.Request) {
        // A slash at the end makes an empty last segment; GitHub responds with 404 too.
        guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return nil }
        let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        let names = path.map { $0.removingPercentEncoding ?? String($0) }
        let found: (Resource, length: Int)? =
            switch request.method {
            case .get: Self.four(names) ?? Self.three(names) ?? Self.two(names) ?? Self.one(names)
            case .put: Self.four(names)
            case .delete: Self.four(names) ?? Self.revocation(names)
            case .post: Self.signIn(names)
            case .patch: nil
            }
        guard let (resource, length) = found else { return nil }
        self.resource = resource
        basePath = path.dropLast(length).joined(separator: "/")
    }

    /// The resource of the last four segments of a path.
    private static func four(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 4 else { return nil }
        let last = Array(names.suffix(4))
        guard !last.contains("") else { return nil }
        return switch (last[0], last[1], last[3]) {
        case ("user", "starred", _): (.star(fullName: "\(last[2])/\(last[3])"), 4)
        case ("repos", _, "readme"): (.readme(of: .fullName("\(last[1])/\(last[2])")), 4)
        default: nil
        }
    }

    /// The resource of a `DELETE` that isn't a star: a token.
    private static func revocation(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 3, names[names.count - 3] == "applications", names.last == "token" else { return nil }
        return (.revocation, 3)
    }

    /// The resource of a `POST`: a step of signing in.
    private static func signIn(_ names: [String]) -> (Resource, length: Int)? {
        switch names.suffix(3) {
        case ["login", "device", "code"]: (.deviceCode, 3)
        case ["login", "oauth", "access_token"]: (.accessToken, 3)
        default: nil
        }
    }

    /// The resource of the last three segments of a path.
    private static func three(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 3 else { return nil }
        let (first, name, last) = (names[names.count - 3], names[names.count - 2], names[names.count - 1])
        let account: Account
        switch first {
        case "repos": return name.isEmpty || last.isEmpty ? nil : (.repo(.fullName("\(name)/\(last)")), 3)
        case "repositories" where last == "readme": return Int64(name).map { (.readme(of: .id($0)), 3) }
        case "users": account = .login(name)
        case "user":
            guard let id = Int64(name) else { return nil }
            account = .id(id)
        default: return nil
        }
        if last == "repos" { return (.repos(of: account), 3) }
        return FollowKind(rawValue: last).map { (.list($0, of: account), 3) }
    }

    /// The resource of the last segment of a path.
    private static func one(_ names: [String]) -> (Resource, length: Int)? {
        switch names.last {
        case "user": (.ownProfile, 1)
        case "rate_limit": (.rateLimit, 1)
        default: nil
        }
    }

    /// The resource of the last two segments of a path.
    private static func two(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 2 else { return nil }
        let last = names[names.count - 1]
        switch (names[names.count - 2], last) {
        case ("search", "users"): return (.userSearch, 2)
        case ("search", "repositories"): return (.repoSearch, 2)
        case ("user", "repos"): return (.ownRepos, 2)
        case ("user", "starred"): return (.starred, 2)
        case ("users", _): return (.profile(.login(last)), 2)
        case ("user", _): return Int64(last).map { (.profile(.id($0)), 2) }
        case ("repositories", _): return Int64(last).map { (.repo(.id($0)), 2) }
        default: return nil
        }
    }
}
