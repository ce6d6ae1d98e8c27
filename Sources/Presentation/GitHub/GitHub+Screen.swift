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
        /// The profile of the account with a number, even if it was renamed:
        /// ``UserProfileViewModel``.
        case account(User.ID, label: Login? = nil)
        /// The repositories of an account, or the user's own or starred ones:
        /// ``RepoListViewModel``.
        case repoList(RepoList)
        /// The code repository with a number, even if it was renamed: ``RepoDetailViewModel``.
        case repo(Repo.ID, label: String? = nil)
        /// The code repository with a name: ``RepoDetailViewModel``.
        case repoNamed(String, of: Login)

        /// The first segment of the paths, `github`.
        public static let routeName: String = "github"

        /// The segments of the screen.
        ///
        /// `users/LOGIN`, alone or before `followers`, `following`, `repos`, or `repos/NAME`;
        /// `accounts/NUMBER`, before the login as a label; `repos`, alone or before a number; or
        /// `stars`.
        public var routePath: [String] {
            switch self {
            case .userProfile(let login): ["users", login.rawValue]
            case .account(let id, _): ["accounts", id.description]
            case .followList(.followers(let login)): ["users", login.rawValue, "followers"]
            case .followList(.following(let login)): ["users", login.rawValue, "following"]
            case .repoList(.publicRepos(let login)): ["users", login.rawValue, "repos"]
            case .repoList(.own): ["repos"]
            case .repoList(.starred): ["stars"]
            case .repo(let id, _): ["repos", id.description]
            case .repoNamed(let name, let owner): ["users", owner.rawValue, "repos", name]
            }
        }

        /// The last known login of an account with a number.
        public var routeLabel: String? {
            if case .account(_, let login?) = self, login.isValid { login.rawValue } else { nil }
        }

        /// Reads ``routePath`` and ``routeLabel``; `nil` for a login that isn't valid, too.
        public init?(routePath path: [String]) {
            let second = path.dropFirst().first ?? ""
            let login = Login(second)
            let third = path.dropFirst(2).first
            switch (path.first, third) {
            case ("stars", _): self = .repoList(.starred)
            case ("repos", _) where path.count == 1: self = .repoList(.own)
            case ("repos", _):
                guard let id = Repo.ID(second), id.rawValue > 0 else { return nil }
                self = .repo(id)
            case ("accounts", _):
                guard let id = User.ID(second), id.rawValue > 0 else { return nil }
                self = .account(id, label: third.map { Login($0) })
            case _ where !login.isValid: return nil
            case (_, nil): self = .userProfile(login)
            case (_, "repos") where path.count == 4: self = .repoNamed(path[3], of: login)
            case (_, "repos"): self = .repoList(.publicRepos(of: login))
            case (_, "followers"): self = .followList(.followers(of: login))
            case (_, "following"): self = .followList(.following(by: login))
            default: return nil
            }
        }
    }
}

extension Route {
    /// A screen of GitHub.
    public static func gitHub(_ screen: GitHub.Screen) -> Route { .other(Destination(screen)) }
}

// swift-format-ignore
extension Phrase {
    fileprivate static let users = Phrase("favorites.users.title", "Accounts", ko: "계정")
    static let repos = Phrase("favorites.repos.title", "Repositories", ko: "저장소")
}

extension FavoriteKind {
    /// GitHub's users and code repositories.
    package static let gitHub: [FavoriteKind] = [
        FavoriteKind(GitHub.User.self, title: .users) { .gitHub(.account($0.id, label: $0.login)) },
        FavoriteKind(GitHub.Repo.self, title: .repos) { $0.route },
    ]
}
