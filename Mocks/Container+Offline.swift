import BrowseData
import BrowseDomain
public import BrowseKit
import Foundation

extension Container {
    /// The whole SDK on fixtures: every view model and repository works, and nothing reaches the network.
    ///
    /// ```swift
    /// let container = Container.offline(.rateLimited(until: .now + 60))
    /// let model = container.followerListViewModel()
    /// await model.show(.followers(of: GitHub.Login("octocat")))
    /// ```
    ///
    /// Favorites, pictures and the session are kept in memory, or in the configuration's storage folder when it names one. Anybody
    /// can sign in, by the code that is shown or with any token, and is octocat then.
    ///
    /// - Parameters:
    ///   - scenario: How the services behave.
    ///   - configuration: What the app decides, such as the locale; base URLs may be any.
    public static func offline(
        _ scenario: Scenario = .normal,
        configuration: Configuration = Configuration()
    ) -> Container {
        offline(
            OfflineGitHub(scenario: scenario, clock: configuration.clock, now: configuration.now),
            scenario: scenario,
            configuration: configuration
        )
    }

    /// The whole SDK on an offline GitHub that a test or a preview keeps, to change how it behaves or to agree to a sign-in.
    ///
    /// - Parameters:
    ///   - gitHub: The service, which has a scenario of its own.
    ///   - scenario: How the other services behave.
    ///   - configuration: What the app decides.
    public static func offline(
        _ gitHub: OfflineGitHub,
        scenario: Scenario = .normal,
        configuration: Configuration = Configuration()
    ) -> Container {
        var configuration = configuration
        // Any app will do.
        configuration.gitHubApp =
            configuration.gitHubApp
            ?? OAuthApp(clientID: "offline", redirect: URL(string: "app.browsekit.offline:/signed-in"))
        // What fails here fails on purpose.
        configuration.retries = .never
        if configuration.storageFolder == nil, configuration.cacheFolder == nil {
            configuration.cacheByteLimit = 0
            configuration.imageLimits.diskBytes = 0
        }
        let container = Container(configuration)
        container.transport.override { OfflineTransport(gitHub, scenario, configuration: $0.configuration) }
        if configuration.storageFolder == nil {
            container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        }
        let token = configuration.gitHubToken.map { GitHub.Credentials(token: $0) }
        if let folder = configuration.storageFolder, token == nil {
            container.tokenStore.override { FileTokenStore(folder: folder, server: $0.configuration.gitHubURL) }
        } else {
            container.tokenStore.override { _ in InMemoryTokenStore(token) }
        }
        return container
    }
}
