public import BrowseData
public import Foundation

/// An in-process stand-in for the image servers of services; it draws an image for each host and
/// path.
///
/// All images are PNG. The response to URLs that aren't an image of a service is 404.
/// ``Scenario/empty`` has the same images.
///
/// Safe to use from any number of tasks.
public final class OfflineImages: OfflineServer {
    /// The scenarios that apply to its requests.
    public let scenarios: OfflineScenarios
    private let services: [any OfflineService]

    /// Creates the servers.
    ///
    /// - Parameters:
    ///   - services: The services, which know the URLs of their images.
    ///   - scenario: The behavior of all requests.
    ///   - clock: Measures delays; pass a ``TestClock`` to control the time.
    ///   - now: Returns the current time, with which rate limits are calculated.
    public init(
        of services: [any OfflineService],
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        scenarios = OfflineScenarios(scenario, clock: clock, now: now)
        self.services = services
    }

    /// Any request, which can be to any host.
    public func hasEndpoint(for request: HTTPClient.Request) -> Bool { true }

    /// Responds with an image.
    @concurrent
    public func response(to request: HTTPClient.Request, in scenario: Scenario) async -> HTTPClient.Response {
        let url = request.url
        guard let side = services.lazy.compactMap({ $0.imageSide(at: url) }).first else {
            return HTTPClient.Response(status: 404, url: url)
        }
        // The query selects only the size of the image.
        let image = DrawnImage.png(for: "\(url.host() ?? "")\(url.path())", side: side)
        return HTTPClient.Response(status: 200, headers: ["Content-Type": "image/png"], body: image, url: url)
    }
}

extension Date {
    /// The whole seconds until this date, at least 0, for `Retry-After`.
    package func secondsLeft(from now: Date) -> Int {
        Int(exactly: max(0, timeIntervalSince(now).rounded(.up))) ?? .max
    }
}
