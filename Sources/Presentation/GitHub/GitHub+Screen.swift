public import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

extension GitHub {
    /// A screen of GitHub.
    public enum Screen: RouteDestination, Hashable {
        /// The followers of an account, or the accounts that it follows: ``FollowerListViewModel``.
        case followList(FollowList)
        /// The profile of an account: ``UserProfileViewModel``.
        case userProfile(Login)
        /// The profile of the account with a number, even if it was renamed: ``UserProfileViewModel``.
        case account(User.ID, label: Login? = nil)
        /// The repositories of an account, or the user's own or starred ones: ``RepoListViewModel``.
        case repoList(RepoList)

        /// The first segment of the paths, `github`.
        public static let routeName: String = "github"

        /// `users/LOGIN`, alone or before `followers`, `following`, or `repos`; `accounts/NUMBER`; `repos`; or `stars`.
        public var routePath: [String] {
            switch self {
            case .userProfile(let login): ["users", login.rawValue]
            case .account(let id, _): ["accounts", id.description]
            case .followList(.followers(let login)): ["users", login.rawValue, "followers"]
            case .followList(.following(let login)): ["users", login.rawValue, "following"]
            case .repoList(.publicRepos(let login)): ["users", login.rawValue, "repos"]
            case .repoList(.own): ["repos"]
            case .repoList(.starred): ["stars"]
            }
        }

        /// Reads ``routePath``; `nil` for a login that isn't valid, too.
        public init?(routePath path: [String]) {
            if path == ["repos"] {
                self = .repoList(.own)
            } else if path == ["stars"] {
                self = .repoList(.starred)
            } else if path.count == 2, path[0] == "accounts" {
                guard let id = User.ID(path[1]) else { return nil }
                self = .account(id)
            } else {
                let login = Login(path.dropFirst().first ?? "")
                guard login.isValid else { return nil }
                switch path.dropFirst(2).first {
                case nil: self = .userProfile(login)
                case "followers": self = .followList(.followers(of: login))
                case "following": self = .followList(.following(by: login))
                case "repos": self = .repoList(.publicRepos(of: login))
                default: return nil
                }
            }
        }
    }
}

extension Route {
    /// A screen of GitHub.
    public static func gitHub(_ screen: GitHub.Screen) -> Route { .other(Destination(screen)) }
}
