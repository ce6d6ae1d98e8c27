import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// GitHub's words about a limit, at a fixed time.
enum Limited {
    static func counts(_ remaining: String, after seconds: Int? = 3600, _ more: HTTPHeaders = [:]) -> HTTPHeaders {
        var headers = HTTPHeaders.gitHub(more)
        (headers["X-RateLimit-Limit"], headers["X-RateLimit-Remaining"]) = ("60", remaining)
        headers["X-RateLimit-Reset"] = seconds.map { "\(1_800_000_000 + $0)" }
        return headers
    }

    static func refusal(
        _ headers: HTTPHeaders,
        _ message: String = "API rate limit exceeded for 137.132.228.5.",
        page: String = "rest"
    ) -> ScriptedServer.Response {
        let address = "https://docs.github.com/\(page)"
        return .json(#"{"message":"\#(message)","documentation_url":"\#(address)"}"#, status: 403, headers: headers)
    }

    /// The end of the limit that a read of a profile meets, after the start; `nil` if none.
    static func end(_ container: Container) async -> TimeInterval? {
        do throws(BrowseError) {
            _ = try await container.userRepository().profile(of: .octocat)
        } catch {
            if case .rateLimited(let limit, _) = error { return limit.retryAt.timeIntervalSince(.reports) }
            Issue.record("\(error)")
        }
        return nil
    }
}

/// Which requests a limit stops, for how long, and what a person reads about it.
@MainActor
@Suite(.bounded)
struct `Reports about rate limits` {
    private let server: ScriptedServer
    private let clock = TestClock()
    private let folder = URL.temporaryDirectory.appending(path: "limits-\(UUID())")

    init() { server = ScriptedServer(clock: clock) }

    private func container(at address: String? = nil, ahead: TimeInterval = 0, locale: String = "en_US") -> Container {
        .reports(server, at: address, locale: locale, clock: clock, retries: .standard) {
            ($0.now, $0.cacheFolder) = (clock.now(from: .reports + ahead), folder)
        }
    }

    /// octokit/plugin-throttling.js#599, systemd/systemd#42919
    @Test(arguments: [(-90.0, 30, 1.0), (90, 30, 1), (0, 1800, 28_800)])
    func `a wait is measured by the service's clock, and while the device sleeps`(
        wait: (ahead: TimeInterval, end: Int, sleep: Double)
    ) async {
        let (ahead, end, sleep) = wait
        let headers = Limited.counts("0", after: end, ["Date": "Fri, 15 Jan 2027 08:00:00 GMT"])
        server.on(.get, "/users/octocat", responses: [Limited.refusal(headers), .octocat])
        let container = container(ahead: ahead)
        #expect(await Limited.end(container) == Double(end) + ahead)
        await clock.advance(by: .seconds(29))
        #expect(await Limited.end(container) == Double(end) + ahead)
        await clock.advance(by: .seconds(sleep))
        #expect(await Limited.end(container) == nil && Configuration().clock is ContinuousClock)
    }

    private nonisolated static let secondary = [
        ("You have exceeded a secondary rate limit. Please wait.", "rest"),
        ("You have been temporarily blocked from content creation.", "rest/unknown"),
        ("Too fast.", "rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits"),
        ("Too fast.", "rest/overview/resources-in-the-rest-api#secondary-rate-limits"),
        ("Too fast.", "v3/#abuse-rate-limits"), ("You have triggered an abuse detection mechanism.", "v3"),
    ]

    /// hub4j/github-api#2009, google/go-github#3001, google/go-github#2775
    ///
    /// octokit/plugin-throttling.js#454
    @Test(arguments: secondary)
    func `a secondary limit closes all buckets for a minute, then for two`(message: String, page: String) async {
        let refusal = Limited.refusal(Limited.counts("4990", after: 2400), message, page: page)
        server.on(.get, "/search/users", responses: [refusal, refusal])
        server.on(.get, "/users/octocat", response: .octocat)
        let container = container()
        let search = await container.users(for: "x")
        #expect(search.state.content.status.message?.kind == .rateLimited(until: .reports + 60))
        #expect(await Limited.end(container) == 60 && server.requests.count == 1)
        await clock.advance(by: .seconds(60))
        await search.submit()
        #expect(await Limited.end(container) == 180 && server.requests.count == 2)
        await clock.advance(by: .seconds(120))
        #expect(await Limited.end(container) == nil)
    }

    /// octokit/plugin-throttling.js#629, google/go-github#3001
    @Test func `a secondary limit that a star meets stops the stars and pages behind it`() async throws {
        server.onSession()
        server.on(.get, "/users/octocat/repos", response: .repos(Array(1...6), of: "octocat"))
        let blocked = Limited.refusal(
            Limited.counts("99", after: 3600, ["Retry-After": "60"]),
            "You have been temporarily blocked from content creation."
        )
        for number in 1...6 {
            let response = number == 3 ? blocked : .status(204)
            server.on(.put, "/user/starred/octocat/r\(number)", times: .any, response: response)
        }
        let container = container()
        try await container.signIn("ghp_1234567890")
        let list = await container.repos()
        let taps = list.state.content.rows.map { row in Task { _ = await list.setStar(row.id, to: true) } }
        await clock.run { for tap in taps { await tap.value } }
        #expect(list.state.content.rows.map(\.isStarred) == [true, true, false, false, false, false])
        #expect(server.requests.count { $0.method == .put } == 3 && list.state.notice?.kind != .forbidden)
        let count = server.requests.count
        #expect(await Limited.end(container) != nil && server.requests.count == count)
    }

    private nonisolated static let waits: [(HTTPHeaders, until: ClosedRange<TimeInterval>)] = [
        // vellum-ai/vellum-assistant#3233
        (["Retry-After": "2200000"], 86_400...2_200_000), (["Retry-After": "99999999999999999999"], 60...86_400),
        // e2b-dev/E2B#1797
        (["Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT"], 60...60),
        (["Retry-After": "Fri, 15 Jan 2027 07:00:00 GMT"], 0...2),
        // fedora-infra/anitya#832
        (["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0"], 60...61),
        // xdevplatform/twitter-python-ads-sdk#280
        (["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1799999170"], 0...2),
        // integrations/terraform-provider-github#1153
        (["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800003300"], 3300...3300),
    ]

    @Test(arguments: waits.indices)
    func `a limit fails at once, until a time that isn't past`(index: Int) async throws {
        let (headers, until) = Self.waits[index]
        server.on(.get, "/users/octocat", responses: [Limited.refusal(.gitHub(headers)), .octocat])
        // The service's clock has whole seconds.
        let container = container(ahead: 0.2)
        let model = await container.profile()
        let message = model.state.content.status.message
        guard case .rateLimited(let end) = message?.kind else { throw CancellationError() }
        #expect(until.lowerBound...(until.upperBound + 0.3) ~= end.timeIntervalSince(.reports))
        #expect(message?.text.contains("1970") == false)
        await clock.advance(by: .seconds(max(1, end.timeIntervalSince(.reports) - 0.2)))
        #expect(await Limited.end(container) == nil)
    }

    /// mozilla/agithub#57
    @Test(arguments: [true, false])
    func `a limit of searches isn't one of other reads, and vice versa`(isSearch: Bool) async {
        let headers = Limited.counts("0", after: 3600, ["X-RateLimit-Resource": isSearch ? "search" : "core"])
        let refusal = Limited.refusal(headers)
        let found = ScriptedServer.Response.json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#)
        server.on(.get, "/search/users", response: isSearch ? refusal : found)
        server.on(.get, "/users/octocat", response: isSearch ? .octocat : refusal)
        server.on(.get, "/users/octocat/followers", times: .any, response: .json("[]"))
        let container = container()
        if !isSearch { #expect(await Limited.end(container) != nil) }
        let search = await container.users(for: "x")
        #expect((search.state.content.status.message?.kind == .empty) == !isSearch)
        if isSearch { #expect(await Limited.end(container) == nil) }
        let list = await container.followers()
        #expect((list.state.content.status.message?.kind == .empty) == isSearch)
    }

    /// vermiculus/magithub#104, hub4j/github-api#802, githubexporter/github-exporter#17
    @Test(arguments: [true, false])
    func `a server without a report of its limits, or without any, works`(isLimited: Bool) async {
        let json = #"{"message":"Rate limiting is not enabled."}"#
        let none = ScriptedServer.Response.json(json, status: 404, headers: .gitHub)
        let reports = server.on(.get, "/api/v3/rate_limit", response: none)
        let empty: HTTPHeaders = ["X-RateLimit-Limit": "", "X-RateLimit-Remaining": "", "X-RateLimit-Reset": ""]
        let left = Monitor([1, 2])
        let profiles = server.compute(.get, "/api/v3/users/octocat") { _ in
            let remaining = left.withLock { $0.popLast() ?? 0 }
            return .octocat(isLimited ? Limited.counts("\(remaining)") : empty)
        }
        let container = container(at: "https://ghe.example")
        #expect((try? await container.gitHubRateLimits().refresh())?.isEmpty ?? true)
        for _ in 0..<3 { #expect(await Limited.end(container) == nil) }
        #expect((await Limited.end(container) == 3600) == isLimited)
        let statuses = await container.gitHubRateLimits().statuses
        #expect(statuses.map(\.remaining) == (isLimited ? [0] : []))
        guard isLimited else { return }
        // A person may ask, and is answered by the server each time.
        let model = await container.profile()
        let asked = reports.requests.count
        for _ in 0..<3 {
            await clock.advance(by: .seconds(10))
            await model.refresh()
        }
        #expect(reports.requests.count <= asked + 1 && profiles.requests.count > 3)
    }

    /// james-6-23/codex2api#376
    @Test func `a late answer to an earlier request doesn't end a limit`() async {
        server.on(.get, "/users/a", response: .octocat(Limited.counts("1")).held())
        server.on(.get, "/users/octocat", response: Limited.refusal(Limited.counts("0")))
        let container = container()
        let first = Task { _ = try? await container.userRepository().profile(of: GitHub.Login("a")) }
        await server.waitForRequests(1)
        #expect(await Limited.end(container) == 3600)
        server.release()
        await first.value
        #expect(await Limited.end(container) == 3600 && server.requests.count == 2)
        #expect(await container.gitHubRateLimits().statuses.map(\.remaining) == [0])
    }

    // MARK: People

    /// nusmodifications/nusmods#171
    @Test(arguments: ["en_US", "ko_KR"])
    func `the limit of an address isn't blamed on the person, who can sign in`(locale: String) async {
        server.on(.get, "/users/octocat", response: Limited.refusal(Limited.counts("0")))
        let container = container(locale: locale)
        for _ in 0..<2 {
            let message = await container.profile().state.content.status.message
            #expect(message?.kind == .rateLimited(until: .reports + 3600))
            #expect(message?.text.contains(locale == "ko_KR" ? "로그인" : "Sign in") == true)
            #expect(message?.text.contains(locale == "ko_KR" ? "네트워크" : "network") == true)
        }
        #expect(server.requests.count == 1)
    }

    /// itsoltech/canopy-desktop#344, sourcegraph/sourcegraph-public-snapshot#2781
    @Test func `a limit is its account's, and another token of the account asks once`() async throws {
        let isLimited = Monitor(false)
        server.compute(.get, "/user") { request in
            let isB = request.headers["Authorization"]?.contains("ghp_b") == true
            guard !isLimited.value || isB else { return Limited.refusal(Limited.counts("0")) }
            return isB ? .user(2, "u2") : .user(1, "u1")
        }
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        server.on(.get, "/users/octocat", responses: [Limited.refusal(Limited.counts("0")), .octocat])
        let container = container()
        let session = container.gitHubSession()
        try await container.signIn("ghp_a1_1234567890")
        #expect(await Limited.end(container) == 3600)
        isLimited.withLock { $0 = true }
        try await session.signOut()
        try await container.signIn("ghp_b_1234567890")
        #expect(await Limited.end(container) == nil)
        let count = server.requests.count
        let model = await container.paste("ghp_a2_1234567890")
        #expect(model.state.message?.kind == .rateLimited(until: .reports + 3600), "\(model.state)")
        #expect(server.requests.count == count + 1 && session.current.user?.login == GitHub.Login("u2"))
    }

    /// microsoft/vscode#42545
    @Test func `a limited search says so, sends nothing, and then searches for the last text`() async {
        let refusal = Limited.refusal(Limited.counts("0", after: 40, ["X-RateLimit-Resource": "search"]))
        let found = ScriptedServer.Response.json(#"{"total_count":1,"incomplete_results":false,"items":[]}"#)
        let searches = server.on(.get, "/search/users", responses: [refusal, found])
        server.on(.get, "/rate_limit", times: .any, response: .status(404, headers: .gitHub))
        let search = await container().users(for: "hidden")
        for text in ["hidden b", "hidden brook"] {
            search.query.text = text
            await clock.run { await search.submit() }
            #expect(search.state.content.status.message?.kind == .rateLimited(until: .reports + 40))
        }
        #expect(searches.requests.count == 1)
        await clock.advance(by: .seconds(40))
        await search.retry()
        #expect(searches.requests.count == 2 && searches.requests.last?.item("q") == "hidden brook")
    }

    /// cli/go-gh#216
    @Test func `the count of a stored page is history`() async {
        let next = Limited.counts("59", after: 99_999)
        server.on(.get, "/users/octocat", responses: [.octocat(Limited.counts("0", after: 60)), .octocat(next)])
        _ = await container().profile()
        let later = container(ahead: 18_000)
        _ = await later.profile()
        #expect(server.requests.count == 2)
        #expect(await later.gitHubRateLimits().statuses.map(\.remaining) == [59])
    }

    // Sources of the tests below: gitify-app/gitify#2867, octokit/plugin-throttling.js#462, cli/cli#6205.

    private func report(_ remaining: Int, status: Int = 200) -> ScriptedServer.Response {
        let json = #"{"resources":{"core":{"limit":60,"remaining":\#(remaining),"reset":1800003600}}}"#
        return .json(json, status: status, headers: .gitHub)
    }

    @Test(arguments: [200, 404], ["retry", "refresh"])
    func `Try Again asks first on another network, once in ten seconds`(status: Int, how: String) async {
        let profiles = server.on(.get, "/users/octocat", responses: [Limited.refusal(Limited.counts("0")), .octocat])
        let reports = server.on(.get, "/rate_limit", responses: [report(0), report(59, status: status)])
        let model = await Container.reports(server, clock: clock, isCaching: false).profile()
        func again() async { if how == "retry" { await model.retry() } else { await model.refresh() } }
        await again()
        await again()
        #expect(reports.requests.count == 1 && profiles.requests.count == 1)
        await clock.advance(by: .seconds(10))
        await again()
        #expect(model.state.content.details?.name == "Octo" && profiles.requests.count == 2)
    }

    @Test func `the count of a shared cache's copy isn't learned, and its wait is shorter`() async {
        let old = Limited.counts("0", after: -30, ["Age": "3600", "Date": "Fri, 15 Jan 2027 07:00:00 GMT"])
        let counts = Limited.counts("9", after: 60, ["Age": "50", "Retry-After": "60"])
        let refusal = ScriptedServer.Response.json("{}", status: 429, headers: counts)
        server.on(.get, "/users/octocat", responses: [.octocat(old), refusal, .octocat])
        let container = Container.reports(server, clock: clock, isCaching: false)
        #expect(await Limited.end(container) == nil)
        #expect(await Limited.end(container) != nil)
        await clock.advance(by: .seconds(10))
        #expect(await Limited.end(container) == nil)
    }

    /// AvdLee/appstoreconnect-swift-sdk#236: a proxy repeats each field.
    @Test(
        arguments: [
            ["Retry-After": "1200, 1200"],
            ["X-RateLimit-Remaining": "0, 0", "X-RateLimit-Reset": "1800001200, 1800001200"],
        ] as [HTTPHeaders]
    )
    func `a field that came twice with one value has that value`(fields: HTTPHeaders) async {
        let date = "Fri, 15 Jan 2027 08:00:00 GMT"
        var headers = HTTPHeaders.gitHub(["Date": "\(date), \(date)", "X-RateLimit-Resource": "core, core"])
        for (name, value) in fields.fields { headers[name] = value }
        server.on(.get, "/users/octocat", response: Limited.refusal(headers))
        let container = Container.reports(server, clock: clock, isCaching: false)
        for _ in 0..<2 { #expect(await Limited.end(container) == 1200) }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [1_800_003_600_000, 4_102_444_800])
    func `a wrong far reset is replaced by the next count`(reset: Int) async {
        let wrong = Limited.counts("59", after: reset - 1_800_000_000)
        let right = Limited.counts("0", after: 60)
        server.on(.get, "/users/octocat", responses: [.octocat(wrong), .octocat(right), .octocat])
        let container = Container.reports(server, clock: clock, isCaching: false)
        for _ in 0..<2 { #expect(await Limited.end(container) == nil) }
        #expect(await Limited.end(container) == 60)
        await clock.advance(by: .seconds(60))
        #expect(await Limited.end(container) == nil)
    }
}
