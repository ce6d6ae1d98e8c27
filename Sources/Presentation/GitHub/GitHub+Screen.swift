import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

extension GitHub {
    /// A screen of GitHub.
    public enum Screen: RouteDestination {
        /// The followers of an account, or the accounts that it follows: ``FollowerListViewModel``.
        case followList(FollowList)
        /// The profile of an account: ``UserProfileViewModel``.
        case userProfile(Login)
        /// The repositories of an account, or the user's own or starred ones: ``RepoListViewModel``.
        case repoList(RepoList)

        /// `github`.
        public static let routeName: String = "github"
    }
}

extension Route {
    /// A screen of GitHub.
    public static func gitHub(_ screen: GitHub.Screen) -> Route { .other(Destination(screen)) }
}
