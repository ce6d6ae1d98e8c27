import BrowseDomain
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import BrowseData
import TestLimits

@Suite(.bounded)
struct `A slow observer` {
    /// Blocks at its first event until the test unblocks it.
    private final class Slow: HTTPObserver {
        enum Entry: Hashable {
            case event(Int)
            case gap(Int)
        }

        private let gate = DispatchSemaphore(value: 0)
        private let entries = Mutex<[Entry]>([])
        private let streams: (AsyncStream<Entry>, AsyncStream<Entry>.Continuation) = AsyncStream.makeStream()

        var seen: [Entry] { entries.withLock { $0 } }

        func observe(_ event: HTTPEvent) {
            gate.wait()
            gate.signal()
            add(.event(event.exchange))
        }

        func didDrop(eventCount: Int) { add(.gap(eventCount)) }

        private func add(_ entry: Entry) {
            entries.withLock { $0.append(entry) }
            streams.1.yield(entry)
        }

        func open() { gate.signal() }

        /// Waits until an entry has arrived.
        func wait(for entry: Entry) async {
            for await next in streams.0 where next == entry { return }
        }
    }

    private struct Canned: HTTPTransport {
        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            HTTPResponse(status: 200, url: request.url)
        }
    }

    private func event(_ number: Int) -> HTTPEvent {
        HTTPEvent(exchange: number, endpoint: "GET /a", date: testNow, kind: .began)
    }

    @Test func `delays neither requests nor other observers`() async throws {
        let (slow, log) = (Slow(), ExchangeLog())
        defer { slow.open() }
        let client = HTTPClient(service: .sample(), transport: Canned(), options: .init { $0.observers = [slow, log] })
        for _ in 0..<20 { #expect(try await client.send(Endpoint(.path("/a")) { $0.status }) == 200) }
        #expect(log.count == 20)
        #expect(slow.seen.isEmpty)
    }

    @Test func `receives events in order, and the number of dropped ones`() async throws {
        let slow = Slow()
        let buffer = try #require(ObserverBuffer.buffering([slow]).first)
        let capacity = ObserverBuffer.capacity
        for number in 0..<(capacity + 500) { buffer.observe(event(number)) }
        #expect(slow.seen.isEmpty)
        slow.open()
        await slow.wait(for: .gap(500))
        buffer.observe(event(-1))
        await slow.wait(for: .event(-1))
        buffer.observe(event(-2))
        await (buffer as? ObserverBuffer)?.flush()
        #expect(slow.seen == (0..<capacity).map(Slow.Entry.event) + [.gap(500), .event(-1), .event(-2)])
    }

    #if os(Linux) || os(macOS)
    @Test func `blocks neither requests nor the exit of the process`() async throws {
        #expect(await (try ChildProcess("observer")).finished() == ["200"])
    }
    #endif
}
