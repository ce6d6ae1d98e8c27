public import BrowseCore
public import BrowseData
public import BrowseDomain
import BrowseGitHubData
public import BrowseGitHubDomain
public import BrowseGitHubPresentation
public import BrowsePresentation

extension Container {
    /// The GitHub session and the user's stars.
    public var gitHubSession: Dependency<GitHub.SessionManager> {
        dependency(.singleton) { container in
            GitHub.SessionManager(
                tokens: container.gitHubTokenRepository(),
                users: container.userRepository(),
                stars: GitHub.StarStore(
                    repository: container.starRepository(),
                    clock: container.configuration.clock
                )
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
    /// Command-line tools, which have no keychain entitlement, use a file in the storage folder too. A token of the
    /// configuration stays in memory.
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
            return RemoteAuthorizationRepository.gitHub(
                app: configuration.gitHub.app,
                url: configuration.gitHub.webURL,
                // Without the token: these requests carry the app's own credentials.
                web: container.plainClient(of: configuration.gitHub.webService(in: configuration)),
                api: container.plainClient(of: container.gitHubService),
                now: configuration.now
            )
        }
    }

    /// The screen for signing in.
    public var gitHubSignInViewModel: MainActorDependency<SignInViewModel<GitHub.User>> {
        mainActorDependency { container in
            container.makeSignInViewModel(
                session: container.gitHubSession(),
                authorization: container.gitHubAuthorizationRepository(),
                service: .gitHub
            )
        }
    }

    /// The screen with the signed-in user's account.
    public var gitHubAccountViewModel: MainActorDependency<AccountViewModel> {
        mainActorDependency { container in
            AccountViewModel(
                session: container.gitHubSession(),
                users: container.userRepository(),
                options: container.screenOptions(for: .gitHub)
            )
        }
    }
}
