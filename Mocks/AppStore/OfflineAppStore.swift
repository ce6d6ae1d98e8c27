public import BrowseAppStore
public import BrowseCoreMocks
public import BrowseData
import Foundation

/// The App Store's lookup and search without a network, with responses from JSON files.
///
/// ```swift
/// let shop = OfflineAppStore()
/// let apps = Container.production(on: shop.transport()).appRepository()
/// ```
///
/// It has these endpoints, below any base URL:
///
/// - `GET /lookup` by `id`, several separated by commas, or by `bundleId`.
/// - `GET /search` by `term`, part of an app's or developer's name in any case, with `limit`, and
///   `entity` for iPhone or Mac.
///
/// Responses are JavaScript after empty lines; a missing app is an empty result. In the bundled
/// data, `Tea Timer` (1500000001) has all fields and `Bare Bones` (1500000301) no optional ones. In
/// Korea (`country=kr`), `Tea Timer` is in Korean, and there is one more app, 1500000295. The
/// search for `mockworks` finds eight apps. `lang` is ignored.
///
/// Its files are `apps` for all countries, and `apps-CC` for one country.
///
/// Safe to use from any number of tasks.
public final class OfflineAppStore: OfflineService {
    /// The settings of the App Store.
    public typealias Settings = AppStoreSettings

    /// The scenarios of its requests.
    public let scenarios: OfflineScenarios
    private let fixtures: Result<AppStoreFixtures, Fixtures.Unreadable>

    private static let bundled = Result { () throws(Fixtures.Unreadable) in try AppStoreFixtures(.appStore) }

    /// Creates a service on the bundled data.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all requests.
    ///   - clock: Measures delays; pass a `TestClock` to control the time.
    ///   - now: Returns the current time, at which rate limits end.
    public init(
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        scenarios = OfflineScenarios(scenario, clock: clock, now: now)
        fixtures = Self.bundled
    }

    /// Creates a service on data of your own.
    ///
    /// - Parameters:
    ///   - data: The apps.
    ///   - scenario: The behavior of all requests.
    ///   - clock: Measures delays; pass a `TestClock` to control the time.
    ///   - now: Returns the current time, at which rate limits end.
    /// - Throws: `Fixtures.Unreadable` when a file has an unexpected form.
    public init(
        data: Fixtures,
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(Fixtures.Unreadable) {
        scenarios = OfflineScenarios(scenario, clock: clock, now: now)
        fixtures = .success(try AppStoreFixtures(data))
    }

    /// The side of an app's icon, such as 60 for `…/icon.png?side=60`, or of a screenshot, 250.
    public func imageSide(at url: URL) -> Int? {
        guard url.host() == "images.example", url.path().split(separator: "/").first == "apps" else { return nil }
        return url.query().flatMap { Int($0.dropFirst("side=".count)) } ?? 250
    }

    /// Leaves failures to ``response(to:in:)``, which has the App Store's own.
    public func failure(of request: HTTPClient.Request, in scenario: Scenario) -> HTTPClient.Response? { nil }

    /// Whether the request is to one of the endpoints above.
    public func hasEndpoint(for request: HTTPClient.Request) -> Bool {
        request.method == .get && ["lookup", "search"].contains(request.url.lastPathComponent)
    }

    /// Responds to a request.
    @concurrent
    public func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
        let response = try AppStoreResponse(to: request, in: scenario, fixtures: fixtures.get())
        return HTTPClient.Response(
            status: response.status,
            headers: ["Content-Type": response.contentType],
            body: response.body,
            url: request.url
        )
    }
}
