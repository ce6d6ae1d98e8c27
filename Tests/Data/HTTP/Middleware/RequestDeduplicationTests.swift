import BrowseDomain
@testable import BrowseGitHubData
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `Equal concurrent reads` {
    private let middleware = RequestDeduplication()
    private let held = ControlledResponses<HTTPClient.Request, HTTPClient.Response>()

    private func send(_ request: HTTPClient.Request) -> Task<BrowseError?, Never> {
        Task { [middleware, held] in
            await thrown { () throws(BrowseError) in
                try await middleware.send(request) { request throws(BrowseError) in try await held.response(to: request)
                }
            }
        }
    }

    @Test func `are sent once, whatever their priority, unlike other requests`() async throws {
        var other = HTTPClient.Request.sample()
        other.headers["Accept"] = "text/html"
        let requests: [HTTPClient.Request] = [
            .sample(), .sample(priority: .prefetch), .sample(), .sample(account: "a"), .sample(source: .cacheOnly),
            .sample("/b"), other, .sample(method: .put), .sample(method: .put),
        ]
        let events = Events()
        let trace = ExchangeTrace(endpoint: "GET /a", observers: [events], now: { testNow })
        let tasks = ExchangeTrace.$current.withValue(trace) { requests.map(send) }
        await held.waitForRequests(7)
        try await waitUntil { events.names.count { $0 == "joined" } >= 2 }
        for index in 0..<7 {
            held.answer(index, with: .success(HTTPClient.Response(status: 200, url: requests[0].url)))
        }
        for task in tasks { #expect(await task.value == nil) }
        #expect(held.requests.count == 7)
    }

    @Test func `are sent once over a real connection, even a thousand`() async throws {
        let gate = LoopbackGate()
        var response = LoopbackResponse.json("[]")
        response.steps.insert(.holdUntil(gate), at: 0)
        let server = try LoopbackServer { [response] _ in response }
        let joined = EventCounter("joined")
        let client = HTTPClient(
            service: .gitHub(baseURL: try #require(URL(string: server.origin)), userAgent: "Tests"),
            transport: TransportKind.platformDefault.makeTransport(),
            middleware: [middleware],
            options: .init {
                $0.limits = .unhurried
                $0.observers = [joined]
            }
        )
        let tasks = (0..<1000).map { _ in Task { try await client.send(Endpoint(.path("/a")) { $0.status }) } }
        await joined.wait(for: 999)
        // One waiter is canceled; the others aren't affected.
        tasks[500].cancel()
        gate.open()
        var answers = 0
        for task in tasks where (try? await task.value) == 200 { answers += 1 }
        #expect(answers >= 999)
        #expect(server.requests.count == 1)
    }
}
