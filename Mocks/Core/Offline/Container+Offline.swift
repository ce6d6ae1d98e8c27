public import BrowseCore
public import BrowseData
import BrowseDomain
import Foundation

extension Container {
    /// Returns a container with offline services, whose behavior can be changed while it's in use.
    ///
    /// ```swift
    /// let container = Container.offline(services: [OfflineBooks()])
    /// ```
    ///
    /// It opens no socket or `URLSession`. Unless the configuration names folders, it writes no
    /// file: favorites, images, and sessions are in memory, and no response is cached. Requests
    /// aren't retried. Several services can have any base URLs, even the same. In a test with the
    /// trait `.verifiesMocks`, two of the same type are an issue, because only the first answers.
    /// Texts are those of the United States in GMT, on any computer, unless the configuration has
    /// another locale or time zone, such as `.current`.
    ///
    /// - Parameters:
    ///   - services: The services.
    ///   - images: The servers of images; `nil` draws the images of the services.
    ///   - configuration: The settings of the app.
    public static func offline(
        services: [any OfflineService],
        images: OfflineImages? = nil,
        configuration: Configuration = Configuration()
    ) -> Container {
        var configuration = configuration
        for service in services { service.adjust(&configuration) }
        let uses = services.map { (name: String(reflecting: type(of: $0)), owner: "the container") }
        for mistake in Registration.shared("offline service", uses) { TestScope.current?.record(mistake) }
        configuration.retries = .never
        let images = images ?? OfflineImages(of: services, clock: configuration.clock, now: configuration.now)
        return production(
            on: OfflineTransport(services, images: images, configuration: configuration),
            configuration: configuration,
            services: services.map { $0.settings }.reduce(into: []) { types, type in
                if !types.contains(where: { $0 == type }) { types.append(type) }
            }
        )
    }

    /// Returns a container with the chain of an app on your own transport, such as a
    /// ``ScriptedServer``'s.
    ///
    /// Requests are retried as the configuration says, so use `.never` or a test's clock for
    /// responses that fail. Favorites and sessions are in memory unless the configuration names a
    /// storage folder, and responses are cached only in a folder that it names. With
    /// `LoadPolicy.cachedFirst`, screens read the cache before the transport, even if it's empty.
    /// The time limits of a server of the mocks run on the configuration's clock. The language and
    /// time zone are those of ``offline(services:images:configuration:)``.
    ///
    /// In a test with the trait `.verifiesMocks`, services that have the same name or kind of
    /// favorites are issues.
    ///
    /// - Parameters:
    ///   - transport: Sends all requests.
    ///   - configuration: The settings of the app.
    ///   - types: The services, by the types of their settings.
    public static func production(
        on transport: any HTTPTransport,
        configuration: Configuration = Configuration(),
        services types: [any ServiceSettings.Type]
    ) -> Container {
        var configuration = configuration
        if configuration.locale == .autoupdatingCurrent { configuration.locale = Locale(identifier: "en_US") }
        if configuration.timeZone == .autoupdatingCurrent { configuration.timeZone = .gmt }
        configuration.sessionStorage = configuration.storageFolder == nil ? .memory : .file
        if configuration.storageFolder == nil, configuration.cacheFolder == nil {
            configuration.cacheByteLimit = 0
            configuration.imageLimits.diskBytes = 0
            // Signing out erases responses, but not those of the app that runs the tests.
            configuration.cacheFolder = .temporaryDirectory.appending(path: "BrowseKit-\(UUID().uuidString)")
        }
        let container = Container(configuration, services: types)
        if let scope = TestScope.current {
            for mistake in container.sharedServiceNames + container.sharedFavoriteKinds { scope.record(mistake) }
            scope.remind(.hint) { [now = configuration.now, clock = configuration.clock as? TestClock] in
                // Shorter times are pauses, rather than those of dates.
                guard let clock, clock.now.offset >= .seconds(10), Date.reading(now).isReal else { return nil }
                return """
                    the container had real dates, which don't advance with its TestClock. If the test depends on them, as \
                    on the end of a rate limit, set Configuration.now to clock.now(from: …).
                    """
            }
        }
        let own = transport as? any ContainerTransport
        let transport = own?.measured(by: configuration.clock, now: configuration.now) ?? transport
        container.transport.override { _ in transport }
        if configuration.storageFolder == nil {
            container.favoriteRepository.override { _ in InMemoryFavoriteRepository() }
        }
        return container
    }
}
