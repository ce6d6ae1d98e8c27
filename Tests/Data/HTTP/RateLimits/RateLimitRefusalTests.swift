import BrowseDomain
@testable import BrowseGitHubData
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData
import BrowseMocks

/// What the gate learns from refusals, and from responses that contradict each other.
@Suite(.bounded)
struct `A rate limit` {
    private let clock = ManualClock()
    private let service: HTTPClient.Service
    private let gate: RateLimitGate

    init() {
        let clock = clock
        let now = { @Sendable in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
        service = .sample(now: now)
        gate = RateLimitGate(service: service, now: now, clock: clock)
    }

    private static func headers(
        _ remaining: Int,
        of limit: Int = 60,
        resetsAfter seconds: Int,
        bucket: String = "core",
        retryAfter: Int? = nil
    ) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(remaining)",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + seconds)", "X-RateLimit-Resource": bucket,
        ]
        headers["Retry-After"] = retryAfter.map(String.init)
        return headers
    }

    private static func wire(_ responses: (status: Int, headers: HTTPHeaders)...) -> FakeTransport {
        FakeTransport { request, index throws(BrowseError) in
            let response = responses[min(index, responses.count - 1)]
            return HTTPResponse(status: response.status, headers: response.headers, url: request.url)
        }
    }

    /// The seconds from the start until the gate admits a request; `nil` if it does now.
    private func refusal(of request: HTTPRequest = .sample()) async -> Double? {
        let error = await thrown { () throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(request, through: gate)
        }
        guard case .rateLimited(let limit, _) = error else { return nil }
        return limit.retryAt.timeIntervalSince(testNow)
    }

    @Test func `stays exhausted when the reset is one second earlier than in the response before`() async throws {
        let wire = Self.wire((200, Self.headers(5, resetsAfter: 100)), (200, Self.headers(0, resetsAfter: 99)))
        for _ in 0..<2 { _ = try await wire.send(.sample(), through: gate) }
        #expect(await refusal() == 100)
        clock.advance(by: .seconds(99))
        #expect(await refusal() == 100)
        clock.advance(by: .seconds(1))
        #expect(await refusal() == nil)
    }

    @Test func `stays exhausted when a late response names a reset one second later`() async throws {
        let wire = HeldRequests()
        let tasks = (0..<2).map { number in Task { [gate] in try await wire.send(.sample("/\(number)"), through: gate) }
        }
        await wire.waitForRequests(2)
        wire.answer(0, headers: Self.headers(0, resetsAfter: 100))
        _ = try await tasks[wire.number(of: 0)].value
        wire.answer(1, headers: Self.headers(7, resetsAfter: 101))
        for task in tasks { _ = try await task.value }
        #expect(await refusal() == 101)
    }

    @Test func `starts a new period with a reset that is later than jitter`() async throws {
        let wire = HeldRequests()
        let tasks = (0..<2).map { number in Task { [gate] in try await wire.send(.sample("/\(number)"), through: gate) }
        }
        await wire.waitForRequests(2)
        wire.answer(0, headers: Self.headers(0, resetsAfter: 100))
        _ = try await tasks[wire.number(of: 0)].value
        wire.answer(1, headers: Self.headers(7, resetsAfter: 160))
        for task in tasks { _ = try await task.value }
        #expect(await refusal() == nil)
    }

    @Test func `pauses the bucket in a refusal, for the refused endpoint`() async throws {
        let wire = Self.wire((403, Self.headers(0, resetsAfter: 40, bucket: "code_search")))
        _ = try await wire.send(.sample(bucket: "core"), through: gate)
        #expect(await refusal(of: .sample(bucket: "core")) == 40)
        #expect(await refusal(of: .sample("/b", bucket: "code_search")) == 40)
        // The declared bucket isn't affected.
        #expect(await refusal(of: .sample("/b", bucket: "core")) == nil)
        #expect(await refusal(of: .sample(bucket: "core", account: "other")) == nil)
        clock.advance(by: .seconds(40))
        #expect(await refusal(of: .sample(bucket: "core")) == nil)
    }

    @Test func `suspends a waiter until the bucket named meanwhile allows it`() async throws {
        let held = HeldRequests()
        let first = Task { [gate] in try await held.send(.sample(), through: gate) }
        await held.waitForRequests(1)
        _ = try await Self.wire((200, Self.headers(0, resetsAfter: 100))).send(.sample("/other"), through: gate)
        let seen = Monitor((arrivals: [Duration](), waits: 0))
        let wire = FakeTransport { [clock] request, _ throws(BrowseError) in
            seen.withLock { $0.arrivals.append(clock.now.offset) }
            return HTTPResponse(status: 200, url: request.url)
        }
        let trace = ExchangeTrace(
            endpoint: "GET /a",
            observers: [Waits { seen.withLock { $0.waits += 1 } }],
            now: { testNow }
        )
        let task = ExchangeTrace.$current.withValue(trace) {
            Task { [gate] in try await wire.send(.sample(longestWait: .seconds(500)), through: gate) }
        }
        await clock.waitForSleepers()
        held.answer(0, headers: Self.headers(0, resetsAfter: 200, bucket: "code_search"))
        _ = try await first.value
        clock.advance(by: .seconds(100))
        await seen.wait { $0.waits == 2 || !$0.arrivals.isEmpty }
        #expect(seen.value.arrivals.isEmpty)
        clock.advance(by: .seconds(100))
        _ = try await task.value
        #expect(seen.value.arrivals == [.seconds(200)])
    }

    @Test func `pauses the declared bucket if the named one can't be stored`() async throws {
        for number in 0..<40 {
            let headers = Self.headers(7, resetsAfter: 60, bucket: "bucket-\(number)")
            _ = try await Self.wire((200, headers)).send(.sample("/\(number)"), through: gate)
        }
        let headers = Self.headers(0, resetsAfter: 60, bucket: "one-too-many")
        _ = try await Self.wire((403, headers)).send(.sample("/refused"), through: gate)
        #expect(await refusal(of: .sample("/refused")) == 60)
    }

    @Test func `stays paused for the time in a refusal if that ends after the reset`() async throws {
        let wire = Self.wire((403, Self.headers(0, resetsAfter: 1, retryAfter: 5)))
        _ = try await wire.send(.sample(), through: gate)
        #expect(await refusal() == 5)
        clock.advance(by: .milliseconds(1100))
        #expect(await refusal() == 5)
        clock.advance(by: .milliseconds(3900))
        #expect(await refusal() == nil)
    }

    @Test func `stays exhausted until the reset if a refusal has a shorter time`() async throws {
        let wire = Self.wire((403, Self.headers(0, resetsAfter: 100, retryAfter: 5)))
        _ = try await wire.send(.sample(), through: gate)
        #expect(await refusal() == 100)
        clock.advance(by: .seconds(6))
        #expect(await refusal() == 100)
    }

    @Test func `pauses after a refusal with an earlier reset than the known one`() async throws {
        let wire = Self.wire((200, Self.headers(9, resetsAfter: 100)), (403, Self.headers(0, resetsAfter: 50)))
        for _ in 0..<2 { _ = try await wire.send(.sample(), through: gate) }
        #expect(await refusal() == 50)
        clock.advance(by: .seconds(50))
        #expect(await refusal() == nil)
    }

    @Test func `is retried after the time in a refusal`() async throws {
        let times = Mutex<[Duration]>([])
        let wire = FakeTransport { [clock] request, index throws(BrowseError) in
            times.withLock { $0.append(clock.now.offset) }
            let headers = Self.headers(index == 0 ? 0 : 9, resetsAfter: index == 0 ? 1 : 60, retryAfter: 5)
            return HTTPResponse(status: index == 0 ? 403 : 200, headers: headers, url: request.url)
        }
        let now = { @Sendable [clock] in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
        let retry = Retry(service: service, now: now, clock: clock, random: { 1 })
        let task = Task { [gate] in
            try await retry.send(.sample(longestWait: .seconds(60))) { request throws(BrowseError) in
                try await wire.send(request, through: gate)
            }
        }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(1100))
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(3900))
        #expect(try await task.value.status == 200)
        #expect(times.withLock { $0 } == [.zero, .seconds(5)])
    }

    @Test(arguments: [Duration.zero, .seconds(1_000)])
    func `admits no more concurrent requests after a reset than remain`(longestWait: Duration) async throws {
        _ = try await Self.wire((200, Self.headers(0, of: 10, resetsAfter: 100))).send(.sample(), through: gate)
        clock.advance(by: .seconds(100))
        let wire = HeldRequests()
        let settled = Monitor((waiting: 0, refused: 0))
        let events = Waits { settled.withLock { $0.waiting += 1 } }
        let trace = ExchangeTrace(endpoint: "GET /a", observers: [events], now: { testNow })
        let tasks = ExchangeTrace.$current.withValue(trace) {
            (0..<100).map { number in
                Task { [gate] in
                    let error = await thrown { () throws(BrowseError) in
                        try await wire.send(.sample("/\(number)", longestWait: longestWait), through: gate)
                    }
                    if case .rateLimited = error { settled.withLock { $0.refused += 1 } }
                }
            }
        }
        await wire.waitForRequests(10)
        await settled.wait { $0.waiting + $0.refused == 90 }
        #expect(wire.count == 10)
        #expect(gate.waiting == (longestWait == .zero ? 0 : 90))
        #expect(settled.withLock { $0.refused } == (longestWait == .zero ? 90 : 0))
        // Each response that reports the new count admits others.
        for number in 0..<10 { wire.answer(number, headers: Self.headers(20 - number, of: 30, resetsAfter: 200)) }
        if longestWait > .zero { await wire.waitForRequests(21) }
        for task in tasks { task.cancel() }
        wire.answerAll(headers: Self.headers(0, resetsAfter: 200))
        for task in tasks { await task.value }
        #expect(gate.waiting == 0)
    }

    @Test func `reports resets by the local clock when refreshed`() async throws {
        // The server's clock is ten minutes behind.
        let reset = Int(testNow.timeIntervalSince1970) + 100
        let transport = Transport(
            headers: ["Content-Type": "application/json", "Date": "Fri, 02 Jan 2026 02:54:05 GMT"],
            body: #"{"resources":{"core":{"limit":60,"remaining":0,"reset":\#(reset)}}}"#
        )
        let client = HTTPClient(service: service, transport: transport, middleware: [gate])
        let repository = RemoteRateLimitStatusRepository(client: client, report: .gitHubRateLimits)
        #expect(try await repository.refresh().map(\.resetsAt) == [testNow + 700])
        #expect(await refusal() == 700)
    }
}

private struct Transport: HTTPTransport {
    let headers: HTTPHeaders
    let body: String

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        HTTPResponse(status: 200, headers: headers, body: Data(body.utf8), url: request.url)
    }
}

/// Calls a function for each wait for a budget.
struct Waits: HTTPObserver {
    let began: @Sendable () -> Void

    func observe(_ event: HTTPEvent) {
        if case .waiting(.rateLimit) = event.kind { began() }
    }
}

/// Holds every request until the test answers it.
final class HeldRequests: Sendable {
    private struct State {
        var requests: [HTTPRequest] = []
        var responses: [Int: HTTPHeaders] = [:]
        var answersAll: HTTPHeaders?
    }

    private let state = Monitor(State())

    /// The number of requests that have arrived.
    var count: Int { state.withLock { $0.requests.count } }

    /// The number at the end of a request's path.
    func number(of index: Int) -> Int {
        Int(state.withLock { $0.requests[index].url.lastPathComponent }) ?? 0
    }

    func waitForRequests(_ count: Int) async {
        await state.wait { $0.requests.count >= count }
    }

    /// Responds to the request with an index in order of arrival.
    func answer(_ index: Int, headers: HTTPHeaders) {
        state.withLock { $0.responses[index] = headers }
    }

    /// Responds to every request, including later ones.
    func answerAll(headers: HTTPHeaders) {
        state.withLock { $0.answersAll = headers }
    }

    func send(_ request: HTTPRequest, through gate: RateLimitGate) async throws(BrowseError) -> HTTPResponse {
        try await gate.send(request) { [state] request throws(BrowseError) in
            let index = state.withLock { state in
                state.requests.append(request)
                return state.requests.count - 1
            }
            await state.wait { $0.answersAll != nil || $0.responses[index] != nil }
            guard let headers = state.withLock({ $0.responses[index] ?? $0.answersAll }) else { throw .cancelled }
            return HTTPResponse(status: 200, headers: headers, url: request.url)
        }
    }
}
