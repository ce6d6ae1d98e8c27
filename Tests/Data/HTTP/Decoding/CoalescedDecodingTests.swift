import BrowseDomain
import BrowseMocks
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import BrowseData
import TestLimits

@Suite(.bounded)
struct `Shared decoding` {
    private let held = ControlledResponses<HTTPRequest, HTTPResponse>()
    private let joins = Joins()
    private let count = Count()

    private struct Held: HTTPTransport {
        let responses: ControlledResponses<HTTPRequest, HTTPResponse>
        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            try await responses.response(to: request)
        }
    }

    /// Records the exchanges that joined another.
    private final class Joins: HTTPObserver {
        private let stream: (AsyncStream<Void>, AsyncStream<Void>.Continuation) = AsyncStream.makeStream()

        func observe(_ event: HTTPEvent) {
            if case .joined = event.kind { stream.1.yield() }
        }

        func wait(for count: Int) async {
            guard count > 0 else { return }
            var seen = 0
            for await _ in stream.0 {
                seen += 1
                if seen == count { return }
            }
        }
    }

    private final class Count: Sendable {
        private let value = Mutex(0)
        var current: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    private func client(_ middleware: [any HTTPMiddleware] = []) -> HTTPClient {
        HTTPClient(
            service: .sample(),
            transport: Held(responses: held),
            middleware: [RequestDeduplication()] + middleware,
            options: .init { $0.observers = [joins] }
        )
    }

    /// Sends endpoints concurrently and returns their outcomes; the response arrives when all have joined.
    private func outcomes<Value: Equatable>(
        of endpoints: [Endpoint<Value>],
        _ body: String = "body"
    ) async -> [Result<Value, BrowseError>] {
        let client = client()
        let tasks = endpoints.map { endpoint in
            Task { await Result.of { () throws(BrowseError) in try await client.send(endpoint) } }
        }
        await held.waitForRequests(1)
        await joins.wait(for: endpoints.count - 1)
        held.answer(0, with: .success(HTTPResponse(status: 200, body: Data(body.utf8), url: held.requests[0].url)))
        var outcomes: [Result<Value, BrowseError>] = []
        for task in tasks { outcomes.append(await task.value) }
        #expect(held.requests.count == 1)
        return outcomes
    }

    @Test func `decodes once for fifty callers with one endpoint`() async {
        let endpoint = Endpoint(.path("/a")) { [count] response in
            count.add()
            return response.body.count
        }
        let outcomes = await outcomes(of: Array(repeating: endpoint, count: 50), String(repeating: "x", count: 480_000))
        #expect(outcomes == Array(repeating: .success(480_000), count: 50))
        #expect(count.current == 1)
    }

    @Test func `decodes once for endpoints with the same named decoding`() async {
        let endpoints = (0..<10).map { _ in
            Endpoint(.path("/a"), decodingID: "size") { [count] response in
                count.add()
                return response.body.count
            }
        }
        #expect(await outcomes(of: endpoints) == Array(repeating: .success(4), count: 10))
        #expect(count.current == 1)
    }

    @Test func `decodes separately for endpoints that could decode differently`() async {
        var endpoints = (0..<10).map { number in
            Endpoint(.path("/a")) { $0.body.count + number }
        }
        // A copy with another closure.
        var changed = endpoints[0]
        changed.decode = { _ in -1 }
        endpoints.append(changed)
        #expect(await outcomes(of: endpoints) == (0..<10).map { .success(4 + $0) } + [.success(-1)])
    }

    @Test func `distinguishes types with the same decoding name`() async throws {
        let decoding = CoalescedDecoding()
        let number = await decoding.value(for: "a") { () throws(BrowseError) in 1 }
        let text = await decoding.value(for: "a") { () throws(BrowseError) in "one" }
        #expect(number == .success(1))
        #expect(text == .success("one"))
    }

    @Test func `fails once for all callers`() async {
        let endpoint = Endpoint<Int>(.path("/a")) { [count] _ in
            count.add()
            throw BrowseError.cancelled
        }
        #expect(await outcomes(of: [endpoint, endpoint, endpoint]) == Array(repeating: .failure(.cancelled), count: 3))
        #expect(count.current == 1)
    }

    /// A separate thread, which decoding can block.
    private actor Decoder {
        private let executor = QueueExecutor(label: "CoalescedDecodingTests")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func decode(_ decoding: CoalescedDecoding, _ work: @Sendable () -> Int) async -> Result<Int, BrowseError>? {
            await decoding.value(for: "a") { () throws(BrowseError) in work() }
        }
    }

    @Test func `continues if a waiting caller or the decoding caller is canceled`() async {
        let decoding = CoalescedDecoding()
        let gate = DispatchSemaphore(value: 0)
        let (began, beginning) = AsyncStream<Void>.makeStream()
        let decoder = Decoder()
        let first = Task {
            await decoder.decode(decoding) {
                beginning.yield()
                gate.wait()
                return 1
            }
        }
        for await _ in began { break }
        let second = Task { await decoding.value(for: "a") { () throws(BrowseError) in 2 } }
        let third = Task { await decoding.value(for: "a") { () throws(BrowseError) in 3 } }
        second.cancel()
        // Ends before the decoding does.
        #expect(await second.value == nil)
        first.cancel()
        gate.signal()
        #expect(await first.value == .success(1))
        #expect(await third.value == .success(1))
    }
}
