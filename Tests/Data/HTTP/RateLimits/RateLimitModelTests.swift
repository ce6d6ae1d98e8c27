import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData
import BrowseMocks

/// A server that counts requests in windows, by bucket, and whose responses arrive in any order.
private final class WindowServer: Sendable {
    /// The end of a request.
    enum Ending {
        /// The response that was determined when the request arrived.
        case response
        /// A failure without a response.
        case lost
        /// A secondary limit with a number of seconds.
        case secondaryLimit(seconds: Int)
    }

    private struct State {
        let seed: UInt64
        var now = Duration.zero
        var window = 0
        var counted: [String: Int] = [:]
        var lastNumber = 0
        var unanswered: [Int: HTTPResponse] = [:]
        var endings: [Int: Ending] = [:]
        /// The end of the pause after delivered refusals, by bucket; `nil` is all buckets.
        var delivered: [Int: (bucket: String?, end: Duration)] = [:]
        var closings: [String?: Duration] = [:]
        var refusals: [String: Int] = [:]
        /// The buckets of the delivered responses.
        var buckets: Set<String> = []
        var violations: [String] = []
    }

    /// The endpoints and their declared buckets. The server counts `/code` in another one.
    static let endpoints = [("/a", "core"), ("/code", "core")] + (0..<8).map { ("/search-\($0)", "search-\($0)") }
    static let limit = 10
    static let length = 100
    private let state: Monitor<State>

    init(seed: UInt64) { state = Monitor(State(seed: seed)) }

    /// The requests in flight, by the number in their header.
    var unanswered: [Int] {
        state.withLock { state in state.unanswered.keys.filter { state.endings[$0] == nil }.sorted() }
    }
    /// The requests beyond a bucket's limit.
    func refusals(of bucket: String) -> Int { state.withLock { $0.refusals[bucket, default: 0] } }
    /// The buckets of the delivered responses.
    var buckets: Set<String> { state.withLock { $0.buckets } }
    /// The requests that arrived after a refusal was delivered.
    var violations: [String] { state.withLock { $0.violations } }

    func advance(by duration: Duration) { state.withLock { $0.now += duration } }

    /// Completes a request that has arrived.
    func end(_ number: Int, by ending: Ending) { state.withLock { $0.endings[number] = ending } }

    func endAll() {
        for number in unanswered { end(number, by: .response) }
    }

    /// Counts requests as violations from now on, if the response refused them.
    func closeAfter(_ number: Int) {
        state.withLock { state in
            guard let (bucket, end) = state.delivered[number] else { return }
            state.closings[bucket] = max(state.closings[bucket] ?? .zero, end)
        }
    }

    func send(_ request: HTTPRequest, didArrive: () -> Void) async throws(BrowseError) -> HTTPResponse {
        let number = Int(request.headers["Number"] ?? "") ?? 0
        state.withLock { state in
            state.lastNumber += 1
            state.unanswered[number] = Self.response(to: request, &state)
        }
        didArrive()
        await state.wait { $0.endings[number] != nil }
        let isCanceled = Task.isCancelled
        let response = state.withLock { state -> HTTPResponse? in
            guard var response = state.unanswered.removeValue(forKey: number), !isCanceled else { return nil }
            switch state.endings[number] {
            case .secondaryLimit(let seconds):
                response = HTTPResponse(
                    status: 403,
                    headers: response.headers,
                    body: Data(#"{"message":"You have exceeded a secondary rate limit."}"#.utf8),
                    url: request.url
                )
                response.headers["Retry-After"] = "\(seconds)"
                state.delivered[number] = (nil, state.now + .seconds(seconds))
            case .response:
                guard response.status == 403 else { break }
                let window = response.headers["Window"].flatMap { Int($0) } ?? 0
                state.delivered[number] = (Self.bucket(of: request), .seconds((window + 1) * Self.length))
            case .lost, nil:
                return nil
            }
            state.buckets.insert(Self.bucket(of: request))
            return response
        }
        guard let response else {
            if isCanceled { throw .cancelled }
            throw .unreachable(.connectionLost, request.info)
        }
        return response
    }

    private static func bucket(of request: HTTPRequest) -> String {
        request.url.path() == "/code" ? "code_search" : request.bucket ?? ""
    }

    private static func response(to request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let window = Int(state.now.components.seconds) / length
        if window != state.window { (state.window, state.counted) = (window, [:]) }
        let bucket = bucket(of: request)
        if let end = [state.closings[bucket], state.closings[nil]].compactMap(\.self).max(), state.now < end {
            state.violations.append("\(request.url.path()) arrived at \(state.now), before \(end)")
        }
        let counted = state.counted[bucket, default: 0] + 1
        state.counted[bucket] = counted
        let isRefused = counted > limit
        if isRefused { state.refusals[bucket, default: 0] += 1 }
        let jitter = Int((UInt64(state.lastNumber) &* 2_654_435_761 &+ state.seed) >> 7 & 1)
        let reset = Int(testNow.timeIntervalSince1970) + (window + 1) * length + jitter
        return HTTPResponse(
            status: isRefused ? 403 : 200,
            headers: [
                "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(max(0, limit - counted))",
                "X-RateLimit-Reset": "\(reset)", "X-RateLimit-Resource": bucket, "Window": "\(window)",
            ],
            url: request.url
        )
    }
}

/// Requests that were begun, in the states that the test can observe.
private final class Requests: Sendable {
    struct State {
        var begun = 0
        /// The number of requests that reached the server, or ended without that.
        var arrived = 0
        var endedEarly = 0
        /// The number of waits in the gate's queue.
        var waited = 0
        /// The numbers of requests that have ended or are about to.
        var ended: Set<Int> = []
        var ending: Set<Int> = []
    }

    let state = Monitor(State())
    private let gate: RateLimitGate
    private let server: WindowServer

    init(_ gate: RateLimitGate, _ server: WindowServer) { (self.gate, self.server) = (gate, server) }

    /// Starts a request, and returns when it waits, has arrived, or has ended.
    func begin(_ path: String, bucket: String, longestWait: Duration, _ priority: CoalescedPriority) async -> Task<
        Void, Never
    > {
        let before = state.withLock { state in
            state.begun += 1
            return state
        }
        let trace = ExchangeTrace(
            endpoint: path,
            observers: [Waits { [state] in state.withLock { $0.waited += 1 } }],
            now: { testNow }
        )
        let task = ExchangeTrace.$current.withValue(trace) {
            Task { await perform(before.begun, path, bucket: bucket, longestWait: longestWait, priority) }
        }
        await state.wait { $0.arrived + $0.waited + $0.endedEarly > before.arrived + before.waited + before.endedEarly }
        return task
    }

    private func perform(_ number: Int, _ path: String, bucket: String, longestWait: Duration, _ priority: CoalescedPriority) async {
        let hasArrived = Monitor(false)
        var request = HTTPRequest.sample(path, longestWait: longestWait, bucket: bucket)
        request.options.sharedPriority = priority
        request.headers["Number"] = "\(number)"
        _ = await thrown { [request] () throws(BrowseError) in
            try await gate.send(request) { [state, server] request throws(BrowseError) in
                hasArrived.withLock { $0 = true }
                return try await server.send(request) { state.withLock { $0.arrived += 1 } }
            }
        }
        let isEarly = !hasArrived.value
        state.withLock { state in
            if isEarly { state.endedEarly += 1 }
            state.ended.insert(number)
        }
    }

    /// Completes a request, whose task is about to end.
    func end(_ number: Int, by ending: WindowServer.Ending) {
        state.withLock { _ = $0.ending.insert(number) }
        server.end(number, by: ending)
    }

    func cancel(_ task: Task<Void, Never>, _ number: Int) {
        state.withLock { _ = $0.ending.insert(number) }
        task.cancel()
    }

    /// Returns when each request waits in the queue, waits for its response, or has ended.
    func settle() async {
        await state.wait { [gate] in
            $0.ended.isSuperset(of: $0.ending) && $0.arrived + $0.endedEarly + gate.waiting == $0.begun
        }
    }
}

@Suite(.bounded)
struct `The rate limit gate with a simulated server` {
    @Test(arguments: 0..<40)
    func `never exceeds the limit, and completes every request, in any order of responses`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let (clock, server) = (ManualClock(), WindowServer(seed: seed))
        let now = { @Sendable in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
        let gate = RateLimitGate(service: .sample(now: now), now: now, clock: clock)
        let requests = Requests(gate, server)
        var tasks: [(task: Task<Void, Never>, priority: CoalescedPriority)] = []
        for _ in 0..<160 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...4:
                let priority = CoalescedPriority(Bool.random(using: &random) ? .visible : .prefetch)
                let longestWait = [Duration.zero, .seconds(30), .seconds(500)].randomElement(using: &random) ?? .zero
                // Mostly of one bucket, to exhaust it.
                let index = max(0, Int.random(in: -8..<WindowServer.endpoints.count, using: &random))
                let (path, bucket) = WindowServer.endpoints[index]
                tasks.append((await requests.begin(path, bucket: bucket, longestWait: longestWait, priority), priority))
            case 5, 6:
                guard let number = server.unanswered.randomElement(using: &random) else { break }
                requests.end(number, by: Int.random(in: 0..<5, using: &random) > 0 ? .response : .lost)
            case 7, 8:
                // Nothing else is running, so the test knows the time of the refusal.
                await requests.settle()
                guard let number = server.unanswered.randomElement(using: &random) else { break }
                let isSecondary = Int.random(in: 0..<4, using: &random) == 0
                let seconds = Int.random(in: 1...60, using: &random)
                requests.end(number, by: isSecondary ? .secondaryLimit(seconds: seconds) : .response)
                await requests.state.wait { $0.ended.contains(number) }
                server.closeAfter(number)
            case 9:
                guard let index = tasks.indices.randomElement(using: &random) else { break }
                requests.cancel(tasks[index].task, index + 1)
            case 10:
                let entry = tasks.randomElement(using: &random)
                entry?.priority.raise(to: .visible)
            default:
                let seconds = Duration.seconds(Int.random(in: 1...40, using: &random))
                server.advance(by: seconds)
                clock.advance(by: seconds)
            }
        }
        // Everything ends when the server responds and time passes.
        for task in tasks { task.task.cancel() }
        await requests.settle()
        server.endAll()
        for task in tasks { await task.task.value }
        #expect(gate.waiting == 0)
        #expect(server.violations.isEmpty, "\(server.violations)")
        #expect(Set(gate.statuses(of: nil).map(\.bucket)) == server.buckets)
        // Lost responses make the gate overestimate the remaining requests, as can a period that starts with requests in
        // flight.
        #expect(server.refusals(of: "core") <= 2 * WindowServer.limit)

        // Canceled and failed requests aren't counted: a new period admits exactly its limit.
        server.advance(by: .seconds(300))
        clock.advance(by: .seconds(300))
        let held = HeldRequests()
        let refused = Monitor(0)
        let last = (0..<30).map { number in
            Task {
                let error = await thrown { () throws(BrowseError) in
                    try await held.send(.sample("/\(number)"), through: gate)
                }
                if case .rateLimited = error { refused.withLock { $0 += 1 } }
            }
        }
        let isLimited = gate.statuses(of: nil).contains { $0.bucket == "core" && $0.limit == WindowServer.limit }
        let room = isLimited ? WindowServer.limit : 30
        await held.waitForRequests(room)
        await refused.wait { $0 == 30 - room }
        #expect(held.count == room)
        held.answerAll(headers: [:])
        for task in last { await task.value }
    }

    @Test(arguments: [-3_600.0, 3_600])
    func `waits by the monotonic clock, even if the system time is changed`(jump: TimeInterval) async throws {
        let (clock, offset) = (ManualClock(), Monitor(0.0))
        let now = { @Sendable in
            testNow.addingTimeInterval(clock.now.offset / .seconds(1) + offset.withLock { $0 })
        }
        let gate = RateLimitGate(service: .sample(now: now), now: now, clock: clock)
        let limits: HTTPHeaders = [
            "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + 100)",
        ]
        _ = try await FakeTransport(statuses: 403, headers: limits).send(.sample(), through: gate)
        let task = Task {
            try await FakeTransport(statuses: 200).send(.sample(longestWait: .seconds(100)), through: gate).status
        }
        await clock.waitForSleepers()
        offset.withLock { $0 = jump }
        clock.advance(by: .seconds(99))
        // A response meanwhile makes the gate check its waiters.
        _ = try await FakeTransport(statuses: 200).send(.sample(bucket: nil), through: gate)
        #expect(gate.waiting == 1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == 200)
    }
}
