import BrowseDomain
@testable import BrowseGitHubData
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// Numbers in rate limits that no server means.
@Suite(.bounded)
struct `Rate limits with any numbers` {
    private let clock = ManualClock()

    private func now() -> @Sendable () -> Date {
        { [clock] in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
    }

    @Test(arguments: ["-1e300", "1e300", "-1e18", "1e18", "-1", "0", "9223372036854775807", "1.5"])
    func `don't end the process, and limit waits to a day`(reset: String) async throws {
        let gate = RateLimitGate(service: .sample(now: now()), now: now(), clock: clock)
        let body = #"{"resources":{"core":{"limit":60,"remaining":0,"reset":\#(reset)}}}"#
        let transport = FakeTransport(headers: [:], json: body)
        let client = HTTPClient(service: .sample(now: now()), transport: transport, middleware: [gate])
        let statuses = try await RemoteRateLimitStatusRepository(client: client, report: .gitHubRateLimits).refresh()
        let end = try #require(statuses.first?.resetsAt)
        #expect(end >= testNow && end <= testNow + 86_400)
        let error = await thrown { () throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(.sample(), through: gate)
        }
        #expect(error != nil)
        clock.advance(by: .seconds(86_400))
        #expect(try await FakeTransport(statuses: 200).send(.sample(), through: gate).status == 200)
    }

    @Test(arguments: [-1e300, 1e300, -.infinity, .infinity, .nan])
    func `of a service's own failures don't end the process`(retryAt: Double) async throws {
        var service = HTTPClient.Service.sample(now: now())
        service.failure = { _, info in
            .rateLimited(
                .init(kind: .primary, retryAt: Date(timeIntervalSince1970: retryAt), isServerTime: true),
                info
            )
        }
        let gate = RateLimitGate(service: service, now: now(), clock: clock)
        let retry = Retry(RetryPolicy(attempts: 2, firstDelay: .zero), service: service, now: now(), clock: clock)
        for bucket in [nil, "core"] {
            let request = HTTPRequest.sample(bucket: bucket, account: bucket)
            let error = await thrown { () throws(BrowseError) in
                try await retry.send(request) { request throws(BrowseError) in
                    try await FakeTransport(statuses: 403).send(request, through: gate)
                }
            }
            guard case .rateLimited(let limit, _)? = error else { continue }
            #expect(abs(limit.retryAt.timeIntervalSince(testNow)) <= 86_400)
        }
        clock.advance(by: .seconds(86_400))
        let request = HTTPRequest.sample(account: "core")
        #expect(try await FakeTransport(statuses: 200).send(request, through: gate).status == 200)
    }

    @Test func `of a response limit the reset to a day`() async throws {
        let gate = RateLimitGate(service: .sample(now: now()), now: now(), clock: clock)
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "4000",
            "X-RateLimit-Reset": String(repeating: "9", count: 400),
        ]
        for _ in 0..<2 {
            #expect(try await FakeTransport(headers: headers).send(.sample(), through: gate).status == 200)
        }
        let end = try #require(gate.statuses(of: nil).first?.resetsAt)
        #expect(end == testNow + 86_400)
    }

    @Test func `follow a request that was sent after a reset that is too late`() async throws {
        let gate = RateLimitGate(service: .sample(now: now()), now: now(), clock: clock)
        let start = Int(testNow.timeIntervalSince1970)
        for (remaining, seconds) in [(59, 1_000_000), (0, 100)] {
            let headers: HTTPHeaders = [
                "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "\(remaining)",
                "X-RateLimit-Reset": "\(start + seconds)",
            ]
            _ = try await FakeTransport(headers: headers).send(.sample(), through: gate)
        }
        let error = await thrown { () throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(.sample(), through: gate)
        }
        guard case .rateLimited(let limit, _) = error else {
            Issue.record("The third request was sent into the empty bucket.")
            return
        }
        #expect(limit.retryAt == testNow + 100)
    }
}

@Suite(.bounded)
struct `Limits that are assigned` {
    @Test func `are clamped as in the initializer`() {
        var status = RateLimitStatus(bucket: "core", limit: 1, remaining: 1, resetsAt: testNow)
        (status.limit, status.remaining) = (-1, .min)
        #expect(status == RateLimitStatus(bucket: "core", limit: -1, remaining: .min, resetsAt: testNow))
        #expect((status.limit, status.remaining) == (0, 0))

        let longest = Duration.seconds(Int64.max)
        var limits = HTTPLimits()
        (limits.bodyBytes, limits.duration) = (0, .zero)
        #expect(limits == HTTPLimits(bodyBytes: 0, duration: .zero))
        #expect((limits.bodyBytes, limits.duration) == (1, .milliseconds(1)))
        limits.duration = longest
        #expect(limits.duration == .seconds(1_000_000))
    }
}
