import BrowseDomain
import Foundation
import TestSupport
import Testing

@testable import BrowseData
import BrowseMocks

/// A server that counts requests in windows, and whose responses arrive in any order.
private final class WindowServer: Sendable {
    private struct State {
        let seed: UInt64
        var now = Duration.zero
        var window = 0
        var counted = 0
        var lastNumber = 0
        var unanswered: [Int: HTTPResponse?] = [:]
        var answered: Set<Int> = []
        var refusals = 0
    }

    static let limit = 10
    static let length = 100
    private let state: Monitor<State>

    init(seed: UInt64) { state = Monitor(State(seed: seed)) }

    var unanswered: [Int] { state.withLock { $0.unanswered.keys.sorted() } }
    var refusals: Int { state.withLock { $0.refusals } }

    func advance(by duration: Duration) { state.withLock { $0.now += duration } }

    /// Delivers the response of a request that has arrived; `false` loses it.
    func answer(_ number: Int, isDelivered: Bool = true) {
        state.withLock { state in
            if !isDelivered { state.unanswered[number] = .some(nil) }
            state.answered.insert(number)
        }
    }

    func answerAll() {
        for number in unanswered { answer(number) }
    }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let number = state.withLock { state in
            state.lastNumber += 1
            let response = Self.response(to: request, &state)
            state.unanswered[state.lastNumber] = .some(response)
            return state.lastNumber
        }
        await state.wait { $0.answered.contains(number) }
        let response = state.withLock { $0.unanswered.removeValue(forKey: number) ?? nil }
        guard !Task.isCancelled else { throw .cancelled }
        guard let response else { throw .unreachable(.connectionLost, request.info) }
        return response
    }

    private static func response(to request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let window = Int(state.now.components.seconds) / length
        if window != state.window { (state.window, state.counted) = (window, 0) }
        state.counted += 1
        let isRefused = state.counted > limit
        if isRefused { state.refusals += 1 }
        let jitter = Int((UInt64(state.lastNumber) &* 2_654_435_761 &+ state.seed) >> 7 & 1)
        let reset = Int(testNow.timeIntervalSince1970) + (window + 1) * length + jitter
        return HTTPResponse(
            status: isRefused ? 403 : 200,
            headers: [
                "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(max(0, limit - state.counted))",
                "X-RateLimit-Reset": "\(reset)", "X-RateLimit-Resource": "core",
            ],
            url: request.url
        )
    }
}

@Suite(.timeLimit(.minutes(5)))
struct `The gate, before a server that counts` {
    @Test(arguments: 0..<40)
    func `sends no more than it takes, and settles every request, whatever the order of responses`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let (clock, server) = (ManualClock(), WindowServer(seed: seed))
        let now = { @Sendable in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
        let gate = RateLimitGate(service: .sample(now: now), now: now, clock: clock)
        let settled = Monitor((arrived: 0, waiting: 0, ended: 0))
        let trace = ExchangeTrace(
            endpoint: "GET /a",
            observers: [Waits { settled.withLock { $0.waiting += 1 } }],
            now: { testNow }
        )
        var tasks: [(task: Task<Void, Never>, priority: SharedPriority)] = []
        for _ in 0..<120 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4:
                let priority = SharedPriority(Bool.random(using: &random) ? .visible : .prefetch)
                let patience = [Duration.zero, .seconds(30), .seconds(500)].randomElement(using: &random) ?? .zero
                let before = settled.withLock { $0.arrived + $0.waiting + $0.ended }
                let task = SharedPriority.$current.withValue(priority) {
                    ExchangeTrace.$current.withValue(trace) {
                        Task {
                            _ = await thrown { () throws(BrowseError) in
                                try await gate.send(.sample(patience: patience)) { request throws(BrowseError) in
                                    settled.withLock { $0.arrived += 1 }
                                    return try await server.send(request)
                                }
                            }
                            settled.withLock { $0.ended += 1 }
                        }
                    }
                }
                tasks.append((task, priority))
                await settled.wait { $0.arrived + $0.waiting + $0.ended > before }
            case 5, 6:
                if let number = server.unanswered.randomElement(using: &random) {
                    server.answer(number, isDelivered: Int.random(in: 0..<5, using: &random) > 0)
                }
            case 7:
                tasks.randomElement(using: &random)?.task.cancel()
            case 8:
                let entry = tasks.randomElement(using: &random)
                entry?.priority.change(to: entry?.priority.priority == .visible ? .prefetch : .visible)
            default:
                let seconds = Duration.seconds(Int.random(in: 1...40, using: &random))
                server.advance(by: seconds)
                clock.advance(by: seconds)
            }
        }
        // Everything settles once the server answers, and time passes.
        for task in tasks { task.task.cancel() }
        server.answerAll()
        for task in tasks { await task.task.value }
        #expect(gate.waiting == 0)
        // Lost responses leave room that isn't there, and so may a window that begins while requests are in flight.
        #expect(server.refusals <= 2 * WindowServer.limit)

        // No place of a canceled or failed request is lost: a new window admits exactly as many as it takes.
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
        let isLimited = gate.budgets.first.map { $0.limit == WindowServer.limit } ?? false
        let room = isLimited ? WindowServer.limit : 30
        await held.waitForRequests(room)
        await refused.wait { $0 == 30 - room }
        #expect(held.count == room)
        held.answerAll(headers: [:])
        for task in last { await task.value }
    }

    @Test(arguments: [-3_600.0, 3_600])
    func `waits by the clock, also when the time of day is set meanwhile`(jump: TimeInterval) async throws {
        let (clock, offset) = (ManualClock(), Monitor(0.0))
        let now = { @Sendable in
            testNow.addingTimeInterval(clock.now.offset / .seconds(1) + offset.withLock { $0 })
        }
        let gate = RateLimitGate(service: .sample(now: now), now: now, clock: clock)
        let limits: HTTPHeaders = [
            "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + 100)",
        ]
        _ = try await FakeWire(statuses: 403, headers: limits).send(.sample(), through: gate)
        let task = Task {
            try await FakeWire(statuses: 200).send(.sample(patience: .seconds(100)), through: gate).status
        }
        await clock.waitForSleepers()
        offset.withLock { $0 = jump }
        clock.advance(by: .seconds(99))
        // A response in the meantime makes the gate look at its waiters.
        _ = try await FakeWire(statuses: 200).send(.sample(bucket: nil), through: gate)
        #expect(gate.waiting == 1)
        clock.advance(by: .seconds(1))
        #expect(try await task.value == 200)
    }
}
