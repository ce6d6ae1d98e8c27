public import BrowseCore
import BrowseData
import BrowseDomain
public import BrowseGitHubData
public import BrowseGitHubDomain
public import BrowseGitHubPresentation
import BrowsePresentation

extension Container {
    /// The GitHub session and the user's stars.
    public var session: Dependency<GitHub.SessionManager> {
        dependency(.singleton) { container in
            GitHub.SessionManager(
                tokens: container.tokenRepository(),
                users: container.userRepository(),
                stars: GitHub.StarStore(
                    repository: container.starRepository(),
                    repos: container.repoRepository(),
                    now: container.configuration.now,
                    clock: container.configuration.clock
                )
            )
        }
    }

    /// Stores and refreshes the token of the session.
    public var tokenRepository: Dependency<StoredTokenRepository> {
        dependency(.singleton) { container in
            StoredTokenRepository(
                store: container.tokenStore(),
                authorization: container.authorizationRepository(),
                responses: container.responseCache(),
                redactor: container.secretRedactor(),
                configuredToken: container.configuration.gitHub.token,
                // Longer than a refresh takes.
                refreshLockTimeout: min(container.configuration.limits.duration, TimeLimit.longest) * 2,
                clock: container.configuration.clock,
                now: container.configuration.now
            )
        }
    }

    /// Stores the session: in the Keychain on Apple platforms, in a file elsewhere.
    ///
    /// Command-line tools, which have no keychain entitlement, use a file in the storage folder too. A token of the
    /// configuration stays in memory.
    public var tokenStore: Dependency<any TokenStore> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            if let token = configuration.gitHub.token { return InMemoryTokenStore(GitHub.Credentials(token: token)) }
            let folder = configuration.storageFolder ?? Configuration.defaultStorageFolder
            let file = FileTokenStore(folder: folder, server: configuration.gitHub.url)
            #if canImport(Security)
            return KeychainTokenStore(
                server: configuration.gitHub.url,
                accessGroup: configuration.gitHub.keychainAccessGroup,
                lockFolder: folder,
                fallback: file
            )
            #else
            return file
            #endif
        }
    }

    /// Requests and revokes tokens.
    public var authorizationRepository: Dependency<any GitHub.AuthorizationRepository> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            return RemoteAuthorizationRepository(
                app: configuration.gitHub.app,
                webURL: configuration.gitHub.webURL,
                // Without the token: these requests carry the app's own credentials.
                web: container.client(of: configuration.gitHub.webService(in: configuration), chain: []),
                api: container.client(of: container.gitHubService, chain: []),
                now: configuration.now
            )
        }
    }

    /// The screen for signing in.
    public var signInViewModel: MainActorDependency<SignInViewModel> {
        mainActorDependency { container in
            let authorization = container.authorizationRepository()
            return SignInViewModel(
                session: container.session(),
                onDevice: GitHub.SignInOnDevice(
                    authorization: authorization,
                    clock: container.configuration.clock
                ),
                onWeb: GitHub.SignInOnWeb(authorization: authorization),
                texts: container.texts()
            )
        }
    }

    /// The screen with the signed-in user's account.
    public var accountViewModel: MainActorDependency<AccountViewModel> {
        mainActorDependency { container in
            AccountViewModel(
                session: container.session(),
                users: container.userRepository(),
                options: container.screenOptions()
            )
        }
    }
}
