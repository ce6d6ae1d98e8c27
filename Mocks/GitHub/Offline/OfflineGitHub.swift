public import BrowseCore
public import BrowseCoreMocks
public import BrowseData
public import BrowseDomain
public import BrowseGitHub
import BrowseGitHubData
public import BrowseGitHubDomain
import Foundation

/// GitHub's REST API and sign-in without a network; it answers from JSON files as GitHub does.
///
/// ```swift
/// let gitHub = OfflineGitHub()
/// let followers = Container.production(on: gitHub.transport()).followerRepository()
/// ```
///
/// It has these endpoints, below any base URL; other requests get status 400, and are reported:
///
/// - `GET /users/{login}` and its `/followers`, `/following`, and `/repos`, whose links lead to
///   `/user/{id}/…`.
/// - `GET /user`, `/user/repos`, and `/user/starred` of the token's account; 401 without a token.
/// - `GET /repos/{owner}/{name}` and `/repositories/{id}`, and their `/readme`, raw or as JSON; a
///   private repository only for an account that can access it.
/// - `GET`, `PUT`, and `DELETE /user/starred/{owner}/{name}`; writes change the list and the
///   counts.
/// - `POST /login/device/code` and `/login/oauth/access_token`: a device gets its token after 20
///   seconds, a browser after ``agree(on:as:)``. `DELETE /applications/{id}/token` revokes a token.
/// - `GET /rate_limit`, which doesn't count toward limits and works when one is used up.
/// - `GET /search/users` and `/search/repositories`, which match part of a login, name,
///   description, or topic, ignoring case. Qualifiers such as `language:swift` are part of the text
///   to find, and users aren't sorted.
///
/// Reads have an `ETag` and support `If-None-Match`; with a token, a 304 doesn't count toward the
/// rate limit. Lists support `per_page`, `page`, `sort`, and `direction` (`order` in searches),
/// with GitHub's defaults. Searches return 1,000 results at most; later pages are 422.
///
/// In the bundled data, `octocat` has 257 followers and follows 9, `mockworks` has 100 followers,
/// and `lonely` has none. `haneul-kim` has 1,234,567 followers. If a profile counts more followers
/// than its files contain, the others are generated. `octocat` has 137 public repositories, access
/// to 5 private ones, and 104 stars; `haneul-kim` has 2 private repositories and 3 stars. The
/// search for `everyone` finds 1,250 accounts, `everyone-0001` and so on.
///
/// Tokens of ``token(for:)`` and of sign-ins name their account, as in `gho_offline_octocat_1`. A
/// service in another process accepts them too, and tokens of that form, such as from an
/// environment variable. All others are refused with 401.
///
/// The name of a file determines its content, so data of your own needs no code. `N` is the number
/// of a page, and 1 if it's omitted, which it can't be if the login ends in a number, as in
/// `mona-2024`. An account exists if it has a profile, is in a list, or owns a list of accounts or
/// a repository.
///
/// | File | Content |
/// |---|---|
/// | `user-NAME` | a profile |
/// | `followers-LOGIN-N`, `following-LOGIN-N` | pages of accounts |
/// | `repos-LOGIN-N` | pages of an account's public repositories |
/// | `private-LOGIN-N` | pages of repositories that only the account can access |
/// | `repo-NUMBER` | a repository's own response, if it has more than its row |
/// | `readme-NUMBER` | the JSON response for its README |
/// | `starred-LOGIN-N` | pages of starred repositories, the latest star first |
///
/// Safe to use from any number of tasks.
public final class OfflineGitHub: OfflineService {
    /// The settings of GitHub.
    public typealias Settings = GitHubSettings

    private struct State {
        var core: Budget
        var search: Budget
        var exchanges = 0
        var session = OfflineSession()
        var fixtures: Result<GitHubFixtures, Fixtures.Unreadable>
    }

    /// A rate limit of a signed-in account; searches have a separate one.
    ///
    /// It's never used up; see `Scenario.rateLimited(until:)`.
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

    private static let bundled = Result { () throws(Fixtures.Unreadable) in try GitHubFixtures(.gitHub) }

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
    ///   - data: The accounts and repositories.
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
        let fixtures = try GitHubFixtures(data)
        self.init(fixtures: .success(fixtures), scenario: scenario, clock: clock, now: now)
    }

    private init(
        fixtures: Result<GitHubFixtures, Fixtures.Unreadable>,
        scenario: Scenario,
        clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) {
        let start = now()
        scenarios = OfflineScenarios(scenario, clock: clock, now: now)
        state = Monitor(State(core: .core(from: start), search: .search(from: start), fixtures: fixtures))
    }

    /// Gives an account generated followers; the same seed generates the same rows.
    ///
    /// Rows are made on demand, so that 100,000 followers need no memory.
    ///
    /// - Parameters:
    ///   - count: The number of followers, 0 to 1,000,000; other values are clamped.
    ///   - login: The account, which is added when it doesn't exist; its other followers are
    ///     replaced.
    ///   - seed: Determines the followers' logins and numbers.
    public func addFollowers(_ count: Int, of login: GitHub.Login, seed: UInt64 = 0) {
        state.withLock { state in
            state.fixtures = state.fixtures.map { $0.adding(.followers(count, seed: seed), to: login.rawValue) }
        }
    }

    /// The API, and the website for signing in.
    public func baseURLs(in configuration: Configuration) -> [URL] {
        [configuration.gitHub.url, configuration.gitHub.webURL]
    }

    /// The side of an avatar, such as `https://avatars.githubusercontent.com/u/1?s=40`; 100 without
    /// `s`.
    public func imageSide(at url: URL) -> Int? {
        let path = url.path().split(separator: "/")
        guard url.host() == "avatars.githubusercontent.com", path.count == 2, path.first == "u", Int64(path[1]) != nil
        else { return nil }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        return items?.first { $0.name == "s" }?.value.flatMap { Int($0) } ?? 100
    }

    /// Registers an app, so that signing in works.
    public func adjust(_ configuration: inout Configuration) {
        configuration.gitHub.app =
            configuration.gitHub.app
            ?? OAuthApp.gitHub(clientID: "offline", redirect: URL(string: "app.browsekit.offline:/signed-in"))
    }

    /// Leaves failures to ``response(to:in:)``, which has GitHub's own.
    public func failure(of request: HTTPClient.Request, in scenario: Scenario) -> HTTPClient.Response? { nil }

    /// Whether the request is to one of the endpoints above.
    public func hasEndpoint(for request: HTTPClient.Request) -> Bool { GitHubRoute(request) != nil }

    /// Responds to a request.
    @concurrent
    public func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
        let route = GitHubRoute(request)
        let state = state.withLock { state in
            state.exchanges += 1
            return state
        }
        let answer = try self.response(to: request, at: route, in: scenario, state)
        var response = HTTPClient.Response(
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            url: request.url
        )
        response.headers["Content-Type"] = response.headers["Content-Type"] ?? "application/json; charset=utf-8"
        if route?.resource.isFree != true { response = response.conditional(for: request) }
        response.headers.merge(fields(of: response, to: request, at: route, in: scenario, exchange: state.exchanges))
        return response
    }

    private func response(
        to request: HTTPClient.Request,
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
        let fixtures = try state.fixtures.get()
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
    ///
    /// - Throws: `.notFound` when the data has no such account.
    public func setSignInAccount(_ login: GitHub.Login) throws(BrowseError) {
        _ = try info(of: "setSignInAccount(_:)", for: login)
        state.withLock { $0.session.signInLogin = login.rawValue.lowercased() }
    }

    /// Issues a token for an account, such as for `Configuration.gitHub.token`.
    ///
    /// - Throws: `.notFound` when the data has no such account.
    public func token(for login: GitHub.Login) throws(BrowseError) -> AccessToken {
        let info = try info(of: "token(for:)", for: login)
        let text = state.withLock { $0.session.issueToken(for: login.rawValue) }
        guard let token = try? AccessToken(text) else { throw .notFound(info) }
        return token
    }

    /// Authorizes the app, as a user does on the page of `SignInViewModel.signInByBrowser()`.
    ///
    /// - Parameters:
    ///   - page: The URL of the page.
    ///   - login: The account; `nil` is that of ``setSignInAccount(_:)``. It must be in the data.
    /// - Returns: The URL that the browser is redirected to.
    /// - Throws: `.notFound` when the data has no such account, `.refused(.invalidParameter)` when
    ///   `page` isn't a page for signing in.
    public func agree(on page: URL, as login: GitHub.Login? = nil) throws(BrowseError) -> URL {
        let info = try info(of: "agree(on:as:)", for: login)
        return try redirect(from: page, info) { challenge in
            ("code", state.withLock { $0.session.authorize(challenge: challenge, as: login?.rawValue) })
        }
    }

    /// Denies the app access, as *Cancel* does on the page of `signInByBrowser()`.
    ///
    /// To deny a sign-in by code, script GitHub's response; <doc:TestYourApp> has an example.
    ///
    /// - Returns: The URL that the browser is redirected to.
    /// - Throws: `.refused(.invalidParameter)` when `page` isn't a page for signing in.
    public func deny(on page: URL) throws(BrowseError) -> URL {
        try redirect(from: page, BrowseError.RequestInfo(endpoint: "OfflineGitHub.deny(on:)")) { _ in
            ("error", "access_denied")
        }
    }

    /// The redirect of a page for signing in, with the answer to its challenge.
    private func redirect(
        from page: URL,
        _ info: BrowseError.RequestInfo,
        _ answer: (String) -> (name: String, text: String)
    ) throws(BrowseError) -> URL {
        let items = URLComponents(url: page, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let redirect = value("redirect_uri").flatMap(URL.init), let sent = value("state"),
            let challenge = value("code_challenge"), value("code_challenge_method") == "S256"
        else {
            var info = info
            info.serverMessage = "\(page) isn't the page of signInByBrowser(), which has redirect_uri, state, and PKCE."
            throw .refused(.invalidParameter, info)
        }
        let (name, text) = answer(challenge)
        return redirect.appending(queryItems: [
            URLQueryItem(name: name, value: text), URLQueryItem(name: "state", value: sent),
        ])
    }

    /// Returns the name of a call for an account in an error.
    ///
    /// - Throws: `.notFound` with the accounts that there are, when the data has no such account.
    private func info(of call: String, for login: GitHub.Login?) throws(BrowseError) -> BrowseError.RequestInfo {
        var info = BrowseError.RequestInfo(endpoint: "OfflineGitHub.\(call)")
        guard let login else { return info }
        switch state.value.fixtures {
        case .success(let fixtures):
            guard fixtures.account(login: login.rawValue) == nil else { return info }
            let names = fixtures.shownLogins.joined(separator: ", ")
            info.serverMessage = "The data has no account \(login). There are: \(names)."
        case .failure(let error): info.serverMessage = "\(error)"
        }
        throw .notFound(info)
    }

    /// Revokes all tokens, as when a user removes the app in GitHub's settings; signing in again
    /// works.
    public func revokeTokens() {
        state.withLock { $0.session.revokeAll() }
    }

    /// The fields of all responses; counts the request unless it's free.
    private func fields(
        of response: HTTPClient.Response,
        to request: HTTPClient.Request,
        at route: GitHubRoute?,
        in scenario: Scenario,
        exchange: Int
    ) -> HTTPHeaders {
        let path: WritableKeyPath<State, Budget> = route?.resource.isSearch == true ? \.search : \.core
        let isFree =
            route?.resource.isFree == true || (response.status == 304 && request.headers["Authorization"] != nil)
        let now = scenarios.now()
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
        let now = scenarios.now()
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
