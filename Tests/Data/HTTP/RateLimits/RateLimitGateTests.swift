import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `The rate limit gate` {
    private let clock = ManualClock()
    private let waits = EventCounter("rate limit")

    private var date: Date { Self.date(of: clock) }

    private static func date(of clock: ManualClock) -> Date {
        testNow + TimeInterval(clock.now.offset.components.seconds)
    }

    private func gate() -> RateLimitGate {
        RateLimitGate(
            service: .sample(now: { [clock] in Self.date(of: clock) }),
            now: { [clock] in Self.date(of: clock) },
            clock: clock
        )
    }

    /// Returns rate limit headers with a reset in a number of seconds from the start.
    private static func headers(
        _ remaining: Int,
        of limit: Int = 60,
        resetsAfter seconds: Int,
        bucket: String = "core"
    ) -> HTTPHeaders {
        [
            "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(remaining)",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + seconds)", "X-RateLimit-Resource": bucket,
        ]
    }

    private static func refusal(_ error: BrowseError?) -> (kind: BrowseError.RateLimit.Kind, seconds: Double)? {
        guard case .rateLimited(let limit, _) = error else { return nil }
        return (limit.kind, limit.retryAt.timeIntervalSince(testNow))
    }

    /// A transport whose responses have the given statuses and headers in turn.
    private static func wire(_ responses: (status: Int, headers: HTTPHeaders)...) -> FakeTransport {
        FakeTransport { request, index throws(BrowseError) in
            let response = responses[min(index, responses.count - 1)]
            return HTTPResponse(status: response.status, headers: response.headers, url: request.url)
        }
    }

    @Test func `publishes the remaining requests in every response, by bucket`() async throws {
        let gate = gate()
        #expect(gate.statuses(of: nil).isEmpty)
        let late = ControlledTransport()
        let tasks = (0..<2).map { number in
            Task { try await late.wire.send(.sample("/\(number)"), through: gate).status }
        }
        await late.waitForRequests(2)
        let wire = Self.wire(
            (200, Self.headers(59, resetsAfter: 100)),
            (200, Self.headers(9, of: 10, resetsAfter: 60, bucket: "search"))
        )
        var changes = gate.changes(of: nil).makeAsyncIterator()
        #expect(await changes.next() == [])
        for bucket in ["core", "search"] { _ = try await wire.send(.sample(bucket: bucket), through: gate) }
        // An earlier response of the period, and one of an earlier period.
        await late.answer(headers: Self.headers(60, resetsAfter: 100))
        await late.answer(headers: Self.headers(0, resetsAfter: 50))
        for task in tasks { #expect(try await task.value == 200) }
        #expect(gate.statuses(of: nil).first?.remaining == 59)
        let last = Self.wire((304, Self.headers(58, resetsAfter: 100)))
        _ = try await last.send(.sample(bucket: "core"), through: gate)
        let core = RateLimitStatus(bucket: "core", limit: 60, remaining: 58, resetsAt: testNow + 100)
        let search = RateLimitStatus(bucket: "search", limit: 10, remaining: 9, resetsAt: testNow + 60)
        #expect(gate.statuses(of: nil) == [core, search])
        #expect(await changes.next() == [core, search])
    }

    @Test(
        arguments: [
            ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "-1", "X-RateLimit-Reset": "9999999999"],
            ["X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"],
            ["X-RateLimit-Limit": "99999999999999999999", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"],
            ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999"],
            ["X-RateLimit-Limit": "-5", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999"],
        ] as [[String: String]]
    )
    func `ignores invalid headers`(fields: [String: String]) async throws {
        let gate = gate()
        var headers = HTTPHeaders()
        for (name, value) in fields { headers[name] = value }
        let wire = Self.wire((200, headers))
        for _ in 0..<3 { #expect(try await wire.send(.sample(), through: gate).status == 200) }
        #expect(gate.statuses(of: nil).isEmpty)
    }

    @Test func `sends nothing into an exhausted limit, and reports the reset`() async throws {
        let gate = gate()
        let wire = Self.wire((200, Self.headers(0, resetsAfter: 100)), (200, Self.headers(59, resetsAfter: 3_700)))
        _ = try await wire.send(.sample(), through: gate)
        let error = await thrown { () throws(BrowseError) in try await wire.send(.sample("/b"), through: gate) }
        let refusal = try #require(Self.refusal(error))
        #expect(refusal.kind == .primary)
        #expect(refusal.seconds == 100)
        #expect(error?.request?.endpoint == "GET /b")
        #expect(wire.requests.count == 1)
        // Other buckets and accounts have separate budgets.
        _ = try await FakeTransport(statuses: 200).send(.sample(bucket: "search"), through: gate)
        _ = try await FakeTransport(statuses: 200).send(.sample(account: "somebody"), through: gate)
        // A request without a bucket is always sent.
        _ = try await FakeTransport(statuses: 200).send(.sample(bucket: nil), through: gate)
        clock.advance(by: .seconds(101))
        #expect(try await wire.send(.sample(), through: gate).status == 200)
    }

    @Test func `stops at a limit that another process uses too, by the count in each response`() async throws {
        let gates = [gate(), gate()]
        let (limit, period) = (10, 600)
        let counts = Mutex((accepted: 0, refused: 0, resetsAfter: period))
        let server = FakeTransport { request, _ throws(BrowseError) in
            let (status, remaining, reset) = counts.withLock { counts in
                guard counts.accepted < limit else {
                    counts.refused += 1
                    return (403, 0, counts.resetsAfter)
                }
                counts.accepted += 1
                return (200, limit - counts.accepted, counts.resetsAfter)
            }
            let headers = Self.headers(remaining, of: limit, resetsAfter: reset)
            return HTTPResponse(status: status, headers: headers, url: request.url)
        }
        var outcomes: [String] = []
        for number in 0..<40 {
            do throws(BrowseError) {
                outcomes.append("\(try await server.send(.sample(), through: gates[number % 2]).status)")
            } catch {
                #expect(Self.refusal(error)?.seconds == Double(period))
                outcomes.append("not sent")
            }
        }
        // The first gate doesn't know yet that the second one has sent the last request.
        let expected = Array(repeating: "200", count: limit) + ["403"]
        #expect(outcomes == expected + Array(repeating: "not sent", count: 40 - expected.count))
        #expect(counts.withLock { ($0.accepted, $0.refused) } == (limit, 1))
        clock.advance(by: .seconds(period))
        counts.withLock { $0 = (0, 0, 2 * period) }
        for gate in gates { #expect(try await server.send(.sample(), through: gate).status == 200) }
    }

    @Test func `suspends a request up to its longest wait`() async throws {
        let gate = gate()
        let wire = Self.wire((200, Self.headers(0, resetsAfter: 100)), (200, [:]))
        _ = try await wire.send(.sample(), through: gate)
        let error = await thrown { () throws(BrowseError) in
            try await wire.send(.sample(longestWait: .seconds(99)), through: gate)
        }
        #expect(Self.refusal(error)?.seconds == 100)
        let patient = Task { try await wire.send(.sample(longestWait: .seconds(100)), through: gate).status }
        await clock.waitForSleepers()
        #expect(gate.waiting == 1)
        #expect(wire.requests.count == 1)
        clock.advance(by: .seconds(100))
        #expect(try await patient.value == 200)
        #expect(gate.waiting == 0)
    }

    @Test func `suspends ten thousand requests with one alarm, and admits them by priority`() async throws {
        let gate = gate()
        let order = Mutex<[LoadPriority]>([])
        let first = Self.wire((200, Self.headers(0, of: 10_000, resetsAfter: 100)))
        _ = try await first.send(.sample(), through: gate)
        let wire = FakeTransport { request, _ throws(BrowseError) in
            order.withLock { $0.append(request.options.priority) }
            return HTTPResponse(status: 200, url: request.url)
        }
        let tasks = (0..<10_000).map { number in
            let priority: LoadPriority = number % 3 == 0 ? .prefetch : .visible
            let request = HTTPRequest.sample(priority: priority, longestWait: .seconds(1_000))
            return waits.observing { Task { try await wire.send(request, through: gate).status } }
        }
        await waits.wait(for: 10_000)
        await clock.waitForSleepers()
        #expect(clock.sleeperCount == 1)
        #expect(wire.requests.isEmpty)
        clock.advance(by: .seconds(100))
        for task in tasks { #expect(try await task.value == 200) }
        #expect(gate.waiting == 0)
        // Admitted tasks run on several threads, so neighbors can change places.
        #expect(order.withLock { $0.prefix(6_000).count { $0 == .visible } } > 5_000)
    }

    @Test func `admits no more requests than remain`() async throws {
        let gate = gate()
        let first = Self.wire((200, Self.headers(0, of: 3, resetsAfter: 100)))
        _ = try await first.send(.sample(), through: gate)
        let held = ControlledTransport()
        let tasks = waits.observing {
            (0..<5).map { number in
                Task {
                    try await held.wire.send(.sample("/\(number)", longestWait: .seconds(1_000)), through: gate).status
                }
            }
        }
        await waits.wait(for: 5)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(100))
        await held.waitForRequests(3)
        #expect(gate.waiting == 2)
        // A response with one remaining request admits one waiter.
        await held.answer(headers: Self.headers(1, of: 3, resetsAfter: 200))
        for _ in 0..<4 { await held.answer(headers: Self.headers(3, of: 3, resetsAfter: 300)) }
        for task in tasks { #expect(try await task.value == 200) }
    }

    @Test func `removes canceled waiters`() async throws {
        let gate = gate()
        let wire = Self.wire((200, Self.headers(0, resetsAfter: 100)))
        _ = try await wire.send(.sample(), through: gate)
        let task = Task {
            await thrown { () throws(BrowseError) in
                try await wire.send(.sample(longestWait: .seconds(100)), through: gate)
            }
        }
        await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(gate.waiting == 0)
        #expect(wire.requests.count == 1)
    }

    @Test
    func `pauses all buckets of an account after a secondary limit, longer each time, up to 15 minutes`()
        async throws
    {
        let gate = gate()
        let wire = FakeTransport { request, _ throws(BrowseError) in
            HTTPResponse(
                status: 403,
                body: Data(#"{"message":"You have exceeded a secondary rate limit."}"#.utf8),
                url: request.url
            )
        }
        var waits: [Double] = []
        _ = try await FakeTransport(statuses: 200).send(.sample(account: "other"), through: gate)
        for _ in 0..<6 {
            _ = try await wire.send(.sample(), through: gate)
            let before = date
            let error = await thrown { () throws(BrowseError) in
                try await wire.send(.sample(bucket: "search"), through: gate)
            }
            let refusal = try #require(Self.refusal(error))
            #expect(refusal.kind == .secondary)
            waits.append(refusal.seconds - before.timeIntervalSince(testNow))
            clock.advance(by: .seconds(waits.last ?? 0))
        }
        #expect(waits == [60, 120, 240, 480, 900, 900])
        _ = try await FakeTransport(statuses: 200).send(.sample(), through: gate)
        _ = try await wire.send(.sample(), through: gate)
        let error = await thrown { () throws(BrowseError) in try await wire.send(.sample(), through: gate) }
        // After a success, the pause is a minute again.
        #expect(Self.refusal(error)?.seconds == date.timeIntervalSince(testNow) + 60)
        // Other accounts aren't affected.
        _ = try await FakeTransport(statuses: 200).send(.sample(account: "new"), through: gate)
        _ = try await FakeTransport(statuses: 200).send(.sample(account: "other"), through: gate)
    }

    @Test func `counts secondary limits of concurrent requests once`() async throws {
        let gate = gate()
        let held = ControlledTransport()
        let tasks = (0..<3).map { number in
            Task { try await held.wire.send(.sample("/\(number)"), through: gate).status }
        }
        await held.waitForRequests(3)
        for _ in 0..<3 {
            await held.answer(403, body: #"{"message":"You have exceeded a secondary rate limit."}"#)
        }
        for task in tasks { #expect(try await task.value == 403) }
        let error = await thrown { () throws(BrowseError) in try await held.wire.send(.sample(), through: gate) }
        #expect(Self.refusal(error)?.seconds == 60)
    }

    @Test func `pauses for the time that a secondary limit names`() async throws {
        let gate = gate()
        let wire = Self.wire((403, ["Retry-After": "17"]))
        _ = try await wire.send(.sample(), through: gate)
        let error = await thrown { () throws(BrowseError) in try await wire.send(.sample(), through: gate) }
        #expect(Self.refusal(error)?.seconds == 17)
        clock.advance(by: .seconds(17))
        #expect(try await wire.send(.sample(), through: gate).status == 403)
        // The second time, too, since the server names the time.
        let again = await thrown { () throws(BrowseError) in try await wire.send(.sample(), through: gate) }
        #expect(Self.refusal(again)?.seconds == 34)
    }

    @Test func `refuses waiters if their wait becomes too long`() async throws {
        let gate = gate()
        let held = ControlledTransport()
        let onItsWay = Task { try await held.wire.send(.sample("/held"), through: gate).status }
        await held.waitForRequests(1)
        let closing = Self.wire((403, ["Retry-After": "10"]))
        _ = try await closing.send(.sample(), through: gate)
        func wait(_ seconds: Int) -> Task<BrowseError?, Never> {
            Task {
                await thrown { () throws(BrowseError) in
                    try await FakeTransport(statuses: 200).send(.sample(longestWait: .seconds(seconds)), through: gate)
                }
            }
        }
        let (short, long) = waits.observing { (wait(20), wait(60)) }
        await waits.wait(for: 2)
        await held.answer(403, headers: ["Retry-After": "50"])
        #expect(try await onItsWay.value == 403)
        #expect(Self.refusal(await short.value)?.seconds == 50)
        clock.advance(by: .seconds(10))
        await clock.waitForSleepers()
        clock.advance(by: .seconds(40))
        #expect(await long.value == nil)
    }

    @Test func `admits waiters when the pause ends`() async throws {
        let gate = gate()
        _ = try await Self.wire((403, ["Retry-After": "10"])).send(.sample(), through: gate)
        let task = Task {
            try await FakeTransport(statuses: 200).send(.sample(longestWait: .seconds(60)), through: gate).status
        }
        await clock.waitForSleeper(wakingBy: .seconds(10))
        clock.advance(by: .seconds(10))
        #expect(try await task.value == 200)
    }

    @Test func `doesn't count a failed request as in flight`() async throws {
        let gate = gate()
        let wire = Self.wire((200, Self.headers(1, resetsAfter: 100)))
        _ = try await wire.send(.sample(), through: gate)
        let failing = FakeTransport { request, _ throws(BrowseError) in throw .timedOut(request.info) }
        for _ in 0..<3 {
            let error = await thrown { () throws(BrowseError) in try await failing.send(.sample(), through: gate) }
            #expect(error == .timedOut(HTTPRequest.sample().info))
        }
    }

    @Test func `uses the bucket in the response, even for a request without a bucket`() async throws {
        let gate = gate()
        let wire = Self.wire(
            (200, Self.headers(7, of: 10, resetsAfter: 60, bucket: "code_search")),
            (200, Self.headers(50, resetsAfter: 100))
        )
        _ = try await wire.send(.sample(bucket: "search"), through: gate)
        #expect(gate.statuses(of: nil).map(\.bucket) == ["code_search"])
        _ = try await wire.send(.sample(bucket: nil), through: gate)
        #expect(gate.statuses(of: nil).map(\.remaining) == [7, 50])
        _ = try await Self.wire((200, Self.headers(3, resetsAfter: 9))).send(.sample(account: "other"), through: gate)
        #expect(gate.statuses(of: "other").map(\.remaining) == [3])
        #expect(gate.statuses(of: nil).map(\.remaining) == [7, 50])
    }

    @Test func `stores a limited number of buckets with names of limited length`() async throws {
        let gate = gate()
        for number in 0..<100 {
            let headers = Self.headers(7, resetsAfter: 60, bucket: "bucket-\(number)")
            _ = try await Self.wire((200, headers)).send(.sample(), through: gate)
        }
        #expect(gate.statuses(of: nil).count < 40)
        let endless = Self.headers(9, resetsAfter: 60, bucket: String(repeating: "a", count: 65))
        _ = try await Self.wire((200, endless)).send(.sample(), through: gate)
        #expect(gate.statuses(of: nil).first { $0.bucket == "core" }?.remaining == 9)
    }

    @Test func `waits for an exhausted limit of unknown size, and for no other`() async throws {
        let gate = gate()
        let time = Int(testNow.timeIntervalSince1970) + 40
        let headers: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(time)"]
        _ = try await Self.wire((403, headers)).send(.sample(), through: gate)
        let error = await thrown { () throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(.sample(), through: gate)
        }
        #expect(Self.refusal(error)?.kind == .primary)
        #expect(Self.refusal(error)?.seconds == 40)
        #expect(try await FakeTransport(statuses: 200).send(.sample(bucket: "search"), through: gate).status == 200)
    }

    @Test func `pauses until the latest time in refusals, and reports it`() async throws {
        let gate = gate()
        let held = ControlledTransport()
        let tasks = (0..<3).map { number in
            Task { try await held.wire.send(.sample("/\(number)"), through: gate).status }
        }
        await held.waitForRequests(3)
        await held.answer(headers: Self.headers(50, resetsAfter: 100))
        await held.answer(403, headers: ["Retry-After": "50"])
        await held.answer(403, headers: ["Retry-After": "10"])
        for task in tasks { _ = try await task.value }
        #expect(gate.statuses(of: nil).map(\.pausedUntil) == [testNow + 50])
        let error = await thrown { () throws(BrowseError) in try await held.wire.send(.sample(), through: gate) }
        #expect(Self.refusal(error)?.seconds == 50)
    }

    @Test func `doesn't wait forever if the local clock is ahead of the server's`() async throws {
        let gate = gate()
        // By the local clock, the period ends two seconds earlier than by the server's.
        let (end, serverEnd) = (100, 102)
        let count = Mutex(0)
        let server = FakeTransport { [clock] request, _ throws(BrowseError) in
            guard clock.now.offset >= .seconds(serverEnd) else {
                return HTTPResponse(status: 403, headers: Self.headers(0, of: 3, resetsAfter: end), url: request.url)
            }
            let left = count.withLock { count in
                count += 1
                return 3 - count % 3
            }
            let headers = Self.headers(left, of: 3, resetsAfter: end + 100)
            return HTTPResponse(status: 200, headers: headers, url: request.url)
        }
        _ = try await server.send(.sample(), through: gate)
        let doneCount = Monitor(0)
        let tasks = waits.observing {
            (0..<5).map { _ in
                Task { () async throws -> Void in
                    defer { doneCount.withLock { $0 += 1 } }
                    while try await server.send(.sample(longestWait: .seconds(9999)), through: gate).status != 200 {}
                }
            }
        }
        await waits.wait(for: 5)
        while true {
            // Nothing is in flight: each of the five has ended or waits. One of these events follows each change of
            // `gate.waiting`.
            try await waitUntil {
                let (_, _, done) = (waits.value, server.requests.count, doneCount.value)
                return done == 5 || (done + gate.waiting == 5 && clock.sleeperCount > 0)
            }
            guard doneCount.value < 5 else { break }
            clock.advance(by: .seconds(1))
        }
        for task in tasks { try await task.value }
        #expect(gate.waiting == 0)
    }

    @Test func `uses the server's clock if the response has a Date`() async throws {
        let gate = gate()
        var headers = Self.headers(0, resetsAfter: 100)
        // Ten minutes behind the local clock.
        headers["Date"] = "Fri, 02 Jan 2026 02:54:05 GMT"
        let wire = Self.wire((403, headers))
        _ = try await wire.send(.sample(), through: gate)
        let error = await thrown { () throws(BrowseError) in try await wire.send(.sample(), through: gate) }
        #expect(Self.refusal(error)?.seconds == 700)
    }

    @Test func `admits one request at a time to a limit of one, for any longest wait of the others`() async throws {
        let gate = gate()
        _ = try await Self.wire((200, Self.headers(0, of: 1, resetsAfter: 100))).send(.sample(), through: gate)
        let held = ControlledTransport()
        let events = Events()
        let trace = ExchangeTrace(endpoint: "GET /a", observers: [events], now: { testNow })
        var tasks: [Task<BrowseError?, Never>] = []
        // In sequence, so that their order is known.
        for seconds in [900, 130] {
            let task = ExchangeTrace.$current.withValue(trace) {
                Task {
                    await thrown { () throws(BrowseError) in
                        try await held.wire.send(.sample(longestWait: .seconds(seconds)), through: gate)
                    }
                }
            }
            tasks.append(task)
            try await waitUntil { events.names.count >= tasks.count }
        }
        #expect(events.names == ["rate limit", "rate limit"])
        #expect(gate.waiting == 2)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(100))
        // One is sent, and the other waits for its response.
        await held.waitForRequests(1)
        #expect(held.wire.requests.map(\.options.longestWait) == [.seconds(900)])
        // A caller that must not wait isn't admitted either, since the new count is unknown.
        let impatient = await thrown { () throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(.sample(), through: gate)
        }
        #expect(Self.refusal(impatient)?.seconds == 101)
        // Later requests don't wait for too long either.
        let late = waits.observing {
            Task {
                await thrown { () throws(BrowseError) in
                    try await held.wire.send(.sample(longestWait: .seconds(20)), through: gate)
                }
            }
        }
        await waits.wait(for: 1)
        #expect(gate.waiting == 2)
        await clock.waitForSleeper(wakingBy: .seconds(120))
        clock.advance(by: .seconds(20))
        #expect(Self.refusal(await late.value) != nil)
        #expect(gate.waiting == 1)
        await clock.waitForSleeper(wakingBy: .seconds(130))
        clock.advance(by: .seconds(10))
        #expect(Self.refusal(await tasks[1].value) != nil)
        await held.answer(headers: Self.headers(1, of: 1, resetsAfter: 2000))
        #expect(await tasks[0].value == nil)
        #expect(gate.waiting == 0)
    }

    @Test func `accepts any longest wait`() async throws {
        let gate = gate()
        let endless = Duration.seconds(Int64.max) * 8
        #expect(try await FakeTransport(statuses: 200).send(.sample(longestWait: endless), through: gate).status == 200)
    }

    @Test func `leaves no alarm behind`() async throws {
        var gate: RateLimitGate? = gate()
        let wire = Self.wire((200, Self.headers(0, resetsAfter: 100)))
        _ = try await wire.send(.sample(), through: try #require(gate))
        let task = Task { [gate] in
            await thrown { () throws(BrowseError) in
                try await wire.send(.sample(longestWait: .seconds(100)), through: gate ?? self.gate())
            }
        }
        await clock.waitForSleepers()
        task.cancel()
        #expect(await task.value == .cancelled)
        gate = nil
        await clock.waitForNoSleepers()
    }
}

/// A wire that holds every request until the test answers, the oldest first.
private final class ControlledTransport: Sendable {
    private typealias Response = (status: Int, headers: HTTPHeaders, body: String)

    private final class Line: Sendable {
        let waiting = Monitor<[CheckedContinuation<Response, Never>]>([])
    }

    private let line: Line
    let wire: FakeTransport

    init() {
        let line = Line()
        self.line = line
        wire = FakeTransport { request, _ throws(BrowseError) in
            let response = await withCheckedContinuation { continuation in
                line.waiting.withLock { $0.append(continuation) }
            }
            return HTTPResponse(
                status: response.status,
                headers: response.headers,
                body: Data(response.body.utf8),
                url: request.url
            )
        }
    }

    func waitForRequests(_ count: Int) async {
        await wire.waitForRequests(count)
    }

    func answer(_ status: Int = 200, headers: HTTPHeaders = [:], body: String = "") async {
        while true {
            let next = line.waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next { return next.resume(returning: (status, headers, body)) }
            if Task.isCancelled { return }
            await line.waiting.wait { !$0.isEmpty }
        }
    }
}
