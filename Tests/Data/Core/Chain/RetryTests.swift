import BrowseDomain
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData
import BrowseMocks

@Suite(.bounded)
struct `A failed request` {
    private let clock = RecordingClock()

    private func retry(_ policy: RetryPolicy = RetryPolicy(), random: Double = 1) -> Retry {
        Retry(policy: policy, now: { [clock] in clock.date }, clock: clock, random: { random })
    }

    private static let passing: [BrowseError] = [
        .timedOut(HTTPClient.Request.sample().info), .unreachable(.connectionLost, HTTPClient.Request.sample().info),
        .unreachable(.connectionRefused, HTTPClient.Request.sample().info),
    ]
    private static let final: [BrowseError] = [
        .cancelled, .unreachable(.offline, HTTPClient.Request.sample().info),
        .unreachable(.notSecure(detail: "?"), HTTPClient.Request.sample().info),
        .unreachable(.notCached, HTTPClient.Request.sample().info),
        .unusableResponse(.tooLarge(limit: 1), HTTPClient.Request.sample().info),
        .refused(.unreadableRedirect, HTTPClient.Request.sample().info),
    ]

    /// sindresorhus/got#991, notatallshaw/nab#579, PaddleHQ/paddle-python-sdk#157
    @Test(arguments: [408, 500, 502, 503, 504, 520, 522, 524, 529, 599])
    func `is retried after a temporary status`(status: Int) async throws {
        let wire = FakeTransport(statuses: status, 200)
        #expect(try await wire.send(.sample(), through: retry()).status == 200)
        #expect(wire.requests.count == 2)
        #expect(clock.sleeps == [.milliseconds(500)])
    }

    @Test(arguments: [200, 204, 301, 400, 401, 404, 409, 410, 422, 501, 505])
    func `is not retried after any other status`(status: Int) async throws {
        let wire = FakeTransport(statuses: status)
        #expect(try await wire.send(.sample(), through: retry()).status == status)
        #expect(wire.requests.count == 1)
    }

    @Test(arguments: passing)
    func `is retried after a connection failure`(error: BrowseError) async throws {
        let wire = FakeTransport { request, index throws(BrowseError) in
            if index == 0 { throw error }
            return HTTPClient.Response(status: 200, url: request.url)
        }
        #expect(try await wire.send(.sample(), through: retry()).status == 200)
        #expect(wire.requests.count == 2)
    }

    @Test(arguments: final)
    func `is not retried after a permanent failure`(error: BrowseError) async {
        let wire = FakeTransport { _, _ throws(BrowseError) in throw error }
        #expect(await thrown { () throws(BrowseError) in try await wire.send(.sample(), through: retry()) } == error)
        #expect(wire.requests.count == 1)
    }

    @Test func `is never retried if it isn't safe to repeat`() async throws {
        let wire = FakeTransport(statuses: 503, 200)
        #expect(try await wire.send(.sample(method: .post), through: retry()).status == 503)
        var unsafe = HTTPClient.Request.sample(method: .put)
        #expect(unsafe.isSafeToRepeat)
        unsafe.isSafeToRepeat = false
        #expect(try await FakeTransport(statuses: 503, 200).send(unsafe, through: retry()).status == 503)
        #expect(wire.requests.count == 1)
    }

    @Test func `is retried, whatever its method is, if its endpoint only reads`() async throws {
        var endpoint = Endpoint(method: .post, .path("/search")) { $0.status }
        endpoint.onlyReads = true
        let wire = FakeTransport(statuses: 503, 200)
        let client = HTTPClient.standard(.sample(), transport: wire, options: .init { [clock] in $0.clock = clock })
        #expect(try await client.send(endpoint) == 200)
        // As that of a GET, the latest failure counts.
        var search = HTTPClient.Request.sample(method: .post)
        (search.isSafeToRepeat, search.onlyReads) = (true, true)
        #expect(try await FakeTransport(statuses: 503, 429).send(search, through: retry()).status == 429)
    }

    @Test func `is sent up to the number of attempts, with doubling delays, and returns the last result`() async throws
    {
        let wire = FakeTransport(statuses: 500, 502, 503, 504, 500, 503)
        let policy = RetryPolicy(attempts: 6, firstDelay: .seconds(1))
        #expect(try await wire.send(.sample(), through: retry(policy)).status == 503)
        #expect(wire.requests.count == 6)
        #expect(clock.sleeps == [1, 2, 4, 8, 8].map { .seconds($0) })
    }

    @Test func `waits for a random part of the delay`() async throws {
        let wire = FakeTransport(statuses: 503, 503, 200)
        let policy = RetryPolicy(firstDelay: .seconds(1))
        _ = try await wire.send(.sample(), through: retry(policy, random: 0.25))
        #expect(clock.sleeps == [.milliseconds(250), .milliseconds(500)])
    }

    @Test(arguments: [("7", 7.0), ("Fri, 02 Jan 2026 03:04:15 GMT", 10.0), ("0", 0.5), ("soon", 0.5), ("-3", 0.5)])
    func `waits for the time in Retry-After`(header: String, seconds: Double) async throws {
        let wire = FakeTransport(statuses: 503, 200, headers: ["Retry-After": header])
        #expect(try await wire.send(.sample(), through: retry()).status == 200)
        #expect(clock.sleeps == [.seconds(seconds)])
    }

    @Test func `is not retried if the delay would exceed the deadline`() async throws {
        let wire = FakeTransport(statuses: 503, headers: ["Retry-After": "61"])
        #expect(try await wire.send(.sample(), through: retry()).status == 503)
        #expect(wire.requests.count == 1)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func `limits another attempt to the time until the deadline`() async throws {
        let wire = FakeTransport { [clock] request, _ throws(BrowseError) in
            clock.advance(by: .seconds(20))
            return HTTPClient.Response(status: 503, url: request.url)
        }
        let policy = RetryPolicy(attempts: 10, firstDelay: .seconds(1), deadline: .seconds(45))
        var request = HTTPClient.Request.sample()
        request.limits.duration = .seconds(30)
        #expect(try await wire.send(request, through: retry(policy)).status == 503)
        #expect(wire.requests.map(\.limits.duration) == [.seconds(30), .seconds(24), .seconds(2)])
    }

    /// apollographql/apollo-ios#1841, swhitty/swift-timeout#9
    ///
    /// Clocks go on while the process is suspended. The limit of 30 seconds is that of all attempts.
    @Test(arguments: passing.dropLast(), [15, 30])
    func `is retried after a suspension of the process`(error: BrowseError, limit: Int) async throws {
        let wire = FakeTransport { [clock] request, index throws(BrowseError) in
            guard index == 0 else { return HTTPClient.Response(status: 200, url: request.url) }
            clock.advance(by: .seconds(600))
            throw error
        }
        let transport = ObservedTransport(transport: wire, system: clock)
        var request = HTTPClient.Request.sample()
        request.limits.duration = .seconds(limit)
        let response = try await retry().send(request) { request throws(BrowseError) in
            try await transport.send(request)
        }
        #expect(response.status == 200)
        #expect(wire.requests.count == 2)
    }

    @Test func `isn't retried after an attempt that used up the time`() async {
        let wire = FakeTransport { [clock] request, _ throws(BrowseError) in
            clock.advance(by: request.limits.duration)
            throw .timedOut(request.info)
        }
        let transport = ObservedTransport(transport: wire, system: clock)
        let request = modified(HTTPClient.Request.sample()) { $0.limits.duration = .seconds(30) }
        let error = await thrown { () throws(BrowseError) in
            try await retry().send(request) { request throws(BrowseError) in
                try await transport.send(request)
            }
        }
        #expect(error == .timedOut(request.info))
        #expect(wire.requests.count == 1)
    }

    /// When a person tries again over a rate limit, the service is asked for the limit before.
    @Test func `has no more time because another exchange precedes it`() async throws {
        let wire = FakeTransport { [clock] request, _ throws(BrowseError) in
            clock.advance(by: min(.seconds(12), request.limits.duration))
            return HTTPClient.Response(status: 503, url: request.url)
        }
        let transport = ObservedTransport(transport: wire, system: clock)
        let response = try await retry().send(.sample()) { request throws(BrowseError) in
            try await RequestSlots(1).send(request) { request throws(BrowseError) in
                _ = try await transport.send(request)
                return try await transport.send(request)
            }
        }
        #expect(response.status == 503)
        // Of 30 seconds, 24 are over, and half a second of the pause.
        #expect(wire.requests.map(\.limits.duration) == [15, 15, 5.5, 5.5].map { Duration.seconds($0) })
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `limits the first attempt to the deadline, too, even if it isn't retried`(method: HTTPMethod) async throws {
        let wire = FakeTransport(statuses: 200)
        let policy = RetryPolicy(attempts: 2, deadline: .seconds(10))
        #expect(try await wire.send(.sample(method: method), through: retry(policy)).status == 200)
        #expect(wire.requests.map(\.limits.duration) == [.seconds(10)])
        #expect(try await wire.send(.sample(method: method), through: retry(.never)).status == 200)
        #expect(wire.requests.last?.limits.duration == .seconds(15))
    }

    @Test func `times out if no slot is free before the deadline`() async throws {
        let (clock, waits) = (TestClock(), EventCounter("slot"))
        let held = ControlledResponses<HTTPClient.Request, HTTPClient.Response>()
        let client = HTTPClient.standard(
            .sample(),
            transport: FakeTransport { request, _ throws(BrowseError) in try await held.response(to: request) },
            options: .init {
                $0.requestConcurrency = 1
                $0.retries = RetryPolicy(deadline: .seconds(10))
                $0.observers = [waits]
                $0.clock = clock
            }
        )
        let first = Task { try await client.send(Endpoint(.path("/a")) { $0.status }) }
        await held.waitForRequests(1)
        let second = Task {
            await thrown { () throws(BrowseError) in try await client.send(Endpoint(.path("/b")) { $0.status }) }
        }
        await waits.wait(for: 1)
        await clock.advance(by: .seconds(10))
        held.answer(0, with: .success(HTTPClient.Response(status: 200, url: client.baseURL)))
        #expect(await second.value == .timedOut(.init(endpoint: "GET /b")))
        #expect(try await first.value == 200)
        #expect(held.requests.count == 1)
    }

    @Test func `is not retried after its caller is canceled`() async {
        let clock = TestClock()
        let wire = FakeTransport(statuses: 503)
        let task = Task {
            await thrown { () throws(BrowseError) in
                try await wire.send(.sample(), through: Retry(clock: clock, random: { 1 }))
            }
        }
        await clock.waitForSleepers(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(wire.requests.count == 1)
    }

    /// A conflict can be with the attempt whose response was lost.
    ///
    /// linkedin/brooklin#495, MicrosoftDocs/architecture-center#4274
    @Test(arguments: [403, 409, 412, 429, 500, 503])
    func `of a change whose response was lost stays unknown if the next one is refused`(status: Int) async throws {
        let lost = BrowseError.unreachable(.connectionLost, HTTPClient.Request.sample("/star", method: .put).info)
        let wire = FakeTransport { request, index throws(BrowseError) in
            if index == 0 { throw lost }
            return HTTPClient.Response(status: status, url: request.url)
        }
        await #expect(throws: lost) { try await wire.send(.sample("/star", method: .put), through: retry()) }
        #expect(wire.requests.count > 1)
    }

    /// RFC 9110, section 15.6: a 5xx doesn't say whether the request was carried out.
    @Test(arguments: [500, 502, 504], [403, 409, 412, 429])
    func `of a change stays unknown after a server failure if the next one is refused`(first: Int, next: Int)
        async throws
    {
        let wire = FakeTransport(statuses: first, next)
        #expect(try await wire.send(.sample("/star", method: .put), through: retry()).status == first)
        #expect(wire.requests.count == 2)
        #expect(try await FakeTransport(statuses: first, next).send(.sample(), through: retry()).status == next)
    }

    @Test func `of a change whose response was lost is canceled with its caller`() async throws {
        let wire = FakeTransport { request, index throws(BrowseError) in
            throw index == 0 ? .unreachable(.connectionLost, request.info) : .cancelled
        }
        await #expect(throws: BrowseError.cancelled) {
            try await wire.send(.sample("/star", method: .put), through: retry())
        }
    }

    @Test(arguments: ["0", "30"], [403, 429])
    func `is not retried after a rate limit`(seconds: String, status: Int) async throws {
        let wire = FakeTransport(statuses: status, headers: ["Retry-After": seconds])
        #expect(try await wire.send(.sample(), through: retry()).status == status)
        #expect(wire.requests.count == 1)
    }
}
