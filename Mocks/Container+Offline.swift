public import BrowseKit

extension Container {
    /// The whole SDK on fixtures: every view model and repository works, and nothing reaches the network.
    ///
    /// ```swift
    /// let container = Container.offline(.rateLimited(until: .now + 60))
    /// let model = container.followerListViewModel()
    /// await model.show(.followers(of: GitHub.Login("octocat")))
    /// ```
    ///
    /// Favourites are kept in memory, or in the configuration's storage folder when it names one.
    ///
    /// - Parameters:
    ///   - scenario: How the services behave.
    ///   - configuration: What the app decides, such as the locale; base URLs may be any.
    public static func offline(
        _ scenario: Scenario = .normal,
        configuration: Configuration = Configuration()
    ) -> Container {
        let (clock, now) = (configuration.clock, configuration.now)
        let gitHub = OfflineGitHub(scenario: scenario, clock: clock, now: now)
        let rickAndMorty = OfflineRickAndMorty(scenario: scenario, clock: clock, now: now)
        let container = Container(configuration)
        container.transport.override { _ in
            OfflineTransport(services: [
                OfflineTransport.Service(
                    baseURL: configuration.gitHubURL,
                    answers: { GitHubRoute($0) != nil },
                    transport: gitHub.transport(clock: clock)
                ),
                OfflineTransport.Service(
                    baseURL: configuration.rickAndMortyURL,
                    answers: { RickAndMortyRoute($0) != nil },
                    transport: rickAndMorty.transport(clock: clock)
                ),
            ])
        }
        if configuration.storageFolder == nil {
            container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        }
        return container
    }
}
