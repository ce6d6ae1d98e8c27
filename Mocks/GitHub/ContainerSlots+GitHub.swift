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
        "userRepository": { $0.userRepository() },
        "repoRepository": { $0.repoRepository() },
        "followerRepository": { $0.followerRepository() },
    ])
}
