public import BrowseCore
public import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
public import BrowseKit
import Foundation

extension Container {
    /// Returns the whole SDK without a network; the responses are bundled data.
    ///
    /// ```swift
    /// let container = Container.offline(.rateLimited(until: .now + 60))
    /// let model = container.followerListViewModel()
    /// await model.show(.followers(of: GitHub.Login("octocat")))
    /// ```
    ///
    /// It opens no socket or `URLSession`. Unless the configuration names folders, it opens no file either: favorites, images,
    /// and the session are in memory, and no response is cached. Any token is accepted for signing in.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all services.
    ///   - configuration: The settings of the app, with any base URLs.
    ///   - types: The services, with those of the app.
    public static func offline(
        _ scenario: Scenario = .normal,
        configuration: Configuration = Configuration(),
        services types: [any ServiceSettings.Type] = .all
    ) -> Container {
        let services = OfflineServices(scenario: scenario, clock: configuration.clock, now: configuration.now)
        return offline(services, configuration: configuration, services: types)
    }

    /// Returns the whole SDK on offline services, whose behavior can be changed while it's in use.
    ///
    /// - Parameters:
    ///   - services: The services.
    ///   - configuration: The settings of the app.
    ///   - types: The services, with those of the app.
    public static func offline(
        _ services: OfflineServices,
        configuration: Configuration = Configuration(),
        services types: [any ServiceSettings.Type] = .all
    ) -> Container {
        offline(
            on: OfflineTransport(services, configuration: configuration),
            configuration: configuration,
            services: types
        )
    }

    /// Returns the whole SDK on a transport of a test, such as that of a ``ScriptedServer``.
    ///
    /// Requests aren't retried. Unless the configuration names folders, nothing is cached or stored on disk. With
    /// `LoadPolicy.cachedFirst`, screens read the empty cache before the transport, as they do in an app. The configuration needs
    /// no `OAuthApp` for signing in.
    ///
    /// - Parameters:
    ///   - transport: Answers all requests.
    ///   - configuration: The settings of the app.
    ///   - types: The services, with those of the app.
    public static func offline(
        on transport: any HTTPTransport,
        configuration: Configuration = Configuration(),
        services types: [any ServiceSettings.Type] = .all
    ) -> Container {
        var configuration = configuration
        configuration.gitHub.app =
            configuration.gitHub.app
            ?? OAuthApp.gitHub(clientID: "offline", redirect: URL(string: "app.browsekit.offline:/signed-in"))
        configuration.retries = .never
        if configuration.storageFolder == nil, configuration.cacheFolder == nil {
            configuration.cacheByteLimit = 0
            configuration.imageLimits.diskBytes = 0
        }
        let container = Container(configuration, services: types)
        container.transport.override { _ in transport }
        if configuration.storageFolder == nil {
            container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        }
        let token = configuration.gitHub.token.map { Credentials(token: $0) }
        if let folder = configuration.storageFolder, token == nil {
            container.gitHubTokenStore.override { FileTokenStore(folder: folder, server: $0.configuration.gitHub.url) }
        } else {
            container.gitHubTokenStore.override { _ in InMemoryTokenStore(token) }
        }
        return container
    }
}
