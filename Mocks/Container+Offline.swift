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
        let gitHub = OfflineGitHub(scenario: scenario, clock: configuration.clock, now: configuration.now)
        let container = Container(configuration)
        container.transport.override { _ in gitHub.transport(clock: configuration.clock) }
        if configuration.storageFolder == nil {
            container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        }
        return container
    }
}
