public import BrowseData
public import Foundation

/// An in-process service that responds like one of the SDK's real services.
public protocol OfflineService: Sendable {
    /// The scenarios that apply to its requests.
    var scenarios: OfflineScenarios { get }

    /// Responds to a request.
    ///
    /// - Returns: The response, or a network error, such as in ``Scenario/offline``.
    @concurrent
    func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError>
}

extension OfflineService {
    /// The default scenario, for requests without one of their own.
    ///
    /// See ``OfflineScenarios/set(_:for:probability:seed:)``.
    public var scenario: Scenario {
        get { scenarios.all }
        nonmutating set { scenarios.all = newValue }
    }

    /// Returns an in-process transport without a `URLSession`; it retains the service.
    ///
    /// - Parameter clock: Measures the time limit of a request, `HTTPLimits.duration`; `nil` uses the service's clock.
    public func transport(clock: (any Clock<Duration>)? = nil) -> any HTTPTransport {
        InProcessTransport(clock: clock ?? scenarios.clock) { [self] request in await respond(to: request) }
    }
}
