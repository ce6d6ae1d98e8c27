public import BrowseData
public import Foundation

/// The App Store's lookup and search without a network, with responses from ``OfflineData``.
///
/// ```swift
/// let shop = OfflineAppStore()
/// let client = HTTPClient(service: .appStore(baseURL: baseURL, userAgent: "Demo"), transport: shop.transport())
/// let apps = RemoteAppRepository(client: client)
/// ```
///
/// It has these endpoints, below any base URL:
///
/// - `GET /lookup` by `id`, several separated by commas, or by `bundleId`.
/// - `GET /search` by `term`, part of an app's or developer's name in any case, with `limit`, and `entity` for iPhone or Mac.
///
/// Responses are JavaScript after empty lines; a missing app is an empty result. In the bundled data, `Tea Timer` (1500000001)
/// has all fields and `Bare Bones` (1500000301) no optional ones. In Korea (`country=kr`), `Tea Timer` is in Korean, and there
/// is one more app, 1500000295. The search for `mockworks` finds eight apps. `lang` is ignored.
///
/// Safe to use from any number of tasks.
public final class OfflineAppStore: OfflineService {
    /// The scenarios of its requests.
    public let scenarios: OfflineScenarios
    private let data: OfflineData

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all requests.
    ///   - data: The apps.
    ///   - clock: Measures delays; pass a ``TestClock`` to control the time.
    public init(
        scenario: Scenario = .normal,
        data: OfflineData = .bundled,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        scenarios = OfflineScenarios(scenario, clock: clock)
        self.data = data
    }

    /// Responds to a request.
    @concurrent
    public func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        await scenarios.enter(request).flatMap { scenario in
            do {
                let response = try AppStoreResponse(to: request, in: scenario, fixtures: data.appStore.get())
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
}
