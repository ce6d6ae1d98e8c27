import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `The concurrency limit` {
    private let held = ControlledResponses<String, HTTPClient.Response>()

    /// Sends a request through another middleware and the limit; the test controls its response.
    private func send(
        _ path: String,
        _ priority: LoadPriority = .visible,
        through limit: ConcurrencyLimit,
        behind first: RequestDeduplication = RequestDeduplication()
    ) -> Task<HTTPClient.Response, any Error> {
        Task { [held] in
            try await first.send(.sample(path, priority: priority)) { request throws(BrowseError) in
                try await limit.send(request) { request throws(BrowseError) in
                    try await held.response(to: request.url.path())
                }
            }
        }
    }

    private func answer(_ index: Int) {
        held.answer(index, with: .success(HTTPClient.Response(status: 200, url: URL(filePath: "/"))))
    }

    /// Returns the task of a request that waits for a slot.
    private func wait(
        _ path: String,
        _ priority: LoadPriority,
        through limit: ConcurrencyLimit,
        behind first: RequestDeduplication = RequestDeduplication()
    ) async throws -> Task<HTTPClient.Response, any Error> {
        let events = Events()
        let trace = ExchangeTrace(endpoint: path, observers: [events], now: { testNow })
        let task = ExchangeTrace.$current.withValue(trace) { send(path, priority, through: limit, behind: first) }
        // Observers receive the wait.
        try await waitUntil { events.names == ["slot"] }
        return task
    }

    @Test func `sends requests up to the limit, and the next one when one ends`() async throws {
        let limit = ConcurrencyLimit(2)
        let first = [send("/1", through: limit), send("/2", through: limit)]
        await held.waitForRequests(2)
        let third = try await wait("/3", .visible, through: limit)
        #expect(held.requests.count == 2)
        answer(0)
        await held.waitForRequests(3)
        answer(1)
        answer(2)
        for task in first + [third] { #expect(try await task.value.status == 200) }
    }

    @Test func `sends visible requests first, including deduplicated ones`() async throws {
        let (limit, coalescing) = (ConcurrencyLimit(1), RequestDeduplication())
        let first = send("/first", through: limit)
        await held.waitForRequests(1)
        let tasks = [
            try await wait("/later", .prefetch, through: limit, behind: coalescing),
            try await wait("/now", .visible, through: limit, behind: coalescing),
        ]
        for index in 0..<3 { answer(index) }
        for task in [first] + tasks { #expect(try await task.value.status == 200) }
        #expect(held.requests == ["/first", "/now", "/later"])
    }

    @Test func `is one at least`() async throws {
        answer(0)
        #expect(try await send("/a", through: ConcurrencyLimit(0)).value.status == 200)
    }
}
