import BrowseCore
public import BrowseCoreMocks
import BrowseGitHub

extension ContainerSlots {
    /// The slots of the core and of GitHub.
    public static let gitHub = ContainerSlots(own: [
        "gitHubMiddleware": { $0.gitHubMiddleware() },
        "gitHubRateLimits": { $0.gitHubRateLimits() },
        "gitHubClient": { $0.gitHubClient() },
        "gitHubSession": { $0.gitHubSession() },
        "gitHubTokenStore": { $0.gitHubTokenStore() },
        "gitHubTokenRepository": { $0.gitHubTokenRepository() },
        "gitHubAuthorizationRepository": { $0.gitHubAuthorizationRepository() },
        "starRepository": { $0.starRepository() },
        "gitHubSignInViewModel": { $0.gitHubSignInViewModel() },
        "gitHubAccountViewModel": { $0.gitHubAccountViewModel() },
        "userRepository": { $0.userRepository() },
        "repoRepository": { $0.repoRepository() },
        "followerRepository": { $0.followerRepository() },
        "followerSearchViewModel": { $0.followerSearchViewModel() },
        "followerListViewModel": { $0.followerListViewModel() },
        "userProfileViewModel": { $0.userProfileViewModel() },
        "userSearchViewModel": { $0.userSearchViewModel() },
        "repoSearchViewModel": { $0.repoSearchViewModel() },
        "repoListViewModel": { $0.repoListViewModel() },
    ])
}
