import BrowseDomain
import BrowseGitHubData
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

import BrowseData

@Suite(.bounded)
struct `What a rate limit gate learns from responses` {
    private let clock = TestClock()
    private let service: HTTPClient.Service
    private let shared: HTTPClient.SharedMiddleware
    private let gate: RateLimitGate
    private let held = ControlledResponses<HTTPClient.Request, HTTPClient.Response>()

    init() {
        let now = { @Sendable [clock] in testNow + clock.now.offset / .seconds(1) }
        var service = HTTPClient.Service.sample()
        service.rateLimitReport = .gitHubRateLimits
        self.service = service
        shared = HTTPClient.SharedMiddleware(
            of: service,
            options: .init { [clock] in
                $0.now = now
                $0.clock = clock
            }
        )
        gate = shared.rateLimits
    }

    private static func headers(
        _ remaining: Int,
        of limit: Int = 60,
        resetsAfter seconds: Int,
        bucket: String? = nil
    ) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(remaining)",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + seconds)",
        ]
        headers["X-RateLimit-Resource"] = bucket
        return headers
    }

    /// Sends a request, to which the service responds at once.
    private func send(
        _ request: HTTPClient.Request = .sample(),
        _ status: Int = 200,
        _ headers: HTTPHeaders = [:],
        body: String = ""
    ) async throws {
        _ = try await gate.send(request) { request throws(BrowseError) in
            HTTPClient.Response(status: status, headers: headers, body: Data(body.utf8), url: request.url)
        }
    }

    /// heroku/platform-api#112
    @Test func `each account may ask, whatever another one has asked`() async throws {
        let asked = Monitor<[String?]>([])
        let reset = Int(testNow.timeIntervalSince1970) + 3600
        let json = #"{"resources":{"core":{"limit":60,"remaining":9,"reset":\#(reset)}}}"#
        for account in ["a", "b"] {
            var request = HTTPClient.Request.sample(account: account)
            try await send(request, 200, Self.headers(0, resetsAfter: 3600))
            request.options.isRetry = true
            _ = try await gate.send(request) { request throws(BrowseError) in
                asked.withLock { $0.append(request.account) }
                return HTTPClient.Response(status: 200, body: Data(json.utf8), url: request.url)
            }
        }
        #expect(asked.value == ["a", "a", "b", "b"])
    }

    @Test func `a question without an answer is asked again, and ends with its canceled caller`() async throws {
        try await send(.sample(), 200, Self.headers(0, resetsAfter: 3600))
        var request = HTTPClient.Request.sample()
        request.options.isRetry = true
        let sending = { @Sendable [gate, held, request] in
            await thrown { () throws(BrowseError) in
                try await gate.send(request) { request throws(BrowseError) in try await held.response(to: request) }
            }
        }
        let canceled = Task { await sending() }
        await held.waitForRequests(1)
        canceled.cancel()
        #expect(await canceled.value == .cancelled)
        held.answer(1, with: .failure(.timedOut(request.info)))
        guard case .rateLimited = await sending() else {
            Issue.record("sent")
            return
        }
        let task = Task { await sending() }
        await held.waitForRequests(3)
        #expect(held.requests.allSatisfy { $0.endpoint == "GET /rate_limit" })
        answer(2, status: 404)
        await held.waitForRequests(4)
        answer(3)
        #expect(await task.value == nil)
    }

    private func answer(_ index: Int, status: Int = 200) {
        let response = HTTPClient.Response(status: status, url: held.requests[index].url)
        held.answer(index, with: .success(response))
    }

    /// The limit with which a request fails instead of being sent; `nil` if it's sent.
    private func limit(of request: HTTPClient.Request = .sample()) async -> BrowseError.RateLimit? {
        let transport = FakeTransport(statuses: 200)
        let error = await thrown { () throws(BrowseError) in try await transport.send(request, through: gate) }
        guard case .rateLimited(let limit, let info) = error else { return nil }
        #expect(transport.requests.isEmpty && info == request.info)
        return limit
    }

    /// The seconds until requests are sent again; 0 if they are.
    private func pause(of request: HTTPClient.Request = .sample()) async -> Double {
        await limit(of: request)?.retryAt.timeIntervalSince(testNow + clock.now.offset / .seconds(1)) ?? 0
    }

    @Test func `sends nothing into an empty bucket before the reset`() async throws {
        try await send(.sample(), 304, Self.headers(0, resetsAfter: 100))
        #expect(await limit() == .init(kind: .primary, retryAt: testNow + 100, isServerTime: true))
        #expect(await pause(of: .sample("/b", method: .put, priority: .prefetch)) == 100)
        // Other buckets and accounts, and requests that don't count.
        for request in [.sample(bucket: "search"), .sample(account: "a"), HTTPClient.Request.sample(bucket: nil)] {
            #expect(await limit(of: request) == nil)
        }
        await clock.advance(by: .seconds(99.5))
        #expect(await pause() == 0.5)
        await clock.advance(by: .seconds(0.5))
        #expect(await limit() == nil)
    }

    @Test func `reports the count of each bucket`() async throws {
        #expect(gate.statuses(of: nil).isEmpty)
        try await send(.sample(bucket: "search"), 200, Self.headers(9, of: 10, resetsAfter: 60))
        try await send(.sample(), 200, Self.headers(58, resetsAfter: 100))
        try await send(.sample(account: "a"), 200, Self.headers(3, resetsAfter: 9))
        try await send(.sample(), 429, ["Retry-After": "30"])
        var core = RateLimitStatus(bucket: "core", limit: 60, remaining: 58, resetsAt: testNow + 100)
        var search = RateLimitStatus(bucket: "search", limit: 10, remaining: 9, resetsAt: testNow + 60)
        core.pausedUntil = testNow + 30
        search.pausedUntil = core.pausedUntil
        #expect(gate.statuses(of: nil) == [core, search])
        await clock.advance(by: .seconds(60))
        core.pausedUntil = nil
        search = RateLimitStatus(bucket: "search", limit: 10, remaining: 10, resetsAt: search.resetsAt)
        #expect(gate.statuses(of: nil) == [core, search])
    }

    /// Discord sends it.
    @Test func `ends at a reset with a fraction`() async throws {
        var headers = Self.headers(0, resetsAfter: 60)
        headers["X-RateLimit-Reset"]?.append(".500")
        try await send(.sample(), 200, headers)
        #expect(await pause() == 60.5)
    }

    /// RocketChat/docs-old#1358, vercel/vercel#14947
    @Test func `ends at a reset in milliseconds`() async throws {
        var headers = Self.headers(0, resetsAfter: 60)
        headers["X-RateLimit-Reset"]?.append("000")
        try await send(.sample(), 200, headers)
        #expect(await pause() == 60)
    }

    /// superseriousbusiness/gotosocial#2129
    @Test(arguments: [
        "2026-01-02T03:05:05Z", "2026-01-02T03:05:05.000Z", "2026-01-02T03:05:05.000000Z", "2026-01-02T03:05:05+00:00",
        "2026-01-02T05:05:05+02:00",
    ])
    func `ends at a reset in ISO 8601, as Mastodon sends it`(reset: String) async throws {
        var headers = Self.headers(0, resetsAfter: 0)
        headers["X-RateLimit-Reset"] = reset
        #expect(BrowseError.RateLimit(headers, now: testNow).retryAt == testNow + 60)
        try await send(.sample(), 200, headers)
        #expect(await pause() == 60)
    }

    /// X and Okta send the first, GitLab and Twitch the second.
    @Test(arguments: ["X-Rate-Limit-", "RateLimit-"])
    func `ends at the reset in fields with another prefix`(prefix: String) async throws {
        var headers = HTTPHeaders()
        for (name, value) in [("Limit", "800"), ("Remaining", "0"), ("Reset", "90")] { headers[prefix + name] = value }
        #expect(BrowseError.RateLimit(headers, now: testNow).retryAt == testNow + 90)
        try await send(.sample(), 200, headers)
        #expect(await pause() == 90)
        #expect(gate.statuses(of: nil).map(\.limit) == [800])
    }

    /// Envoy sends the first, with a list of policies, and Docker Hub the second.
    ///
    /// ietf-wg-httpapi/ratelimit-headers#82
    @Test(arguments: [["100, 10;w=1, 100;w=60", "0"], ["100 ;w=21600", "0;w=21600"]])
    func `ends at the reset in fields with policies`(fields: [String]) async throws {
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": fields[0], "X-RateLimit-Remaining": fields[1], "X-RateLimit-Reset": "90",
        ]
        #expect(BrowseError.RateLimit(headers, now: testNow).retryAt == testNow + 90)
        try await send(.sample(), 200, headers)
        #expect(await pause() == 90)
        #expect(gate.statuses(of: nil).map(\.limit) == [100])
    }

    /// zalando/restful-api-guidelines#379, appdotnet/api-spec#185
    @Test(arguments: [nil, "Fri, 02 Jan 2026 04:04:05 GMT"])
    func `ends at a reset in seconds from then, whatever the server's clock`(serverDate: String?) async throws {
        var headers: HTTPHeaders = ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "90"]
        headers["Date"] = serverDate
        try await send(.sample(), 200, headers)
        headers["X-RateLimit-Remaining"] = "0"
        try await send(.sample(), 200, headers)
        #expect(await pause() == 90)
        #expect(gate.statuses(of: nil).map(\.resetsAt) == [testNow + 90])
    }

    /// ietf-wg-httpapi/ratelimit-headers#97
    @Test(arguments: [
        ["60", "-1", "9999999999"], ["60", "0", "soon"], ["60", "0", "-1"], ["99999999999999999999", "0", "1"],
        ["", "0", "9999999999"], ["-5", "0", "9999999999"], ["60", "many", "9999999999"], ["60", "0x0", "9999999999"],
        ["60", "", ""], ["60", "4999.0", "9999999999"], ["60", "0", "1e12"], ["60", "4999, 4998", "9999999999"],
    ])
    func `isn't changed by invalid headers`(fields: [String]) async throws {
        var headers = HTTPHeaders()
        for (name, value) in zip(["Limit", "Remaining", "Reset"], fields) { headers["X-RateLimit-" + name] = value }
        try await send(.sample(), 200, headers)
        #expect(await limit() == nil)
        #expect(gate.statuses(of: nil).isEmpty)
    }

    /// Numbers that no service means, from a header, a body, and a service's own errors.
    @Test(arguments: ["-1e300", "1e300", "-1e18", "1e18", "-1", "0", "9223372036854775807", "1.5"])
    func `never lasts longer than a day`(number: String) async throws {
        let digits = number.filter(\.isNumber) + String(repeating: "9", count: 400)
        try await send(
            .sample("/header"),
            200,
            ["X-RateLimit-Limit": "9", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": digits]
        )
        #expect(await pause() == 86_400)
        let body = #"{"resources":{"body":{"limit":60,"remaining":0,"reset":\#(number)}}}"#
        let client = HTTPClient(
            service: service,
            transport: FakeTransport(headers: [:], json: body),
            middleware: [gate]
        )
        let limits = shared.rateLimits(of: client, report: .gitHubRateLimits)
        _ = try await limits.refresh()
        #expect(await (0...86_400).contains(pause(of: .sample(bucket: "body"))))
        await clock.advance(by: .seconds(86_400))
        for bucket in ["core", "body"] { #expect(await limit(of: .sample(bucket: bucket)) == nil) }
        // The next response corrects the count.
        try await send(.sample(), 200, Self.headers(0, resetsAfter: 86_500))
        #expect(await pause() == 100)
    }

    @Test(arguments: [
        ("0", 1), ("7", 7), ("99999999999", 86_400), ("Fri, 02 Jan 2026 03:05:05 GMT", 60),
        ("Fri, 02 Jan 1970 03:05:05 GMT", 1), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("-7", 60), ("soon", 60),
        ("1e3", 60), ("", 60),
    ])
    func `is the time in a refusal, from a second to a day, by default a minute`(text: String, seconds: Double)
        async throws
    {
        try await send(.sample(), 429, ["Retry-After": text])
        #expect(await pause() == seconds)
        #expect(await pause(of: .sample(bucket: "search")) == seconds)
        #expect(await limit(of: .sample(account: "a")) == nil)
    }

    @Test func `isn't a rate limit if a service forbids something`() async throws {
        try await send(.sample(), 403)
        try await send(.sample(), 503, ["Retry-After": "60"])
        #expect(await limit() == nil)
    }

    @Test func `is a longer pause after each secondary limit without a time, up to 15 minutes`() async throws {
        let body = #"{"message":"You have exceeded a secondary rate limit."}"#
        for (round, seconds) in [60.0, 120, 240, 480, 900, 900].enumerated() {
            var tasks: [Task<BrowseError?, Never>] = []
            for path in ["/1", "/2"] {
                let task = Task { [gate, held] in
                    await thrown { () throws(BrowseError) in
                        try await gate.send(.sample(path)) { request throws(BrowseError) in
                            try await held.response(to: request)
                        }
                    }
                }
                tasks.append(task)
                await held.waitForRequests(2 * round + tasks.count)
            }
            try await send(.sample("/c"), 403, body: body)
            #expect(await limit()?.kind == .secondary)
            #expect(await pause(of: .sample(bucket: "search")) == seconds)
            // Those that were in flight with it count once.
            answer(2 * round, status: 429)
            answer(2 * round + 1)
            for task in tasks { _ = await task.value }
            #expect(await pause() == seconds)
            await clock.advance(by: .seconds(seconds))
        }
        try await send()
        try await send(.sample(), 403, body: body)
        #expect(await pause() == 60)
    }

    @Test func `is nothing from a 401 that the service didn't send, because the token is being replaced`() async throws
    {
        let grant = AccessGrant(account: "mona", token: try Secret("old"))
        let (account, authorization) = (
            RequestAccount(for: service.baseURL, tokens: grant), Authorization(tokens: grant)
        )
        let transport = FakeTransport(statuses: 401)
        let request = HTTPClient.Request.sample(account: "mona")
        func sendAuthorized() async throws -> Int {
            try await account.send(request) { [gate] request throws(BrowseError) in
                try await gate.send(request) { request throws(BrowseError) in
                    try await authorization.send(request) { request throws(BrowseError) in
                        try await transport.send(request)
                    }
                }
            }
            .status
        }
        let body = #"{"message":"You have exceeded a secondary rate limit."}"#
        #expect(try await sendAuthorized() == 401)
        try await send(request, 403, body: body)
        #expect(await pause(of: request) == 60)
        await clock.advance(by: .seconds(60))
        #expect(try await sendAuthorized() == 401)
        #expect(transport.requests.count == 1)
        try await send(request, 403, body: body)
        #expect(await pause(of: request) == 120)
    }

    @Test func `ignores the count of another bucket than the endpoint's, but not its Retry-After`() async throws {
        try await send(.sample(), 403, Self.headers(0, resetsAfter: 40, bucket: "code_search"))
        #expect(await limit() == nil)
        #expect(gate.statuses(of: nil).isEmpty)
        try await send(.sample(), 200, Self.headers(0, resetsAfter: 90, bucket: "core"))
        #expect(await pause(of: .sample("/b")) == 90)
        try await send(.sample(account: "a"), 429, ["Retry-After": "600", "X-RateLimit-Resource": "api"])
        #expect(await pause(of: .sample(account: "a")) == 600)
    }

    @Test(
        arguments: [
            ("API rate limit exceeded.", 0, 4900, 3600, 0), ("API rate limit exceeded.", 0, 0, 3600, 3600),
            ("You have exceeded a secondary rate limit.", 4990, 4900, 60, 60),
        ] as [(String, Int, Int, Double, Double)]
    )
    func `ends with a report that something remains, unless it's a secondary one`(
        message: String,
        remaining: Int,
        reported: Int,
        before: Double,
        after: Double
    ) async throws {
        let headers = Self.headers(remaining, of: 5000, resetsAfter: 3600)
        try await send(.sample(), 403, headers, body: #"{"message":"\#(message)"}"#)
        #expect(await pause() == before)
        let reset = Int(testNow.timeIntervalSince1970) + 3600
        let body = #"{"resources":{"core":{"limit":5000,"remaining":\#(reported),"reset":\#(reset)}}}"#
        let transport = FakeTransport(headers: [:], json: body)
        let client = HTTPClient(service: service, transport: transport, middleware: [gate])
        _ = try await shared.rateLimits(of: client, report: .gitHubRateLimits).refresh()
        #expect(await pause() == after)
        #expect(gate.statuses(of: nil).map(\.remaining) == [reported])
    }

    @Test func `is stored for a limited number of accounts`() async throws {
        try await send(.sample(), 403, Self.headers(0, resetsAfter: 60))
        #expect(await pause() == 60)
        try await send(.sample(account: "paused"), 429, ["Retry-After": "800"])
        for number in 0..<1200 {
            try await send(.sample(account: "idle \(number)"), 200, Self.headers(59, resetsAfter: 100))
        }
        let known = (0..<1200).filter { !gate.statuses(of: "idle \($0)").isEmpty }
        #expect((1...1000).contains(known.count) && known.last == 1199)
        #expect(await pause(of: .sample(account: "paused")) == 800)
        #expect(await pause() == 60)
    }
}

@Suite(.bounded)
struct `The rate limits of an account` {
    private let shared = HTTPClient.SharedMiddleware(
        of: .sample(),
        options: .init {
            $0.now = { testNow }
            $0.clock = TestClock()
        }
    )
    private let account = Monitor<String?>("one")
    private let held = ControlledResponses<HTTPClient.Request, HTTPClient.Response>()

    private struct Tokens: AccessTokens {
        let account: Monitor<String?>

        func currentGrant() async throws(BrowseError) -> AccessGrant? {
            guard let name = account.value, let token = try? Secret("token-\(name)") else { return nil }
            return AccessGrant(account: name, token: token)
        }
    }

    private var gate: RateLimitGate { shared.rateLimits }

    private var limits: any RateLimitStatusRepository {
        let transport = FakeTransport { [held] request, _ throws(BrowseError) in try await held.response(to: request) }
        let client = HTTPClient(service: .sample(), transport: transport, middleware: [gate])
        return shared.rateLimits(of: client, tokens: Tokens(account: account), report: .gitHubRateLimits)
    }

    private func send(_ account: String?, _ remaining: Int) async throws {
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "\(remaining)",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + 100)",
        ]
        _ = try await FakeTransport(headers: headers).send(.sample(account: account), through: gate)
    }

    private func answer(_ index: Int, _ remaining: Int, after seconds: Int = 100) {
        let reset = Int(testNow.timeIntervalSince1970) + seconds
        held.answer(
            index,
            with: .success(
                HTTPClient.Response(
                    status: 200,
                    // The service's clock is ten minutes behind.
                    headers: ["Content-Type": "application/json", "Date": "Fri, 02 Jan 2026 02:54:05 GMT"],
                    body: Data(
                        #"{"resources":{"core":{"limit":60,"remaining":\#(remaining),"reset":\#(reset)}}}"#.utf8
                    ),
                    url: held.requests[index].url
                )
            )
        )
    }

    @Test func `are observed without those of others that use the same gate`() async throws {
        var changes = limits.changes.makeAsyncIterator()
        #expect(await changes.next() == [])
        try await send("two", 9)
        try await send("one", 30)
        #expect(await changes.next()?.map(\.remaining) == [30])
        try await send("two", 8)
        try await send("one", 29)
        #expect(await changes.next()?.map(\.remaining) == [29])
        #expect(await limits.statuses.map(\.remaining) == [29])
        account.withLock { $0 = "two" }
        #expect(await limits.statuses.map(\.remaining) == [8])
        try await send("one", 28)
        #expect(await changes.next()?.map(\.remaining) == [8])
        account.withLock { $0 = nil }
        #expect(await limits.statuses == [])
    }

    @Test func `are corrected by a refresh after a response with a wrong time`() async throws {
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + 1_000_000)",
        ]
        _ = try await FakeTransport(headers: headers).send(.sample(account: "one"), through: gate)
        let limits = limits
        let task = Task { try await limits.refresh() }
        await held.waitForRequests(1)
        answer(0, 9)
        let core = RateLimitStatus(bucket: "core", limit: 60, remaining: 9, resetsAt: testNow + 700)
        #expect(try await task.value == [core])
        try await send("one", 8)
    }

    /// The last number is the time of the earlier report's reset, in the same period or another one.
    @Test(arguments: [(0, 59, 100), (0, 59, 9000), (59, 0, 9000)])
    func `are those of the report that was requested last, although an earlier one arrives after it`(
        later: Int,
        earlier: Int,
        reset: Int
    ) async throws {
        let limits = limits
        let first = Task { try await limits.refresh() }
        await held.waitForRequests(1)
        let second = Task { try await limits.refresh() }
        await held.waitForRequests(2)
        answer(1, later)
        _ = try await second.value
        answer(0, earlier, after: reset)
        _ = try await first.value
        #expect(gate.statuses(of: "one").map(\.remaining) == [later])
    }

    @Test(arguments: [true, false])
    func `end a refusal that came before they were requested, and no later one`(isBefore: Bool) async throws {
        // Without a count, so that only the refusal pauses requests.
        let reset = "\(Int(testNow.timeIntervalSince1970) + 3600)"
        let exhausted: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset]
        let refusal = FakeTransport(statuses: 403, headers: exhausted)
        let request = HTTPClient.Request.sample(account: "one")
        let limits = limits
        if isBefore { _ = try await refusal.send(request, through: gate) }
        let refresh = Task { try await limits.refresh() }
        await held.waitForRequests(1)
        if !isBefore { _ = try await refusal.send(request, through: gate) }
        answer(0, 59)
        _ = try await refresh.value
        let error = await thrown { () async throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(request, through: gate)
        }
        #expect((error == nil) == isBefore)
    }

    @Test func `are refreshed, by the local clock, unless the account changes meanwhile`() async throws {
        let limits = limits
        var task = Task { try await limits.refresh() }
        await held.waitForRequests(1)
        answer(0, 0)
        let core = RateLimitStatus(bucket: "core", limit: 60, remaining: 0, resetsAt: testNow + 700)
        #expect(try await task.value == [core])
        #expect(gate.statuses(of: "one") == [core])
        let error = await thrown { () throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(.sample(account: "one"), through: gate)
        }
        guard case .rateLimited = error else {
            Issue.record("It was sent.")
            return
        }

        task = Task { try await limits.refresh() }
        await held.waitForRequests(2)
        account.withLock { $0 = "two" }
        answer(1, 7)
        #expect(try await task.value.map(\.remaining) == [7])
        #expect(gate.statuses(of: "one") == [core] && gate.statuses(of: "two").isEmpty)
    }
}

@Suite(.bounded)
struct `Limits` {
    @Test func `are never negative`() {
        let status = RateLimitStatus(bucket: "core", limit: -1, remaining: .min, resetsAt: testNow)
        #expect((status.limit, status.remaining) == (0, 0))
    }
}
