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
        case ownProfile
        case list(FollowKind, of: Account)
        case repos(of: Account)
        case ownRepos
        case starred
        case repo(fullName: String)
        case userSearch
        case repoSearch
        case rateLimit
        case star(fullName: String)
        case deviceCode
        case accessToken
        case revocation

        /// The budget that a request is paid from, as `X-RateLimit-Resource` calls it.
        var isSearch: Bool {
            switch self {
            case .userSearch, .repoSearch: true
            case .profile, .ownProfile, .list, .repos, .ownRepos, .starred, .repo, .rateLimit, .star, .deviceCode,
                .accessToken, .revocation:
                false
            }
        }

        /// Whether a request costs nothing of any budget.
        var isFree: Bool {
            if case .rateLimit = self { true } else { false }
        }
    }

    let resource: Resource
    /// What stands in front of the API's own path.
    let basePath: String

    /// Reads a request; `nil` when the API has nothing there.
    init?(_ request: HTTPRequest) {
        // A slash at the end makes an empty last part, which is nobody and nothing: GitHub answers 404 too.
        guard let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true) else { return nil }
        let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
        let names = path.map { $0.removingPercentEncoding ?? String($0) }
        let found: (Resource, length: Int)? =
            switch request.method {
            case .get: Self.four(names) ?? Self.three(names) ?? Self.two(names) ?? Self.one(names)
            case .put: Self.four(names)
            case .delete: Self.four(names) ?? Self.revocation(names)
            case .post: Self.signIn(names)
            }
        guard let (resource, length) = found else { return nil }
        self.resource = resource
        basePath = path.dropLast(length).joined(separator: "/")
    }

    /// What the last four parts of a path name.
    private static func four(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 4, names[names.count - 4] == "user", names[names.count - 3] == "starred" else {
            return nil
        }
        let (owner, name) = (names[names.count - 2], names[names.count - 1])
        return owner.isEmpty || name.isEmpty ? nil : (.star(fullName: "\(owner)/\(name)"), 4)
    }

    /// What is deleted besides stars: a token.
    private static func revocation(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 3, names[names.count - 3] == "applications", names.last == "token" else { return nil }
        return (.revocation, 3)
    }

    /// What is posted: the steps of a sign-in.
    private static func signIn(_ names: [String]) -> (Resource, length: Int)? {
        switch names.suffix(3) {
        case ["login", "device", "code"]: (.deviceCode, 3)
        case ["login", "oauth", "access_token"]: (.accessToken, 3)
        default: nil
        }
    }

    /// What the last three parts of a path name.
    private static func three(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 3 else { return nil }
        let (first, name, last) = (names[names.count - 3], names[names.count - 2], names[names.count - 1])
        let account: Account
        switch first {
        case "repos": return name.isEmpty || last.isEmpty ? nil : (.repo(fullName: "\(name)/\(last)"), 3)
        case "users": account = .login(name)
        case "user":
            guard let id = Int64(name) else { return nil }
            account = .id(id)
        default: return nil
        }
        if last == "repos" { return (.repos(of: account), 3) }
        return FollowKind(rawValue: last).map { (.list($0, of: account), 3) }
    }

    /// What the last part of a path names.
    private static func one(_ names: [String]) -> (Resource, length: Int)? {
        switch names.last {
        case "user": (.ownProfile, 1)
        case "rate_limit": (.rateLimit, 1)
        default: nil
        }
    }

    /// What the last two parts of a path name.
    private static func two(_ names: [String]) -> (Resource, length: Int)? {
        guard names.count >= 2 else { return nil }
        let last = names[names.count - 1]
        switch (names[names.count - 2], last) {
        case ("search", "users"): return (.userSearch, 2)
        case ("search", "repositories"): return (.repoSearch, 2)
        case ("user", "repos"): return (.ownRepos, 2)
        case ("user", "starred"): return (.starred, 2)
        case ("users", _): return (.profile(.login(last)), 2)
        default: return nil
        }
    }
}
