import BrowseGitHubDomain

/// A list of an account, by its name in paths and files.
enum FollowKind: String, Sendable {
    case followers
    case following

    /// The list of an account, whose login is in lowercase.
    func list(of login: String) -> GitHub.FollowList {
        let login = GitHub.Login(login.lowercased())
        return switch self {
        case .followers: .followers(of: login)
        case .following: .following(by: login)
        }
    }
}
