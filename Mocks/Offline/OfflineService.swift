public import BrowseData
public import Foundation

/// A service of the SDK that answers in this process, as the real one answers.
public protocol OfflineService: Sendable {
    /// The scenarios of its requests.
    var scenarios: OfflineScenarios { get }

    /// Responds to a request.
    ///
    /// - Returns: The response, or the failure of the network in ``Scenario/offline``.
    @concurrent
    func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError>
}

extension OfflineService {
    /// The scenario of requests without their own.
    ///
    /// See ``OfflineScenarios/set(_:for:probability:seed:)``.
    public var scenario: Scenario {
        get { scenarios.all }
        nonmutating set { scenarios.all = newValue }
    }

    /// A transport that answers in this process, without a `URLSession`; it retains the service.
    ///
    /// - Parameter clock: Measures `HTTPLimits.duration`, the time limit of a request; `nil` for the service's clock.
    public func transport(clock: (any Clock<Duration>)? = nil) -> any HTTPTransport {
        InProcessTransport(clock: clock ?? scenarios.clock) { [self] request in await respond(to: request) }
    }
}
