public import BrowseData
public import BrowseDomain
public import BrowsePresentation

extension Container {
    /// The client of GitHub's REST API.
    public var gitHubClient: Dependency<HTTPClient> {
        dependency(.singleton) { container in
            container.client(
                of: .gitHub(container.configuration),
                gate: container.gitHubGate(),
                middleware: [
                    Authorization(for: container.configuration.gitHubURL, tokens: container.tokenRepository())
                ]
            )
        }
    }

    /// What GitHub still allows.
    public var gitHubRateLimits: Dependency<any RateLimitStatusRepository> {
        dependency(.singleton) { container in
            RemoteRateLimitStatusRepository(client: container.gitHubClient(), gate: container.gitHubGate())
        }
    }

    /// Where accounts come from.
    public var userRepository: Dependency<any GitHub.UserRepository> {
        dependency(.singleton) { RemoteUserRepository(client: $0.gitHubClient()) }
    }

    /// Where followers come from.
    public var followerRepository: Dependency<any GitHub.FollowerRepository> {
        dependency(.singleton) { RemoteFollowerRepository(client: $0.gitHubClient()) }
    }

    /// Where code repositories come from.
    public var repoRepository: Dependency<any GitHub.RepoRepository> {
        dependency(.singleton) { RemoteRepoRepository(client: $0.gitHubClient()) }
    }

    /// Where stars are.
    public var starRepository: Dependency<any GitHub.StarRepository> {
        dependency(.singleton) { container in
            RemoteStarRepository(
                client: container.gitHubClient(),
                concurrency: container.configuration.pageConcurrency
            )
        }
    }

    /// Finds accounts.
    public var searchUsers: Dependency<GitHub.SearchUsers> {
        dependency(.unique) { GitHub.SearchUsers(repository: $0.userRepository()) }
    }

    /// Finds code repositories.
    public var searchRepos: Dependency<GitHub.SearchRepos> {
        dependency(.unique) { GitHub.SearchRepos(repository: $0.repoRepository()) }
    }

    /// The screen where a username is typed.
    public var followerSearchViewModel: MainActorDependency<FollowerSearchViewModel> {
        mainActorDependency { FollowerSearchViewModel(texts: $0.texts()) }
    }

    /// The screen with an account's followers, or those it follows.
    public var followerListViewModel: MainActorDependency<FollowerListViewModel> {
        mainActorDependency { container in
            FollowerListViewModel(
                repository: container.followerRepository(),
                favorites: container.favoriteRepository(),
                texts: container.texts(),
                policy: container.configuration.loadPolicy,
                prefetchDistance: container.configuration.prefetchDistance,
                pageConcurrency: container.configuration.pageConcurrency
            )
        }
    }

    /// The screen with an account's profile.
    public var userProfileViewModel: MainActorDependency<UserProfileViewModel> {
        mainActorDependency { container in
            UserProfileViewModel(
                repository: container.userRepository(),
                favorites: container.favoriteRepository(),
                texts: container.texts(),
                policy: container.configuration.loadPolicy
            )
        }
    }

    /// The screen where accounts are searched for.
    public var userSearchViewModel: MainActorDependency<UserSearchViewModel> {
        mainActorDependency { container in
            UserSearchViewModel(
                searchUsers: container.searchUsers(),
                favorites: container.favoriteRepository(),
                texts: container.texts(),
                policy: container.configuration.loadPolicy,
                prefetchDistance: container.configuration.prefetchDistance,
                clock: container.configuration.clock
            )
        }
    }

    /// The screen where code repositories are searched for.
    public var repoSearchViewModel: MainActorDependency<RepoSearchViewModel> {
        mainActorDependency { container in
            RepoSearchViewModel(
                searchRepos: container.searchRepos(),
                favorites: container.favoriteRepository(),
                session: container.session(),
                texts: container.texts(),
                policy: container.configuration.loadPolicy,
                prefetchDistance: container.configuration.prefetchDistance,
                clock: container.configuration.clock
            )
        }
    }

    /// The screen with an account's code repositories, or one's own.
    public var repoListViewModel: MainActorDependency<RepoListViewModel> {
        mainActorDependency { container in
            RepoListViewModel(
                repository: container.repoRepository(),
                favorites: container.favoriteRepository(),
                session: container.session(),
                texts: container.texts(),
                policy: container.configuration.loadPolicy,
                prefetchDistance: container.configuration.prefetchDistance
            )
        }
    }
}
