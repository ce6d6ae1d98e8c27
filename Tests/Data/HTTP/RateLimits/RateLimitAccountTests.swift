import BrowseDomain
@testable import BrowseGitHubData
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// A gate that many accounts share.
@Suite(.bounded)
struct `The accounts of a rate limit gate` {
    private let clock = ManualClock()
    private let gate: RateLimitGate

    init() {
        let now = { @Sendable [clock] in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
        gate = RateLimitGate(service: .sample(now: now), now: now, clock: clock)
    }

    private func headers(_ remaining: Int, resetsIn seconds: Int, bucket: String = "core") -> HTTPHeaders {
        let now = Int(testNow.timeIntervalSince1970) + Int(clock.now.offset / .seconds(1))
        return [
            "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "\(remaining)",
            "X-RateLimit-Reset": "\(now + seconds)", "X-RateLimit-Resource": bucket,
        ]
    }

    private func send(_ account: String?, _ remaining: Int = 59, resetsIn seconds: Int = 10) async throws {
        let headers = headers(remaining, resetsIn: seconds)
        _ = try await FakeTransport(headers: headers).send(.sample(account: account), through: gate)
    }

    private func isRefused(_ account: String?) async -> Bool {
        let error = await thrown { () throws(BrowseError) in
            try await FakeTransport(statuses: 200).send(.sample(account: account), through: gate)
        }
        if case .rateLimited = error { return true }
        return false
    }

    @Test func `are removed after their reset, unless something needs them`() async throws {
        let held = HeldRequests()
        let task = Task { [gate] in try await held.send(.sample("/0", account: "in flight"), through: gate) }
        await held.waitForRequests(1)
        try await send("exhausted", 0, resetsIn: 86_000)
        let limit: HTTPHeaders = ["Retry-After": "80000"]
        _ = try await FakeTransport(statuses: 429, headers: limit).send(.sample(account: "paused"), through: gate)
        var changes = gate.changes(of: "observed").makeAsyncIterator()
        #expect(await changes.next() == [])
        var most = 0
        for number in 0..<20_000 {
            try await send("\(number)")
            if number % 100 == 0 { clock.advance(by: .seconds(1)) }
            most = max(most, gate.accountCount)
        }
        // A thousand start in the ten seconds of a period, and as many can have passed.
        #expect(most < 3000)
        #expect(await isRefused("exhausted"))
        #expect(await isRefused("paused"))
        try await send("observed", 12)
        #expect(await changes.next()?.map(\.remaining) == [12])
        held.answer(0, headers: headers(0, resetsIn: 100))
        _ = try await task.value
        #expect(await isRefused("in flight"))
        clock.advance(by: .seconds(100_000))
        for number in 0..<10_000 { try await send("late \(number)", resetsIn: 0) }
        // Those of the same second.
        #expect(gate.accountCount <= 10_001)
        clock.advance(by: .seconds(2))
        for number in 0..<10_000 {
            try await send("last \(number)")
            if number % 100 == 0 { clock.advance(by: .seconds(10)) }
        }
        #expect(gate.accountCount < 500)
        #expect(await !isRefused("exhausted"))
    }

    @Test func `each have their own limit of endpoints whose bucket differs`() async throws {
        for account in ["one", "two"] {
            for number in 0..<256 {
                let headers = headers(9, resetsIn: 60, bucket: "search")
                let request = HTTPRequest.sample("/\(number)", account: account)
                _ = try await FakeTransport(headers: headers).send(request, through: gate)
            }
            let headers = headers(0, resetsIn: 60, bucket: "search")
            let last = HTTPRequest.sample("/255", account: account)
            _ = try await FakeTransport(headers: headers).send(last, through: gate)
            #expect(gate.statuses(of: account).map(\.bucket) == ["search"])
        }
    }

    @Test func `have the result of their own refresh`() async throws {
        let held = ControlledResponses<HTTPRequest, HTTPResponse>()
        let transport = FakeTransport { request, _ throws(BrowseError) in try await held.response(to: request) }
        let client = HTTPClient(service: .sample(), transport: transport, middleware: [Account(name: "one"), gate])
        let repository = RemoteRateLimitStatusRepository(client: client, report: .gitHubRateLimits)
        let task = Task { try await repository.refresh() }
        await held.waitForRequests(1)
        try await send("two", 9)
        let body = #"{"resources":{"core":{"limit":60,"remaining":7,"reset":\#(testNow.timeIntervalSince1970 + 50)}}}"#
        held.answer(
            0,
            with: .success(
                HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "application/json"],
                    body: Data(body.utf8),
                    url: held.requests[0].url
                )
            )
        )
        #expect(try await task.value.map(\.remaining) == [7])
        #expect(gate.statuses(of: "one").map(\.remaining) == [7])
        #expect(gate.statuses(of: "two").map(\.remaining) == [9])
    }

    @Test func `are followed by the clients that use them`() async throws {
        let name = Monitor<String?>("one")
        let transport = FakeTransport(headers: headers(30, resetsIn: 60))
        let client = HTTPClient(
            service: .sample(),
            transport: transport,
            middleware: [ChangingAccount(name: name), gate]
        )
        let limits = RemoteRateLimitStatusRepository(client: client, report: .gitHubRateLimits)
        let seen = Monitor<[Int]>([])
        let listener = Task {
            for await statuses in limits.changes { seen.withLock { $0 = statuses.map(\.remaining) } }
        }
        defer { listener.cancel() }
        func change(to remaining: [Int]) async {
            await seen.wait { $0 == remaining }
            #expect(limits.statuses.map(\.remaining) == remaining)
        }
        try await send("one", 11)
        try await send("two", 22)
        let endpoint = Endpoint<Int>(.path("/a"), bucket: "search") { $0.status }
        _ = try await client.send(endpoint)
        await change(to: [30])
        try await send("one", 10)
        await change(to: [10])
        name.withLock { $0 = "two" }
        _ = try await client.send(endpoint)
        try await send("one", 9)
        try await send("two", 21)
        await change(to: [21])
    }
}

private struct Account: HTTPMiddleware {
    let name: String

    func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var request = request
        request.account = name
        return try await next(request)
    }
}

private struct ChangingAccount: HTTPMiddleware {
    let name: Monitor<String?>

    func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        var request = request
        request.account = name.value
        return try await next(request)
    }
}

@Suite(.bounded)
struct `Generations of cached responses` {
    @Test func `are limited, and never return to an earlier one`() {
        let memory = CacheMemory()
        let before = memory.generation(of: "a")
        memory.startGeneration(after: .account("a"))
        #expect(memory.generation(of: "a") != before)
        let other = memory.generation(of: "b")
        for number in 0..<3000 { memory.startGeneration(after: .account("\(number)")) }
        #expect(memory.generation(of: "a") > before)
        #expect(memory.generation(of: "b") > other)
        #expect(memory.generationCount <= CacheMemory.maxGenerations)
        let last = memory.generation(of: "b")
        memory.startGeneration(after: .everything)
        #expect(memory.generation(of: "b") > last)
    }
}
