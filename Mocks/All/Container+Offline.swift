public import BrowseCore
public import BrowseCoreMocks
public import BrowseData
import BrowseKit

extension Container {
    /// Returns the whole SDK without a network; the responses are bundled data.
    ///
    /// ```swift
    /// let container = Container.offline(.rateLimited(until: .now + 60))
    /// let model = container.followerListViewModel()
    /// await model.show(.followers(of: GitHub.Login("octocat")))
    /// ```
    ///
    /// It opens no socket or `URLSession`. Unless the configuration names folders, it writes no
    /// file: favorites, images, and the session are in memory, and no response is cached.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all services.
    ///   - configuration: The settings of the app, with any base URLs.
    public static func offline(
        _ scenario: Scenario = .normal,
        configuration: Configuration = Configuration()
    ) -> Container {
        let services = OfflineServices(scenario: scenario, clock: configuration.clock, now: configuration.now)
        return offline(services, configuration: configuration)
    }

    /// Returns the whole SDK on offline services, whose behavior can be changed while it's in use.
    ///
    /// To add an offline service of your own, use `offline(services:images:configuration:)` with
    /// ``OfflineServices/all``.
    ///
    /// - Parameters:
    ///   - services: The services.
    ///   - configuration: The settings of the app.
    public static func offline(
        _ services: OfflineServices,
        configuration: Configuration = Configuration()
    ) -> Container {
        offline(services: services.all, images: services.images, configuration: configuration)
    }

    /// Returns the whole SDK, with the chain of an app, on a transport of your own.
    ///
    /// - Parameters:
    ///   - transport: Sends all requests.
    ///   - configuration: The settings of the app.
    public static func production(
        on transport: any HTTPTransport,
        configuration: Configuration = Configuration()
    ) -> Container {
        production(on: transport, configuration: configuration, services: .all)
    }
}
