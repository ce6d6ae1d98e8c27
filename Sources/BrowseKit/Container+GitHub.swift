public import BrowseData
public import BrowseDomain
public import BrowsePresentation

extension Container {
    /// The client of GitHub's REST API.
    public var gitHubClient: Dependency<HTTPClient> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            return HTTPClient(
                service: .gitHub(
                    baseURL: configuration.gitHubURL,
                    userAgent: configuration.userAgent,
                    now: configuration.now
                ),
                transport: container.transport(),
                middleware: [Authorization(for: configuration.gitHubURL) { configuration.gitHubToken }],
                limits: configuration.limits
            )
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

    /// The screen where a username is typed.
    public var followerSearchViewModel: MainActorDependency<FollowerSearchViewModel> {
        mainActorDependency { FollowerSearchViewModel(texts: $0.texts()) }
    }

    /// The screen with an account's followers, or those it follows.
    public var followerListViewModel: MainActorDependency<FollowerListViewModel> {
        mainActorDependency { container in
            FollowerListViewModel(
                repository: container.followerRepository(),
                texts: container.texts(),
                prefetchDistance: container.configuration.prefetchDistance,
                pageConcurrency: container.configuration.pageConcurrency
            )
        }
    }

    /// The screen with an account's profile.
    public var userProfileViewModel: MainActorDependency<UserProfileViewModel> {
        mainActorDependency { UserProfileViewModel(repository: $0.userRepository(), texts: $0.texts()) }
    }
}
