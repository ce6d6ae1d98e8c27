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
/// There are `GET /users/{login}`, and `GET /users/{login}/followers` and `/following` with `per_page`, `page` and `Link`;
/// the links lead to `/user/{id}/…` as GitHub's do. `octocat` has 257 followers and follows 9, `mockworks` has exactly 100
/// followers, `lonely` has none; everybody who stands in a list has a profile. Anything else is not found. The address of
/// the API does not matter: whatever stands in front of these paths is left alone.
///
/// It may be used from any number of tasks at once.
public final class OfflineGitHub: Sendable {
    private struct State {
        var scenario: Scenario
        var budget: Budget
        var exchanges = 0
    }

    /// The requests that are left, as the header fields tell it.
    ///
    /// It is the budget of somebody who is signed in, and never ends: what an empty one does, ``Scenario/rateLimited(until:)``
    /// shows.
    private struct Budget {
        static let limit = 5000
        var used = 0
        var reset: Date

        mutating func spend(at now: Date) {
            if now >= reset { self = Budget(reset: now.addingTimeInterval(3600)) }
            used = min(used + 1, Self.limit - 1)
        }
    }

    private let state: Watched<State>
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
        self.state = Watched(State(scenario: scenario, budget: Budget(reset: now().addingTimeInterval(3600))))
        self.clock = clock
        self.currentTime = now
    }

    /// How it behaves from the next request on.
    public var scenario: Scenario {
        get { state.withLock { $0.scenario } }
        set { state.withLock { $0.scenario = newValue } }
    }

    /// A real transport whose every request comes to this service, which it keeps alive.
    ///
    /// - Parameter clock: Measures `HTTPLimits.duration`, the time limit of a request.
    public func transport(clock: any Clock<Duration> = ContinuousClock()) -> any HTTPTransport {
        MockedTransport(clock: clock) { [self] request in await respond(to: request) }
    }

    /// Answers one request.
    ///
    /// - Returns: The reply, or the failure of the network in ``Scenario/offline``.
    @concurrent
    public func respond(to request: HTTPRequest) async -> Result<HTTPResponse, URLError> {
        let now = currentTime()
        let state = state.withLock { state in
            state.budget.spend(at: now)
            state.exchanges += 1
            return state
        }
        if case .slow(let delay) = state.scenario {
            guard (try? await clock.sleep(for: delay)) != nil else { return .failure(URLError(.cancelled)) }
        }
        guard state.scenario != .offline else { return .failure(URLError(.notConnectedToInternet)) }
        do {
            let (status, headers, body) = try reply(to: request, in: state.scenario)
            var fields = Self.fields(of: state)
            fields.merge(headers)
            return .success(HTTPResponse(status: status, headers: fields, body: body, url: request.url))
        } catch {
            return .failure(URLError(.resourceUnavailable, saying: "\(error)"))
        }
    }

    private typealias Reply = (status: Int, headers: HTTPHeaders, body: Data)

    private func reply(to request: HTTPRequest, in scenario: Scenario) throws -> Reply {
        switch scenario {
        case .serverError: return (502, [:], try Fixture("GitHub/error-server").data)
        case .rateLimited: return (403, [:], try Fixture("GitHub/error-rate-limited").data)
        case .normal, .empty, .slow, .offline: break
        }
        let fixtures = try GitHubFixtures.bundled.get()
        guard let route = GitHubRoute(request), let account = fixtures.account(route.resource.account) else {
            return (404, [:], try Fixture("GitHub/error-not-found").data)
        }
        let isEmpty = scenario == .empty
        switch route.resource {
        case .profile:
            return (200, [:], isEmpty ? try Self.withoutCounts(account.profile) : account.profile)
        case .list(let kind, _):
            let rows = isEmpty ? [] : fixtures.rows(of: kind, for: account)
            let path = "\(route.basePath)/user/\(account.id)/\(kind.rawValue)"
            let paging = GitHubPaging(of: request, count: rows.count, path: path)
            var headers = HTTPHeaders()
            headers["Link"] = paging.link
            return (200, headers, Data(jsonRows: rows[paging.rows]))
        }
    }

    /// A profile of somebody who has nothing and knows nobody.
    private static func withoutCounts(_ profile: Data) throws -> Data {
        guard var fields = try JSONSerialization.jsonObject(with: profile) as? [String: Any] else { return profile }
        for count in ["followers", "following", "public_repos", "public_gists"] { fields[count] = 0 }
        return try JSONSerialization.data(withJSONObject: fields)
    }

    /// The fields that GitHub puts on every reply.
    private static func fields(of state: State) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Content-Type": "application/json; charset=utf-8",
            "X-GitHub-Media-Type": "github.v3; format=json",
            "X-GitHub-Request-Id": "OFFLINE:\(state.exchanges)",
            "X-RateLimit-Resource": "core",
        ]
        var (limit, used, reset) = (Budget.limit, state.budget.used, state.budget.reset)
        if case .rateLimited(let end) = state.scenario {
            // What a visitor without a token has in an hour.
            (limit, used, reset) = (60, 60, end)
        }
        headers["X-RateLimit-Limit"] = "\(limit)"
        headers["X-RateLimit-Used"] = "\(used)"
        headers["X-RateLimit-Remaining"] = "\(limit - used)"
        headers["X-RateLimit-Reset"] = "\(Int(exactly: reset.timeIntervalSince1970.rounded(.up)) ?? .max)"
        return headers
    }
}

extension GitHubRoute.Resource {
    /// Whose it is.
    var account: GitHubRoute.Account {
        switch self {
        case .profile(let account), .list(_, of: let account): account
        }
    }
}

extension GitHubFixtures {
    /// The account that a path names.
    fileprivate func account(_ account: GitHubRoute.Account) -> Account? {
        switch account {
        case .login(let login): self.account(login: login)
        case .id(let id): self.account(id: id)
        }
    }
}
