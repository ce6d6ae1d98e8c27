import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

private let octocat = GitHub.Login("octocat")
private let profile = #"{"id":1,"login":"octocat","type":"User","name":"Octo"}"#
private let start = Limited.start

/// GitHub's words about a limit, at a fixed time.
enum Limited {
    /// Fri, 15 Jan 2027 08:00:00 GMT.
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    static func counts(_ remaining: String, after seconds: Int? = 3600, _ more: HTTPHeaders = [:]) -> HTTPHeaders {
        var headers = more
        headers["X-GitHub-Request-Id"] = "A:1"
        (headers["X-RateLimit-Limit"], headers["X-RateLimit-Remaining"]) = ("60", remaining)
        headers["X-RateLimit-Reset"] = seconds.map { "\(1_800_000_000 + $0)" }
        return headers
    }

    static func refusal(
        _ headers: HTTPHeaders,
        _ message: String = "API rate limit exceeded for 137.132.228.5.",
        page: String = "https://docs.github.com/rest"
    ) -> ScriptedServer.Response {
        .json(#"{"message":"\#(message)","documentation_url":"\#(page)"}"#, status: 403, headers: headers)
    }

    /// The end of the limit that a read of a profile meets, after the start; `nil` if it meets none.
    static func end(_ container: Container) async -> TimeInterval? {
        do throws(BrowseError) {
            _ = try await container.userRepository().profile(of: octocat)
        } catch {
            if case .rateLimited(let limit, _) = error { return limit.retryAt.timeIntervalSince(start) }
            Issue.record("\(error)")
        }
        return nil
    }
}

/// Which requests a limit stops, and for how long.
@MainActor
@Suite(.bounded)
struct `Reports about rate limits` {
    private let server: ScriptedServer
    private let clock = TestClock()

    init() { server = ScriptedServer(clock: clock) }

    private func container(
        ahead: TimeInterval = 0,
        enterprise: Bool = false,
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> Container {
        .reports(server) {
            ($0.clock, $0.now, $0.retries) = (clock, clock.now(from: start + ahead), .standard)
            if enterprise, let url = URL(string: "https://ghe.example") { $0.gitHub = GitHubSettings(server: url) }
            change(&$0)
        }
    }

    /// octokit/plugin-throttling.js#599
    @Test(arguments: [-90.0, 90]) func `a wait is measured by the service's clock`(ahead: TimeInterval) async {
        let headers = Limited.counts("0", after: 30, ["Date": "Fri, 15 Jan 2027 08:00:00 GMT"])
        server.on(.get, "/users/octocat", responses: [Limited.refusal(headers), .json(profile)])
        let container = container(ahead: ahead)
        #expect(await Limited.end(container) == 30 + ahead)
        await clock.advance(by: .seconds(29))
        #expect(await Limited.end(container) == 30 + ahead)
        await clock.advance(by: .seconds(1))
        #expect(await Limited.end(container) == nil)
    }

    private nonisolated static let secondary = [
        ("You have exceeded a secondary rate limit. Please wait.", "rest"),
        ("You have been temporarily blocked from content creation.", "rest/unknown"),
        ("Too fast.", "rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits"),
        ("Too fast.", "rest/overview/resources-in-the-rest-api#secondary-rate-limits"),
        ("Too fast.", "v3/#abuse-rate-limits"), ("You have triggered an abuse detection mechanism.", "v3"),
    ]

    // hub4j/github-api#2009, google/go-github#3001, google/go-github#2775
    /// octokit/plugin-throttling.js#454
    @Test(arguments: secondary) func `a secondary limit closes all buckets for a minute, then for two`(
        message: String,
        page: String
    ) async {
        let refusal = Limited.refusal(
            Limited.counts("4990", after: 2400),
            message,
            page: "https://docs.github.com/\(page)"
        )
        server.on(.get, "/search/users", responses: [refusal, refusal])
        server.on(.get, "/users/octocat", response: .json(profile))
        let container = container()
        let search = container.userSearchViewModel()
        search.query.text = "x"
        await search.submit()
        #expect(search.state.content.status.message?.kind == .rateLimited(until: start + 60))
        #expect(await Limited.end(container) == 60 && server.requests.count == 1)
        await clock.advance(by: .seconds(60))
        await search.submit()
        #expect(await Limited.end(container) == 180 && server.requests.count == 2)
        await clock.advance(by: .seconds(120))
        #expect(await Limited.end(container) == nil)
    }

    /// octokit/plugin-throttling.js#629, google/go-github#3001
    @Test func `a secondary limit that a star meets stops the stars and pages behind it`() async throws {
        server.on(.get, "/user", times: .any, response: .json(profile))
        server.on(.get, "/user/starred", times: .any, response: .json("[]"))
        let rows = (1...6).map { #"{"id":\#($0),"name":"r\#($0)","full_name":"octocat/r\#($0)"}"# }
        server.on(.get, "/users/octocat/repos", response: .json("[\(rows.joined(separator: ","))]"))
        let blocked = Limited.refusal(
            Limited.counts("99", after: 3600, ["Retry-After": "60"]),
            "You have been temporarily blocked from content creation."
        )
        for number in 1...6 {
            let response = number == 3 ? blocked : .status(204)
            server.on(.put, "/user/starred/octocat/r\(number)", times: .any, response: response)
        }
        let container = container { $0.gitHub.token = try? Secret("ghp_1234567890") }
        await container.gitHubSession().start()
        let list = container.repoListViewModel()
        await list.show(.publicRepos(of: octocat))
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

    @Test(arguments: waits.indices) func `a limit fails at once, until a time that isn't past`(index: Int) async {
        let (headers, until) = Self.waits[index]
        let own = headers.fields.reduce(into: HTTPHeaders.gitHub) { $0[$1.key] = $1.value }
        server.on(.get, "/users/octocat", responses: [Limited.refusal(own), .json(profile)])
        // The service's clock has whole seconds.
        let container = container(ahead: 0.2)
        let model = container.userProfileViewModel()
        await model.show(octocat)
        guard case .rateLimited(let end) = model.state.content.status.message?.kind else {
            Issue.record("\(model.state.content.status)")
            return
        }
        #expect(until.lowerBound...(until.upperBound + 0.3) ~= end.timeIntervalSince(start))
        #expect(model.state.content.status.message?.text.contains("1970") == false)
        await clock.advance(by: .seconds(max(1, end.timeIntervalSince(start) - 0.2)))
        #expect(await Limited.end(container) == nil)
    }

    /// mozilla/agithub#57
    @Test(arguments: [true, false]) func `a limit of searches isn't one of other reads, and vice versa`(isSearch: Bool)
        async
    {
        let refusal = Limited.refusal(
            Limited.counts("0", after: 3600, ["X-RateLimit-Resource": isSearch ? "search" : "core"])
        )
        let found = ScriptedServer.Response.json(#"{"total_count":0,"incomplete_results":false,"items":[]}"#)
        server.on(.get, "/search/users", response: isSearch ? refusal : found)
        server.on(.get, "/users/octocat", response: isSearch ? .json(profile) : refusal)
        server.on(.get, "/users/octocat/followers", times: .any, response: .json("[]"))
        let container = container()
        let search = container.userSearchViewModel()
        search.query.text = "x"
        if !isSearch { #expect(await Limited.end(container) != nil) }
        await search.submit()
        if isSearch { #expect(await Limited.end(container) == nil) }
        let list = container.followerListViewModel()
        await list.show(.followers(of: octocat))
        #expect((list.state.content.status.message?.kind == .empty) == isSearch)
    }

    /// vermiculus/magithub#104, hub4j/github-api#802, githubexporter/github-exporter#17
    @Test(arguments: [true, false]) func `a server without a report of its limits, or without any, works`(
        isLimited: Bool
    )
        async throws
    {
        let none = ScriptedServer.Response.json(
            #"{"message":"Rate limiting is not enabled."}"#,
            status: 404,
            headers: .gitHub
        )
        let reports = server.on(.get, "/api/v3/rate_limit", times: .any, response: none)
        let empty: HTTPHeaders = ["X-RateLimit-Limit": "", "X-RateLimit-Remaining": "", "X-RateLimit-Reset": ""]
        let left = Monitor(3)
        let profiles = server.on(
            .get,
            "/api/v3/users/octocat",
            times: .any,
            response: .computed { _ in
                let remaining = left.withLock { left -> Int in
                    left -= 1
                    return left
                }
                return .json(profile, headers: isLimited ? Limited.counts("\(max(0, remaining))") : empty)
            }
        )
        let container = container(enterprise: true)
        #expect((try? await container.gitHubRateLimits().refresh())?.isEmpty ?? true)
        for _ in 0..<3 { #expect(await Limited.end(container) == nil) }
        #expect((await Limited.end(container) == 3600) == isLimited)
        let statuses = await container.gitHubRateLimits().statuses
        #expect(statuses.map(\.remaining) == (isLimited ? [0] : []))
        guard isLimited else { return }
        // A person may ask, and is answered by the server each time.
        let model = container.userProfileViewModel()
        await model.show(octocat)
        let asked = reports.requests.count
        for _ in 0..<3 {
            await clock.advance(by: .seconds(10))
            await model.refresh()
        }
        #expect(reports.requests.count <= asked + 1 && profiles.requests.count > 3)
    }

    /// ietf-wg-httpapi/ratelimit-headers#97
    @Test(arguments: [
        ("-1", "1800003600"), ("many", "1800003600"), ("0x0", "1800003600"), ("", ""), ("4999.0", "1800003600"),
        ("0", "soon"), ("0", "1e12"), ("4999, 4998", "1800003600"),
    ])
    func `malformed counts are ignored`(remaining: String, reset: String) async {
        var headers = Limited.counts(remaining)
        headers["X-RateLimit-Reset"] = reset
        server.on(.get, "/users/octocat", times: .any, response: .json(profile, headers: headers))
        let container = container()
        for _ in 0..<2 { #expect(await Limited.end(container) == nil) }
        #expect(await container.gitHubRateLimits().statuses.isEmpty)
    }

    /// james-6-23/codex2api#376
    @Test func `a late answer to an earlier request doesn't end a limit`() async {
        server.on(.get, "/users/a", response: .json(profile, headers: Limited.counts("1")).held())
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

    /// systemd/systemd#42919
    @Test func `a limit ends while the device sleeps`() async {
        server.on(
            .get,
            "/users/octocat",
            responses: [Limited.refusal(Limited.counts("0", after: 1800)), .json(profile)]
        )
        let container = container()
        #expect(await Limited.end(container) == 1800)
        await clock.advance(by: .seconds(8 * 3600))
        #expect(await Limited.end(container) == nil)
        #expect(Configuration().clock is ContinuousClock)
    }

    /// integrations/terraform-provider-github#290
    @Test func `a confirmation counts`() async {
        let tag: HTTPHeaders = ["ETag": "\"a\""]
        let page = ScriptedServer.Response.json(profile, headers: Limited.counts("1", after: 3600, tag))
        server.on(
            .get,
            "/users/octocat",
            responses: [page, .status(304, headers: Limited.counts("0", after: 3600, tag))]
        )
        let container = container()
        for _ in 0..<2 { #expect(await Limited.end(container) == nil) }
        #expect(await Limited.end(container) == 3600 && server.requests.count == 2)
    }
}
