public import Foundation

/// The offline services of a container; their behavior can be changed while it's in use.
///
/// ```swift
/// let services = OfflineServices()
/// let container = Container.offline(services)
/// services.setScenario(.offline)
/// services.gitHub.scenario = .slow(.seconds(2))
/// ```
public struct OfflineServices: Sendable {
    /// GitHub's API and sign-in.
    public let gitHub: OfflineGitHub
    /// The Rick and Morty API.
    public let rickAndMorty: OfflineRickAndMorty
    /// The App Store's lookup and search.
    public let appStore: OfflineAppStore
    /// The servers of avatars, icons, and screenshots.
    public let images: OfflineImages

    /// Creates the services.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all services.
    ///   - data: The data of all services.
    ///   - clock: Measures delays; pass a ``TestClock`` to control the time.
    ///   - now: Returns the current time, with which rate limits are calculated.
    public init(
        scenario: Scenario = .normal,
        data: OfflineData = .bundled,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        gitHub = OfflineGitHub(scenario: scenario, data: data, clock: clock, now: now)
        rickAndMorty = OfflineRickAndMorty(scenario: scenario, data: data, clock: clock, now: now)
        appStore = OfflineAppStore(scenario: scenario, data: data, clock: clock)
        images = OfflineImages(scenario: scenario, clock: clock, now: now)
    }

    /// Sets the default scenario of all services.
    public func setScenario(_ scenario: Scenario) {
        for service in all { service.scenario = scenario }
    }

    /// The services as one list.
    var all: [any OfflineService] { [gitHub, rickAndMorty, appStore, images] }
}
