public import BrowseData
public import BrowseDomain
public import BrowseGitHubDomain
public import Foundation

/// GitHub's REST API and sign-in without a network; it answers from ``OfflineData`` as GitHub does.
///
/// ```swift
/// let gitHub = OfflineGitHub()
/// let client = HTTPClient(service: .gitHub(baseURL: baseURL, userAgent: "Demo"), transport: gitHub.transport())
/// let followers = RemoteFollowerRepository(client: client)
/// ```
///
/// It has these endpoints, below any base URL; others are not found:
///
/// - `GET /users/{login}` and its `/followers`, `/following`, and `/repos`, whose links lead to `/user/{id}/…`.
/// - `GET /user`, `/user/repos`, and `/user/starred` of the token's account; 401 without a token.
/// - `GET /repos/{owner}/{name}`; a private repository only for an account that can access it.
/// - `GET`, `PUT`, and `DELETE /user/starred/{owner}/{name}`; writes change the list and the counts.
/// - `POST /login/device/code` and `/login/oauth/access_token`: a device gets its token at the second poll, a browser after
///   ``agree(on:as:)``. `DELETE /applications/{id}/token` revokes a token.
/// - `GET /rate_limit`, which doesn't count toward limits and works when one is used up.
/// - `GET /search/users` and `/search/repositories`, which match part of a login, name, description, or topic, ignoring case.
///   Qualifiers such as `language:swift` are ignored, and users aren't sorted.
///
/// Reads have an `ETag` and support `If-None-Match`; a 304 is free with a token. Lists support `per_page`, `page`, `sort`, and
/// `direction` (`order` in searches), with GitHub's defaults. Searches return 1,000 results at most; later pages are 422.
///
/// In the bundled data, `octocat` has 257 followers and follows 9, `mockworks` has 100 followers, and `lonely` has none.
/// `octocat` has 137 public repositories, access to 5 private ones, and 104 stars; `haneul-kim` has 2 private repositories and
/// 3 stars. The search for `everyone` finds 1,250 accounts, `everyone-0001` and so on.
///
/// Tokens of ``token(for:)`` and of sign-ins belong to their accounts; all other tokens belong to `octocat`.
///
/// Safe to use from any number of tasks.
public final class OfflineGitHub: OfflineService {
    private struct State {
        var core: Budget
        var search: Budget
        var exchanges = 0
        var session = OfflineSession()
    }

    /// A rate limit of a signed-in account; searches have a separate one.
    ///
    /// It's never used up; see ``Scenario/rateLimited(until:)``.
    private struct Budget {
        let resource: String
        let limit: Int
        /// The limit without a token.
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

        /// The values in headers and bodies.
        func values(in scenario: Scenario) -> (limit: Int, used: Int, reset: Int64) {
            var (limit, used, reset) = (limit, used, reset)
            if case .rateLimited(let end) = scenario { (limit, used, reset) = (visitorLimit, visitorLimit, end) }
            return (limit, used, Int64(exactly: reset.timeIntervalSince1970.rounded(.up)) ?? .max)
        }
    }

    /// The scenarios of its requests.
    public let scenarios: OfflineScenarios
    private let state: Monitor<State>
    private let data: OfflineData
    private let currentTime: @Sendable () -> Date

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - scenario: The behavior of all requests.
    ///   - data: The accounts and repositories.
    ///   - clock: Measures delays; pass a ``TestClock`` to control the time.
    ///   - now: Returns the current time, with which rate limits are calculated.
    public init(
        scenario: Scenario = .normal,
        data: OfflineData = .bundled,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        let start = now()
        scenarios = OfflineScenarios(scenario, clock: clock)
        state = Monitor(State(core: .core(from: start), search: .search(from: start)))
        self.data = data
        currentTime = now
    }

    /// Responds to a request.
    @concurrent
    public func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        let route = GitHubRoute(request)
        let state = state.withLock { state in
            state.exchanges += 1
            return state
        }
        return await scenarios.enter(request).flatMap { scenario in
            do {
                let answer = try self.response(to: request, at: route, in: scenario, state)
                var response = HTTPResponse(
                    status: answer.status,
                    headers: answer.headers,
                    body: answer.body,
                    url: request.url
                )
                response.headers["Content-Type"] = "application/json; charset=utf-8"
                if route?.resource.isFree != true { response = response.conditional(for: request) }
                response.headers.merge(
                    fields(of: response, to: request, at: route, in: scenario, exchange: state.exchanges)
                )
                return .success(response)
            } catch {
                return .failure(URLError(.resourceUnavailable, saying: "\(error)"))
            }
        }
    }

    private func response(
        to request: HTTPRequest,
        at route: GitHubRoute?,
        in scenario: Scenario,
        _ state: State
    ) throws -> Response {
        if route?.resource.isFree == true, scenario != .serverError {
            let authorization = request.headers["Authorization"]
            if authorization != nil, state.session.login(of: authorization) == nil {
                return try .failure(401, "bad-credentials")
            }
            return try rateLimits(in: scenario)
        }
        if let failure = try Self.failure(in: scenario) { return failure }
        let fixtures = try data.gitHub.get()
        let change = self.state.withLock { state in
            Result { try state.session.response(to: request, at: route?.resource, fixtures: fixtures) }
        }
        if let response = try change.get() { return response }
        return try Self.response(
            to: request,
            at: route,
            in: scenario,
            session: state.session,
            fixtures: fixtures
        )
    }

    /// Sets the account that signs in next, by code or in a browser; `octocat` by default.
    public func setSignInAccount(_ login: GitHub.Login) {
        state.withLock { $0.session.signInLogin = login.rawValue.lowercased() }
    }

    /// Issues a token for an account, such as for `Configuration.gitHub.token`.
    ///
    /// - Throws: `.notFound` when the data has no such account.
    public func token(for login: GitHub.Login) throws(BrowseError) -> AccessToken {
        guard (try? data.gitHub.get())?.account(login: login.rawValue) != nil,
            let token = try? AccessToken(state.withLock { $0.session.issueToken(for: login.rawValue) })
        else { throw .notFound(BrowseError.RequestInfo(endpoint: "OfflineGitHub.token(for:)")) }
        return token
    }

    /// Authorizes the app, as a user does on the page of `SignInViewModel.signInByBrowser()`.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - login: The account; `nil` is that of ``setSignInAccount(_:)``. It must be in the data.
    /// - Returns: The URL that the browser is redirected to; `nil` when `page` isn't a page for signing in, or there is no such
    ///   account.
    public func agree(on page: URL, as login: GitHub.Login? = nil) -> URL? {
        let items = URLComponents(url: page, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let redirect = value("redirect_uri").flatMap(URL.init), let sent = value("state"),
            let challenge = value("code_challenge"), value("code_challenge_method") == "S256",
            login.map({ (try? data.gitHub.get())?.account(login: $0.rawValue) != nil }) ?? true
        else { return nil }
        let code = state.withLock { $0.session.authorize(challenge: challenge, as: login?.rawValue) }
        return redirect.appending(queryItems: [
            URLQueryItem(name: "code", value: code), URLQueryItem(name: "state", value: sent),
        ])
    }

    /// Revokes all tokens, as when a user removes the app in GitHub's settings; signing in again works.
    public func revokeTokens() {
        state.withLock { $0.session.revokeAll() }
    }

    /// The fields of all responses; counts the request unless it's free.
    private func fields(
        of response: HTTPResponse,
        to request: HTTPRequest,
        at route: GitHubRoute?,
        in scenario: Scenario,
        exchange: Int
    ) -> HTTPHeaders {
        let path: WritableKeyPath<State, Budget> = route?.resource.isSearch == true ? \.search : \.core
        let isFree =
            route?.resource.isFree == true || (response.status == 304 && request.headers["Authorization"] != nil)
        let now = currentTime()
        let budget = self.state.withLock { state in
            state[keyPath: path].spend(isFree ? 0 : 1, at: now)
            return state[keyPath: path]
        }
        let (limit, used, reset) = budget.values(in: scenario)
        return [
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Request-Id": "OFFLINE:\(exchange)",
            "X-RateLimit-Resource": budget.resource,
            "X-RateLimit-Limit": "\(limit)",
            "X-RateLimit-Used": "\(used)",
            "X-RateLimit-Remaining": "\(limit - used)",
            "X-RateLimit-Reset": "\(reset)",
        ]
    }

    /// Responds to `GET /rate_limit`.
    private func rateLimits(in scenario: Scenario) throws -> Response {
        let now = currentTime()
        let budgets = state.withLock { state in
            state.core.spend(0, at: now)
            state.search.spend(0, at: now)
            return [state.core, state.search]
        }
        func json(_ values: (limit: Int, used: Int, reset: Int64)) -> [String: Int64] {
            [
                "limit": Int64(values.limit), "used": Int64(values.used),
                "remaining": Int64(values.limit - values.used),
                "reset": values.reset,
            ]
        }
        var resources = [
            "code_search": json((10, 0, Int64((now + 60).timeIntervalSince1970.rounded(.up)))),
            "graphql": json((5000, 0, Int64((now + 3600).timeIntervalSince1970.rounded(.up)))),
        ]
        for budget in budgets { resources[budget.resource] = json(budget.values(in: scenario)) }
        let body: [String: Any] = ["resources": resources, "rate": resources["core"] ?? [:]]
        var answer = Response(body: try JSONSerialization.data(withJSONObject: body, options: .sortedKeys))
        answer.headers["Cache-Control"] = "no-cache"
        return answer
    }
}
