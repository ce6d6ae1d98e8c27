public import BrowseData
public import Foundation

/// The Rick and Morty API without a network, answered from the bundled fixtures the way the API answers.
///
/// The client above it is the real one; give it this transport and everything works as it would online, page by page. There
/// are, of made-up beings in the shape of real responses,
///
/// - `GET /character`, `/episode` and `/location`, 20 a page: 46 characters, 43 episodes, 41 locations; with the API's
///   filters, which find a part of a text in any case, but a gender as a whole; a page or filter with nothing in it is 404
///   "There is nothing here";
/// - `GET /character/1` and its like, one thing, or 404;
/// - `GET /character/1,2,3` and its like, an array of those that exist, by their numbers.
///
/// Responses have an `ETag`, and a request that names it is answered with 304. Links are consistent: who names an episode is named by it, and so with locations and residents. The address of the API
/// does not matter: whatever stands in front of these paths is left alone, and the links of pages lead there.
///
/// It may be used from any number of tasks at once.
public final class OfflineRickAndMorty: Sendable {
    private let currentScenario: Monitor<Scenario>
    private let clock: any Clock<Duration>
    private let currentTime: @Sendable () -> Date

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - scenario: How it behaves.
    ///   - clock: Measures the delay of ``Scenario/slow(_:)``; give a ``TestClock`` to be in charge of the time.
    ///   - now: The current time, from which the wait of ``Scenario/rateLimited(until:)`` is counted.
    public init(
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        currentScenario = Monitor(scenario)
        self.clock = clock
        currentTime = now
    }

    /// How it behaves from the next request on.
    public var scenario: Scenario {
        get { currentScenario.value }
        set { currentScenario.withLock { $0 = newValue } }
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
            let answer = try self.response(to: request, in: scenario)
            var headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
            headers["Retry-After"] = answer.retryAfter
            let response = HTTPResponse(status: answer.status, headers: headers, body: answer.body, url: request.url)
            return .success(response.conditional(for: request))
        } catch {
            return .failure(URLError(.resourceUnavailable, saying: "\(error)"))
        }
    }

    private func response(to request: HTTPRequest, in scenario: Scenario) throws -> Response {
        switch scenario {
        case .serverError: return try .failure(502, "server")
        case .rateLimited(let end):
            var answer = try Response.failure(429, "rate-limited")
            let wait = max(0, end.timeIntervalSince(currentTime()).rounded(.up))
            answer.retryAfter = "\(Int(exactly: wait) ?? .max)"
            return answer
        case .normal, .empty, .slow, .offline: break
        }
        guard let route = RickAndMortyRoute(request) else { return try .failure(404, "nothing-here") }
        let fixtures = try RickAndMortyFixtures.bundled.get()
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
    /// What a request is answered with, before the fields that every response has.
    private struct Response {
        var status = 200
        var body: Data
        var retryAfter: String?

        /// An error that is a fixture.
        static func failure(_ status: Int, _ name: String) throws -> Response {
            Response(status: status, body: try Fixture("RickAndMorty/error-\(name)").data)
        }
    }

    private static let pageSize = 20

    /// Whether a thing has everything that is looked for.
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

    /// A page of a list.
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

    /// One thing, or an array of several.
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

    /// A thing to which nothing is related.
    private static func lonely(_ json: Data, _ related: String) throws -> Data {
        var fields = try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
        fields[related] = [String]()
        return try JSONSerialization.data(withJSONObject: fields)
    }
}
