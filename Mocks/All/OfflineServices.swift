public import BrowseAppStoreMocks
public import BrowseCoreMocks
public import BrowseGitHubMocks
public import BrowseRickAndMortyMocks
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

    /// Creates the services on bundled data.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all services.
    ///   - clock: Measures delays; the clock of a container's configuration replaces a real one.
    ///   - now: Returns the current time, with which rate limits are calculated; real dates are
    ///     replaced with those of a container's configuration.
    public init(
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        gitHub = OfflineGitHub(scenario: scenario, clock: clock, now: now)
        rickAndMorty = OfflineRickAndMorty(scenario: scenario, clock: clock, now: now)
        appStore = OfflineAppStore(scenario: scenario, clock: clock, now: now)
        let all: [any OfflineService] = [gitHub, rickAndMorty, appStore]
        images = OfflineImages(of: all, scenario: scenario, clock: clock, now: now)
    }

    /// Creates services, such as those with data of an app's own.
    ///
    /// Images have the clock and the time of `gitHub`.
    ///
    /// - Parameters:
    ///   - gitHub: GitHub's API and sign-in.
    ///   - rickAndMorty: The Rick and Morty API.
    ///   - appStore: The App Store's lookup and search.
    public init(
        gitHub: OfflineGitHub,
        rickAndMorty: OfflineRickAndMorty = OfflineRickAndMorty(),
        appStore: OfflineAppStore = OfflineAppStore()
    ) {
        self.gitHub = gitHub
        self.rickAndMorty = rickAndMorty
        self.appStore = appStore
        let all: [any OfflineService] = [gitHub, rickAndMorty, appStore]
        images = OfflineImages(of: all, clock: gitHub.scenarios.clock, now: gitHub.scenarios.now)
    }

    /// Sets the default scenario of all services.
    public func setScenario(_ scenario: Scenario) {
        for service in all { service.scenario = scenario }
        images.scenario = scenario
    }

    /// The services as one list.
    public var all: [any OfflineService] { [gitHub, rickAndMorty, appStore] }
}
