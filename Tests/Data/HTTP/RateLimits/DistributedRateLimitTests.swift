import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import Testing

@testable import BrowseData
import TestLimits

/// Gates of several processes that share a store.
@Suite(.bounded)
struct `A shared rate limit` {
    private let clock = TestClock()
    private let service: HTTPClient.Service

    init() {
        let clock = clock
        service = .sample(now: { testNow.addingTimeInterval(clock.now.offset / .seconds(1)) })
    }

    private func gate(
        _ store: any RateLimitStore,
        storeTimeout: Duration = .milliseconds(250)
    ) -> RateLimitGate {
        let clock = clock
        let now = { @Sendable in testNow.addingTimeInterval(clock.now.offset / .seconds(1)) }
        return RateLimitGate(service: service, store: store, storeTimeout: storeTimeout, now: now, clock: clock)
    }

    @Test func `admits as many requests of all processes as the service accepts`() async throws {
        let store = InMemoryRateLimitStore()
        // The clock runs, however busy the machine is.
        let gates = (0..<2).map { _ in gate(store, storeTimeout: .seconds(600)) }
        let server = LimitedServer(limit: 60)
        let outcomes = await clock.run {
            await withTaskGroup { group in
                for number in 0..<300 {
                    let gate = gates[number % 2]
                    group.addTask {
                        await outcome { () throws(BrowseError) in
                            try await gate.send(.sample()) { server.respond(to: $0) }
                        }
                    }
                }
                return await group.reduce(into: [Outcome]()) { $0.append($1) }
            }
        }
        #expect(server.refused == 0)
        #expect(server.accepted == 60)
        #expect(outcomes.count { $0 == .answered(200) } == 60)
        #expect(outcomes.count { $0 == .rateLimited } == 240)
    }

    @Test func `is known to a process that starts later`() async throws {
        let store = InMemoryRateLimitStore()
        let server = LimitedServer(limit: 1)
        _ = try await gate(store).send(.sample()) { server.respond(to: $0) }
        let later = gate(store)
        let refused = await outcome { () throws(BrowseError) in
            try await later.send(.sample()) { server.respond(to: $0) }
        }
        #expect(refused == .rateLimited)
        await clock.advance(by: .seconds(3601))
        let admitted = await outcome { () throws(BrowseError) in
            try await later.send(.sample()) { server.respond(to: $0) }
        }
        #expect(admitted == .answered(403))
    }

    @Test func `pauses all processes after a secondary limit`() async throws {
        let store = InMemoryRateLimitStore()
        _ = try await gate(store).send(.sample()) { request in
            HTTPResponse(status: 429, headers: ["Retry-After": "30"], url: request.url)
        }
        let refused = await outcome { () throws(BrowseError) in
            try await gate(store).send(.sample()) { HTTPResponse(status: 200, url: $0.url) }
        }
        #expect(refused == .rateLimited)
    }

    @Test func `ends a reservation when the request is canceled or fails`() async throws {
        let store = InMemoryRateLimitStore()
        let gate = gate(store)
        let held = ControlledResponses<HTTPRequest, HTTPResponse>()
        // As many as are in flight while the budget is unknown.
        let tasks = (0..<4).map { _ in
            Task {
                try await gate.send(.sample()) { request throws(BrowseError) in try await held.response(to: request) }
            }
        }
        await held.waitForRequests(4)
        // The requests can arrive in any order, so those of canceled tasks are answered, too.
        for number in [0, 2] { tasks[number].cancel() }
        for number in 0..<4 { held.answer(number, with: .failure(.cancelled)) }
        for task in tasks { _ = await task.result }
        let next = try await gate.send(.sample()) { HTTPResponse(status: 200, url: $0.url) }
        #expect(next.status == 200)
    }

    @Test func `lets a process send one request at a time while the store is unavailable`() async throws {
        let gate = gate(UnavailableStore())
        let held = ControlledResponses<HTTPRequest, HTTPResponse>()
        let tasks = (0..<3).map { _ in
            Task {
                try await gate.send(.sample()) { request throws(BrowseError) in try await held.response(to: request) }
            }
        }
        for number in 0..<3 {
            await held.waitForRequests(number + 1)
            #expect(held.requests.count == number + 1)
            held.answer(number, with: .success(HTTPResponse(status: 200, url: HTTPRequest.sample().url)))
        }
        for task in tasks { #expect(try await task.value.status == 200) }
    }

    @Test func `keeps an eighth of the limit while the store is unavailable`() async throws {
        let gate = gate(UnavailableStore())
        let server = LimitedServer(limit: 60)
        var outcomes: [Outcome] = []
        for _ in 0..<60 {
            outcomes.append(
                await outcome { () throws(BrowseError) in
                    try await gate.send(.sample()) { server.respond(to: $0) }
                }
            )
        }
        #expect(server.accepted == 60 - 60 / 8)
        #expect(outcomes.last == .rateLimited)
    }

    @Test func `is skipped after a quarter of a second if the store doesn't respond`() async throws {
        let store = StalledStore()
        let gate = gate(store)
        let task = Task { try await gate.send(.sample()) { HTTPResponse(status: 200, url: $0.url) } }
        await store.waiting.waitForRequests(1)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(250))
        #expect(try await task.value.status == 200)
        // Then requests don't ask for a second.
        _ = try await gate.send(.sample()) { HTTPResponse(status: 200, url: $0.url) }
        #expect(store.waiting.requests.count == 1)
    }
}

private enum Outcome: Hashable {
    case answered(Int)
    case rateLimited
    case failed
}

private func outcome(_ send: () async throws(BrowseError) -> HTTPResponse) async -> Outcome {
    do throws(BrowseError) {
        return .answered(try await send().status)
    } catch {
        if case .rateLimited = error { return .rateLimited }
        return .failed
    }
}

/// A server that accepts a number of requests, and refuses the others.
private final class LimitedServer: Sendable {
    private let limit: Int
    private let counts = Mutex((accepted: 0, refused: 0))

    init(limit: Int) { self.limit = limit }

    var accepted: Int { counts.withLock { $0.accepted } }
    var refused: Int { counts.withLock { $0.refused } }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        let (status, left) = counts.withLock { counts in
            guard counts.accepted < limit else {
                counts.refused += 1
                return (403, 0)
            }
            counts.accepted += 1
            return (200, limit - counts.accepted)
        }
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(left)",
            "X-RateLimit-Reset": "\(Int(testNow.timeIntervalSince1970) + 3600)",
        ]
        return HTTPResponse(status: status, headers: headers, url: request.url)
    }
}

private struct UnavailableStore: RateLimitStore {
    func update(_ key: String, _ change: @Sendable (Data?) -> Data?) async throws(StorageFailure) {
        throw StorageFailure(reason: .unavailable, file: "test")
    }
}

/// A store whose calls end when they are canceled.
private struct StalledStore: RateLimitStore {
    let waiting = ControlledResponses<String, Data>()

    func update(_ key: String, _ change: @Sendable (Data?) -> Data?) async throws(StorageFailure) {
        do throws(BrowseError) {
            _ = try await waiting.response(to: key)
        } catch {
            throw StorageFailure(reason: .unavailable, file: "test")
        }
    }
}
