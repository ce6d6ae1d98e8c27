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
        let appStore = OfflineAppStore(scenario: scenario, clock: configuration.clock)
        let container = Container(configuration)
        container.transport.override { _ in
            OfflineTransport(
                appStoreURL: configuration.appStoreURL,
                appStore: appStore.transport(clock: configuration.clock),
                gitHub: gitHub.transport(clock: configuration.clock)
            )
        }
        if configuration.storageFolder == nil {
            container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        }
        return container
    }
}

/// Sends each request to the service that it is meant for, by its address alone: base URLs may be any, also the same.
private struct OfflineTransport: HTTPTransport {
    let appStoreURL: URL
    let appStore: any HTTPTransport
    let gitHub: any HTTPTransport

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        // GitHub has nothing at these addresses.
        let addresses = ["lookup", "search"].map { appStoreURL.appending(path: $0).absoluteString }
        let address = String(request.url.absoluteString.prefix { $0 != "?" })
        return try await (addresses.contains(address) ? appStore : gitHub).send(request)
    }
}
