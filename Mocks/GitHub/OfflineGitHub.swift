public import BrowseData
public import Foundation

/// GitHub's REST API without a network, answered from the bundled fixtures the way GitHub answers.
///
/// The client above it is the real one; give it this transport and everything works as it would online, page by page:
///
/// ```swift
/// let gitHub = OfflineGitHub()
/// let client = HTTPClient(service: .gitHub(baseURL: baseURL, userAgent: "Demo"), transport: gitHub.transport())
/// let followers = RemoteFollowerRepository(client: client)
/// ```
///
/// There are
///
/// - `GET /users/{login}`, and `/followers`, `/following` and `/repos` below it; their links lead to `/user/{id}/…` as
///   GitHub's do;
/// - `GET /user/repos` and `/user/starred` for whoever sends an `Authorization`, which is taken for octocat's; anybody else
///   gets 401;
/// - `GET /repos/{owner}/{name}`; a private one for whoever sends an `Authorization`;
/// - `PUT` and `DELETE /user/starred/{owner}/{name}`, which change the starred list and the counts; `GET` tells whether;
/// - `POST /login/device/code` and `/login/oauth/access_token`: a device is let in when it asks for the second time whether
///   the person has typed the code, a browser by ``agree(on:)``; `DELETE /applications/{id}/token` takes a token back;
/// - `GET /rate_limit`, which costs nothing, and is answered also when a budget is used up;
/// - `GET /search/users` and `/search/repositories`, which find a part of the login or name, or of the full name, the
///   description or a topic, in any case. Qualifiers such as `language:swift` mean nothing here, and users have no `sort`.
///
/// What is read has an `ETag`, and is answered with 304 when a request names it; who sends an `Authorization` pays nothing
/// for that.
///
/// Lists have `per_page`, `page` and `Link`, code repositories also `sort` with `direction`, or `order` in searches, all
/// with GitHub's defaults. Of a search the first 1,000 results are handed out, and a page after them is refused (422).
///
/// `octocat` has 257 followers and follows 9, `mockworks` has exactly 100 followers, `lonely` has none; everybody who stands
/// in a list or owns something has a profile. `octocat` shows 137 code repositories, can reach 5 private ones, and has
/// starred 104. The search for `everyone` finds 1,250 accounts, `everyone-0001` and so on, which no other search finds.
/// Anything else is not found. The address of the API does not matter: whatever stands in front of these paths is left
/// alone.
///
/// It may be used from any number of tasks at once.
public final class OfflineGitHub: Sendable {
    private struct State {
        var scenario: Scenario
        var core: Budget
        var search: Budget
        var exchanges = 0
        var session = OfflineSession()
    }

    /// The requests that are left, as the header fields tell it; searches have a budget of their own.
    ///
    /// It is the budget of somebody who is signed in, and never ends: what an empty one does, ``Scenario/rateLimited(until:)``
    /// shows.
    private struct Budget {
        let resource: String
        let limit: Int
        /// What a visitor without a token has.
        let visitorLimit: Int
        let seconds: TimeInterval
        var used = 0
        var reset: Date

        static func core(from now: Date) -> Budget {
            Budget(resource: "core", limit: 5000, visitorLimit: 60, seconds: 3600, reset: now.addingTimeInterval(3600))
        }

        static func search(from now: Date) -> Budget {
            Budget(resource: "search", limit: 30, visitorLimit: 10, seconds: 60, reset: now.addingTimeInterval(60))
        }

        mutating func spend(_ count: Int = 1, at now: Date) {
            if now >= reset { (used, reset) = (0, now.addingTimeInterval(seconds)) }
            used = min(used + count, limit - 1)
        }

        /// What is told of it, in a header or a body.
        func told(in scenario: Scenario) -> (limit: Int, used: Int, reset: Int64) {
            var (limit, used, reset) = (limit, used, reset)
            if case .rateLimited(let end) = scenario { (limit, used, reset) = (visitorLimit, visitorLimit, end) }
            return (limit, used, Int64(exactly: reset.timeIntervalSince1970.rounded(.up)) ?? .max)
        }
    }

    private let state: Monitor<State>
    private let clock: any Clock<Duration>
    private let currentTime: @Sendable () -> Date

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - scenario: How it behaves.
    ///   - clock: Measures the delay of ``Scenario/slow(_:)``; give a ``TestClock`` to be in charge of the time.
    ///   - now: The current time, from which the end of the rate limit's hour is counted.
    public init(
        scenario: Scenario = .normal,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let start = now()
        self.state = Monitor(State(scenario: scenario, core: .core(from: start), search: .search(from: start)))
        self.clock = clock
        self.currentTime = now
    }

    /// How it behaves from the next request on.
    public var scenario: Scenario {
        get { state.value.scenario }
        set { state.withLock { $0.scenario = newValue } }
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
        let route = GitHubRoute(request)
        let state = state.withLock { state in
            state.exchanges += 1
            return state
        }
        if case .slow(let delay) = state.scenario {
            guard (try? await clock.sleep(for: delay)) != nil else { return .failure(URLError(.cancelled)) }
        }
        guard state.scenario != .offline else { return .failure(URLError(.notConnectedToInternet)) }
        do {
            let answer = try self.response(to: request, at: route, in: state)
            var response = HTTPResponse(
                status: answer.status,
                headers: answer.headers,
                body: answer.body,
                url: request.url
            )
            response.headers["Content-Type"] = "application/json; charset=utf-8"
            if route?.resource.isFree != true { response = response.conditional(for: request) }
            response.headers.merge(fields(of: response, to: request, at: route, in: state))
            return .success(response)
        } catch {
            return .failure(URLError(.resourceUnavailable, saying: "\(error)"))
        }
    }

    private func response(to request: HTTPRequest, at route: GitHubRoute?, in state: State) throws -> Response {
        if route?.resource.isFree == true, state.scenario != .serverError {
            let authorization = request.headers["Authorization"]
            if authorization != nil, !state.session.accepts(authorization) {
                return try .failure(401, "bad-credentials")
            }
            return try rateLimits(in: state.scenario)
        }
        if let failure = try Self.failure(in: state.scenario) { return failure }
        let change = self.state.withLock { state in
            Result { try state.session.response(to: request, at: route?.resource) }
        }
        return try change.get() ?? Self.response(to: request, at: route, in: state.scenario, session: state.session)
    }

    /// Agrees, as a person does on the page that `SignInViewModel.signInByBrowser()` leads to.
    ///
    /// - Parameter page: The page's address.
    /// - Returns: Where the browser would come back to; `nil` when the address is not that of such a page.
    public func agree(on page: URL) -> URL? {
        let items = URLComponents(url: page, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let redirect = value("redirect_uri").flatMap(URL.init), let sent = value("state"),
            let challenge = value("code_challenge"), value("code_challenge_method") == "S256"
        else { return nil }
        let code = state.withLock { $0.session.agree(challenge: challenge) }
        return redirect.appending(queryItems: [
            URLQueryItem(name: "code", value: code), URLQueryItem(name: "state", value: sent),
        ])
    }

    /// Takes back every token, as when a person removes the app in GitHub's settings; who signs in again is let in.
    public func endSessions() {
        state.withLock { $0.session.revokeAll() }
    }

    /// The fields that GitHub puts on every response, which is counted when it costs something.
    private func fields(
        of response: HTTPResponse,
        to request: HTTPRequest,
        at route: GitHubRoute?,
        in state: State
    ) -> HTTPHeaders {
        let path: WritableKeyPath<State, Budget> = route?.resource.isSearch == true ? \.search : \.core
        // What has not changed costs those nothing who tell who they are.
        let isFree =
            route?.resource.isFree == true || (response.status == 304 && request.headers["Authorization"] != nil)
        let now = currentTime()
        let budget = self.state.withLock { state in
            state[keyPath: path].spend(isFree ? 0 : 1, at: now)
            return state[keyPath: path]
        }
        let (limit, used, reset) = budget.told(in: state.scenario)
        return [
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Request-Id": "OFFLINE:\(state.exchanges)",
            "X-RateLimit-Resource": budget.resource,
            "X-RateLimit-Limit": "\(limit)",
            "X-RateLimit-Used": "\(used)",
            "X-RateLimit-Remaining": "\(limit - used)",
            "X-RateLimit-Reset": "\(reset)",
        ]
    }

    /// Answers `GET /rate_limit`; budgets that nothing here draws on are whole.
    private func rateLimits(in scenario: Scenario) throws -> Response {
        let now = currentTime()
        let budgets = state.withLock { state in
            state.core.spend(0, at: now)
            state.search.spend(0, at: now)
            return [state.core, state.search]
        }
        func json(_ told: (limit: Int, used: Int, reset: Int64)) -> [String: Int64] {
            [
                "limit": Int64(told.limit), "used": Int64(told.used), "remaining": Int64(told.limit - told.used),
                "reset": told.reset,
            ]
        }
        var resources = [
            "code_search": json((10, 0, Int64((now + 60).timeIntervalSince1970.rounded(.up)))),
            "graphql": json((5000, 0, Int64((now + 3600).timeIntervalSince1970.rounded(.up)))),
        ]
        for budget in budgets { resources[budget.resource] = json(budget.told(in: scenario)) }
        let body: [String: Any] = ["resources": resources, "rate": resources["core"] ?? [:]]
        var answer = Response(body: try JSONSerialization.data(withJSONObject: body, options: .sortedKeys))
        answer.headers["Cache-Control"] = "no-cache"
        return answer
    }
}
