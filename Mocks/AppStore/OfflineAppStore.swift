public import BrowseData
public import Foundation

/// The App Store's public lookup without a network, answered from the bundled fixtures the way the shop answers.
///
/// The client above it is the real one; give it this transport and everything works as it would online:
///
/// ```swift
/// let shop = OfflineAppStore()
/// let client = HTTPClient(service: .appStore(baseURL: baseURL, userAgent: "Demo"), transport: shop.transport())
/// let apps = RemoteAppRepository(client: client)
/// ```
///
/// There are
///
/// - `GET /lookup` by `id`, several with commas between them, or by `bundleId`;
/// - `GET /search` by `term`, which finds a part of an app's or a developer's name, in any case; with `limit`, and with the
///   `entity` of apps for a phone or for a Mac.
///
/// Responses come as JavaScript, behind empty lines, and what is not there is an empty result. Of each field that the shop may
/// leave out there is an app without it: `Tea Timer`, 1500000001, has all, `Bare Bones`, 1500000301, none. In the shop of
/// Korea (`country=kr`) `Tea Timer` is in Korean, and there is an app more, 1500000295. `lang` changes nothing, and `mockworks`
/// finds eight apps. The address of the API does not matter.
///
/// ``Scenario/rateLimited(until:)`` is answered as the shop does, by an empty result that tells no time (403).
///
/// It may be used from any number of tasks at once.
public final class OfflineAppStore: Sendable {
    private let state: Monitor<Scenario>
    private let clock: any Clock<Duration>

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - scenario: How it behaves.
    ///   - clock: Measures the delay of ``Scenario/slow(_:)``; give a ``TestClock`` to be in charge of the time.
    public init(scenario: Scenario = .normal, clock: any Clock<Duration> = ContinuousClock()) {
        state = Monitor(scenario)
        self.clock = clock
    }

    /// How it behaves from the next request on.
    public var scenario: Scenario {
        get { state.value }
        set { state.withLock { $0 = newValue } }
    }

    /// A real transport whose every request comes to this service, which it keeps alive.
    ///
    /// - Parameter clock: Measures `HTTPLimits.duration`, the time limit of a request; the clock of this server unless given.
    public func transport(clock: (any Clock<Duration>)? = nil) -> any HTTPTransport {
        MockedTransport(clock: clock ?? self.clock) { [self] request in await respond(to: request) }
    }

    /// Answers one request.
    ///
    /// - Returns: The response, or the failure of the network in ``Scenario/offline``.
    @concurrent
    public func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        let scenario = scenario
        if case .slow(let delay) = scenario {
            guard (try? await clock.sleep(for: delay)) != nil else { return .failure(URLError(.cancelled)) }
        }
        guard scenario != .offline else { return .failure(URLError(.notConnectedToInternet)) }
        do {
            let response = try AppStoreResponse(to: request, in: scenario)
            return .success(
                HTTPResponse(
                    status: response.status,
                    headers: ["Content-Type": response.contentType],
                    body: response.body,
                    url: request.url
                )
            )
        } catch {
            return .failure(URLError(.resourceUnavailable, saying: "\(error)"))
        }
    }
}
