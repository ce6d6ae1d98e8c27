import BrowseDomain
@testable import BrowseGitHubData
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

/// How many requests a budget has room for.
@Suite(.bounded)
struct `The remaining requests of a rate limit` {
    private let clock = ManualClock()
    private let service: HTTPClient.Service
    private let gate: RateLimitGate
    private let request: HTTPRequest

    init() throws {
        let clock = clock
        let now = { @Sendable in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
        let url = try #require(URL(string: "https://api.github.com/a"))
        service = .gitHub(baseURL: url, userAgent: "Tests", now: now)
        gate = RateLimitGate(service: service, now: now, clock: clock)
        let options = LoadOptions(longestWait: .seconds(7200))
        request = HTTPRequest(url: url, endpoint: "GET /a", options: options, bucket: "core")
    }

    private func response(remaining: Int, of limit: Int, resetsIn seconds: Double) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(remaining)",
                "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970 + seconds))",
            ],
            url: request.url
        )
    }

    /// A server that counts requests, and holds each response until the next request.
    @Test func `are not used twice while responses arrive`() async throws {
        let server = CountingServer(limit: 5)
        _ = try await gate.send(request) { [response = response(remaining: 5, of: 6, resetsIn: 600)] _ in response }
        let (waits, doneCount) = (EventCounter("rate limit"), Monitor(0))
        let tasks = waits.observing {
            (0..<20).map { _ in
                Task { [gate, request] in
                    defer { doneCount.withLock { $0 += 1 } }
                    return try await gate.send(request) { _ throws(BrowseError) in
                        let left = await server.arrive()
                        return response(remaining: left, of: 6, resetsIn: 600)
                    }
                }
            }
        }
        await waits.wait(for: 15)
        for count in 1...5 {
            await server.answer()
            await doneCount.wait { $0 == count }
            // A request that the response admits has left the queue when the response is returned.
            #expect(gate.waiting == 15)
        }
        #expect(server.arrivals == 5)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    @Test func `are at least one after a reset, so that a response can report the new count`() async throws {
        _ = try await gate.send(request) { [response = response(remaining: 0, of: 0, resetsIn: 60)] _ in response }
        let waiting = Task { [gate, request] in
            try await gate.send(request) { [response = response(remaining: 59, of: 60, resetsIn: 600)] _ in response }
        }
        await clock.waitForSleepers()
        #expect(gate.waiting == 1)
        clock.advance(by: .seconds(60))
        #expect(try await waiting.value.status == 200)
    }

    @Test func `are waited for between attempts without a gate`() async throws {
        var unbudgeted = request
        unbudgeted.bucket = nil
        let refusal = HTTPResponse(status: 429, headers: ["Retry-After": "30"], url: request.url)
        let times = Mutex<[Duration]>([])
        let retry = Retry(
            service: service,
            now: { [clock] in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) },
            clock: clock
        )
        let task = Task { [clock, unbudgeted] in
            try await retry.send(unbudgeted) { _ in
                times.withLock { $0.append(clock.now.offset) }
                return refusal
            }
        }
        await clock.waitForSleepers()
        #expect(times.withLock { $0 } == [.zero])
        clock.advance(by: .seconds(30))
        // A third attempt would exceed the deadline.
        #expect(try await task.value.status == 429)
        #expect(times.withLock { $0 } == [.zero, .seconds(30)])
    }
}

/// Holds requests until the test responds to them.
private final class CountingServer: Sendable {
    private struct State {
        var left: Int
        var arrivals = 0
        var waiting: [CheckedContinuation<Int, Never>] = []
    }

    private let state: Monitor<State>

    init(limit: Int) { state = Monitor(State(left: limit)) }

    var arrivals: Int { state.withLock { $0.arrivals } }

    func arrive() async -> Int {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.arrivals += 1
                state.waiting.append(continuation)
            }
        }
    }

    /// Responds to the oldest request, when there is one.
    func answer() async {
        while true {
            let next = state.withLock { state -> (CheckedContinuation<Int, Never>, Int)? in
                guard !state.waiting.isEmpty else { return nil }
                state.left -= 1
                return (state.waiting.removeFirst(), state.left)
            }
            if let (continuation, left) = next { return continuation.resume(returning: left) }
            if Task.isCancelled { return }
            await state.wait { !$0.waiting.isEmpty }
        }
    }
}
