public import BrowseCoreMocks
@_spi(Services) public import BrowseData
public import BrowseRickAndMorty
import Foundation

/// The Rick and Morty API without a network; it answers from JSON files as the API does.
///
/// It has these endpoints, below any base URL:
///
/// - `GET /character`, `/episode`, and `/location`, with 20 items a page and the API's filters.
///   Filters match part of a text in any case, except that a gender must match completely. An empty
///   page is 404.
/// - `GET /character/1`, also for the other lists: one item, or 404.
/// - `GET /character/1,2,3`, also for the other lists: an array of those that exist.
///
/// The bundled data has 46 invented characters, 43 episodes, and 41 locations, whose links are
/// consistent. Responses have an `ETag` and support `If-None-Match`.
///
/// Its files are pages of the lists: `character-N`, `episode-N`, and `location-N`, where `N` is the
/// number of a page, or `character`, `episode`, and `location` for a single one. No two items of a
/// list have the same ID.
///
/// Safe to use from any number of tasks.
public final class OfflineRickAndMorty: OfflineService {
    /// The settings of the Rick and Morty API.
    public typealias Settings = RickAndMortySettings

    /// The scenarios of its requests.
    public let scenarios: OfflineScenarios
    private let fixtures: Result<RickAndMortyFixtures, Fixtures.Unreadable>

    private static let bundled = Result { () throws(Fixtures.Unreadable) in try RickAndMortyFixtures(.rickAndMorty) }

    /// Creates a service on the bundled data.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all requests.
    ///   - clock: Measures delays; pass a `TestClock` to control the time.
    ///   - now: Returns the current time, with which rate limits are calculated.
    public convenience init(
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(fixtures: Self.bundled, scenario: scenario, clock: clock, now: now)
    }

    /// Creates a service on data of your own.
    ///
    /// - Parameters:
    ///   - data: The characters, episodes, and locations.
    ///   - scenario: The behavior of all requests.
    ///   - clock: Measures delays; pass a `TestClock` to control the time.
    ///   - now: Returns the current time, with which rate limits are calculated.
    /// - Throws: `Fixtures.Unreadable` when a file has an unexpected form.
    public convenience init(
        data: Fixtures,
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws(Fixtures.Unreadable) {
        let fixtures = try RickAndMortyFixtures(data)
        self.init(fixtures: .success(fixtures), scenario: scenario, clock: clock, now: now)
    }

    private init(
        fixtures: Result<RickAndMortyFixtures, Fixtures.Unreadable>,
        scenario: Scenario,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) {
        scenarios = OfflineScenarios(scenario, clock: clock, now: now)
        self.fixtures = fixtures
    }

    /// The side of a character's image, such as `…/character/avatar/1.jpeg`.
    public func imageSide(at url: URL) -> Int? {
        let isAvatar = url.path().split(separator: "/").suffix(3).starts(with: ["character", "avatar"])
        return isAvatar && Int64(url.deletingPathExtension().lastPathComponent) != nil ? 100 : nil
    }

    /// Whether the request is to one of the endpoints above.
    public func hasEndpoint(for request: HTTPClient.Request) -> Bool { RickAndMortyRoute(request) != nil }

    /// Responds to a request.
    @concurrent
    public func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
        let answer = try self.answer(to: request, in: scenario)
        let headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
        let response = HTTPClient.Response(status: answer.status, headers: headers, body: answer.body, url: request.url)
        return response.conditional(for: request)
    }

    private func answer(to request: HTTPClient.Request, in scenario: Scenario) throws -> Response {
        guard let route = RickAndMortyRoute(request) else { return try .failure(404, "nothing-here") }
        let fixtures = try fixtures.get()
        switch route.resource {
        case .list(let kind):
            let items = scenario == .empty ? [] : fixtures.items(of: kind)
            return try Self.page(of: items.filter { Self.passes($0, route, of: kind) }, route)
        case .things(let kind, let text):
            return try Self.things(fixtures.items(of: kind), of: kind, at: text, isEmpty: scenario == .empty)
        }
    }
}

extension OfflineRickAndMorty {
    /// A response without the fields that all responses have.
    private struct Response {
        var status = 200
        var body: Data

        /// An error from a fixture.
        static func failure(_ status: Int, _ name: String) throws -> Response {
            Response(status: status, body: try Fixtures.rickAndMorty["error-\(name)"])
        }
    }

    private static let pageSize = 20

    /// Whether an item passes all filters of a request.
    private static func passes(
        _ item: RickAndMortyFixtures.Item,
        _ route: RickAndMortyRoute,
        of kind: RickAndMortyFixtures.Kind
    ) -> Bool {
        kind.filters.allSatisfy { filter in
            let wanted = route.parameter(filter.name)
            let field = item.fields[filter.name]
            return filter.isPart
                ? RickAndMortyMatch.part(wanted, of: field) : RickAndMortyMatch.whole(wanted, of: field)
        }
    }

    private static func page(of items: [RickAndMortyFixtures.Item], _ route: RickAndMortyRoute) throws -> Response {
        let number = route.parameter("page").flatMap { Int($0) } ?? 1
        let count = (items.count + pageSize - 1) / pageSize
        guard (1...max(1, count)).contains(number), !items.isEmpty else { return try .failure(404, "nothing-here") }
        func link(_ page: Int) throws -> String {
            guard (1...count).contains(page) else { return "null" }
            return String(decoding: try JSONEncoder().encode(route.address(ofPage: page)), as: UTF8.self)
        }
        let info = try
            "\"count\":\(items.count),\"pages\":\(count),\"next\":\(link(number + 1)),\"prev\":\(link(number - 1))"
        let rows = items.dropFirst(pageSize * (number - 1)).prefix(pageSize)
        return Response(
            body: Data("{\"info\":{\(info)},\"results\":".utf8) + Data(jsonRows: rows.map(\.json)) + Data("}".utf8)
        )
    }

    /// One item, or an array of several.
    private static func things(
        _ items: [RickAndMortyFixtures.Item],
        of kind: RickAndMortyFixtures.Kind,
        at text: String,
        isEmpty: Bool
    ) throws -> Response {
        let words = (text.removingPercentEncoding ?? text).split(separator: ",", omittingEmptySubsequences: false)
        let ids = words.compactMap { Int64($0) }
        guard ids.count == words.count else { return try .failure(500, "bad-id") }
        let found = try items.filter { ids.contains($0.id) }
            .map { isEmpty ? try lonely($0.json, kind.related) : $0.json }
        if ids.count > 1 { return Response(body: Data(jsonRows: found)) }
        guard let thing = found.first else { return try .failure(404, "no-\(kind.rawValue)") }
        return Response(body: thing)
    }

    /// An item without related items.
    private static func lonely(_ json: Data, _ related: String) throws -> Data {
        var fields = try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
        fields[related] = [String]()
        return try JSONSerialization.data(withJSONObject: fields)
    }
}
