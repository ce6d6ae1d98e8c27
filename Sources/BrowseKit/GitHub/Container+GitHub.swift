@_spi(Services) @_exported public import BrowseCore
public import BrowseData
public import BrowseDomain
public import BrowsePresentation
import Foundation

// An app that signs in describes itself with `OAuthApp.gitHub(clientID:…)`.
@_exported public import BrowseGitHubData
@_exported public import BrowseGitHubDomain
@_exported public import BrowseGitHubPresentation

extension Container {
    /// The client of GitHub's REST API.
    public var gitHubClient: Dependency<HTTPClient> {
        dependency(.singleton) { container in
            container.client(
                of: container.gitHubService,
                shared: container.gitHubMiddleware(),
                tokens: container.gitHubTokenRepository()
            )
        }
    }

    /// The limits and the deduplication of all clients of GitHub, for all users.
    public var gitHubMiddleware: Dependency<HTTPClient.SharedMiddleware> {
        dependency(.shared) { $0.sharedMiddleware(of: $0.gitHubService) }
    }

    /// The configured API.
    var gitHubService: HTTPClient.Service { configuration.gitHub.service(in: configuration) }

    /// The rate limits of GitHub's API, for the account of ``gitHubTokenRepository``.
    public var gitHubRateLimits: Dependency<any RateLimitStatusRepository> {
        dependency(.singleton) { container in
            container.gitHubMiddleware().rateLimits(
                of: container.gitHubClient(),
                tokens: container.gitHubTokenRepository(),
                report: .gitHubRateLimits
            )
        }
    }

    /// Loads accounts.
    public var userRepository: Dependency<any GitHub.UserRepository> {
        dependency(.singleton) { $0.gitHubRepository }
    }

    /// Loads followers and followed accounts.
    public var followerRepository: Dependency<any GitHub.FollowerRepository> {
        dependency(.singleton) { $0.gitHubRepository }
    }

    /// Loads code repositories.
    public var repoRepository: Dependency<any GitHub.RepoRepository> {
        dependency(.singleton) { $0.gitHubRepository }
    }

    /// Reads and writes stars.
    public var starRepository: Dependency<any GitHub.StarRepository> {
        dependency(.singleton) { $0.gitHubRepository }
    }

    private var gitHubRepository: RemoteGitHubRepository {
        RemoteGitHubRepository(
            client: gitHubClient(),
            concurrency: configuration.pageConcurrency,
            pageSize: configuration.gitHub.pageSize
        )
    }

    /// The GitHub session and the user's stars.
    public var gitHubSession: Dependency<GitHub.SessionManager> {
        dependency(.singleton) { container in
            GitHub.SessionManager(
                tokens: container.gitHubTokenRepository(),
                users: container.userRepository(),
                stars: GitHub.StarStore(repository: container.starRepository(), clock: container.configuration.clock)
            )
        }
    }

    /// Stores and refreshes the token of the session.
    public var gitHubTokenRepository: Dependency<StoredTokenRepository> {
        dependency(.singleton) { container in
            container.makeTokenRepository(
                for: container.configuration.gitHub.url,
                store: container.gitHubTokenStore(),
                authorization: container.gitHubAuthorizationRepository(),
                configuredToken: container.configuration.gitHub.token
            )
        }
    }

    /// Stores the session: in the Keychain on Apple platforms, in a file elsewhere.
    ///
    /// Command-line tools, which have no keychain entitlement, use a file in the storage folder
    /// too. A token of the configuration stays in memory.
    public var gitHubTokenStore: Dependency<any TokenStore> {
        dependency(.singleton) { container in
            let settings = container.configuration.gitHub
            return container.makeTokenStore(
                for: SessionName(GitHubSettings.name, at: settings.url),
                keychainAccessGroup: settings.keychainAccessGroup,
                configuredToken: settings.token
            )
        }
    }

    /// Requests and revokes tokens.
    public var gitHubAuthorizationRepository: Dependency<any AuthorizationRepository> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            return OAuthServer.gitHubRepository(
                app: configuration.gitHub.app,
                url: configuration.gitHub.webURL,
                // Without the token: these requests carry the app's own credentials.
                web: container.plainClient(of: configuration.gitHub.webService(in: configuration)),
                api: container.plainClient(of: container.gitHubService)
            )
        }
    }
}

@MainActor
extension Container {
    private var gitHubWebHost: String { configuration.gitHub.webURL.host() ?? "" }

    /// The screen for entering a username.
    public func followerSearchViewModel() -> FollowerSearchViewModel {
        FollowerSearchViewModel(texts: texts(), webHost: gitHubWebHost)
    }

    /// The screen with the followers of an account, or the accounts that it follows.
    public func followerListViewModel() -> FollowerListViewModel {
        FollowerListViewModel(repository: followerRepository(), options: screenOptions())
    }

    /// The screen with an account's profile.
    public func userProfileViewModel() -> UserProfileViewModel {
        UserProfileViewModel(repository: userRepository(), options: screenOptions())
    }

    /// The screen that searches for accounts.
    public func userSearchViewModel() -> UserSearchViewModel {
        UserSearchViewModel(
            repository: userRepository(),
            favorites: favoriteRepository(),
            options: screenOptions(),
            webHost: gitHubWebHost
        )
    }

    /// The screen that searches for code repositories.
    public func repoSearchViewModel() -> RepoSearchViewModel {
        RepoSearchViewModel(
            repository: repoRepository(),
            session: gitHubSession(),
            options: screenOptions(),
            webHost: gitHubWebHost
        )
    }

    /// The screen with a code repository.
    public func repoDetailViewModel() -> RepoDetailViewModel {
        RepoDetailViewModel(repository: repoRepository(), session: gitHubSession(), options: screenOptions())
    }

    /// The screen with the code repositories of an account.
    public func repoListViewModel() -> RepoListViewModel {
        RepoListViewModel(repository: repoRepository(), session: gitHubSession(), options: screenOptions())
    }

    /// The screen for signing in.
    public func gitHubSignInViewModel() -> SignInViewModel<GitHub.User> {
        SignInViewModel(
            session: gitHubSession(),
            oauth: makeOAuthSignIn(by: gitHubAuthorizationRepository()),
            texts: texts().about(.gitHub)
        )
    }

    /// The screen with the signed-in user's account.
    public func gitHubAccountViewModel() -> AccountViewModel {
        AccountViewModel(session: gitHubSession(), users: userRepository(), options: screenOptions())
    }
}
