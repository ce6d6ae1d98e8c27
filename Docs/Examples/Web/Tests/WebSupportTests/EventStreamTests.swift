import BrowseMocks
import Testing

@testable import WebSupport

@Suite("Event streams", .timeLimit(.minutes(10)))
struct EventStreamTests {
    let clock = TestClock()
    let log = EventLog()
    let output = Monitor<[String]>([])

    private func start(_ subscription: EventSubscription) -> Task<Void, any Error> {
        let stream = EventStream(subscription: subscription, heartbeat: .seconds(15), clock: clock)
        return Task { try await stream.run { text in output.withLock { $0.append(text) } } }
    }

    @Test("A stream sends a heartbeat per interval without events")
    func heartbeats() async throws {
        let task = start(log.subscribe())
        try await waitUntil { output.value == ["retry: 2000\n\n"] }
        for count in 1...3 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(15))
            try await waitUntil { output.value.count { $0 == ":\n\n" } == count }
        }
        log.finish()
        try await task.value
    }

    @Test("A stream delivers events, and those of the log before its end")
    func events() async throws {
        let task = start(log.subscribe())
        log.append(name: "n", data: "1")
        try await waitUntil { output.value.count == 2 }
        log.append(name: "n", data: "2")
        log.finish()
        try await task.value
        #expect(Browser.events(in: output.value.joined()).map(\.data) == ["1", "2"])
    }

    @Test("After a gap, the stream ends, so that the browser connects again")
    func gap() async throws {
        try await start(log.subscribe(after: 7)).value
        #expect(output.value == ["retry: 2000\n\n"])
    }

    @Test("The browser is told that another stream replaced this one")
    func replaced() async throws {
        let subscription = log.subscribe()
        subscription.replace()
        try await start(subscription).value
        #expect(Browser.events(in: output.value.joined()).map(\.name) == ["replaced"])
    }

    @Test("A reader that takes nothing during a whole interval is dropped")
    func slow() async throws {
        let stream = EventStream(subscription: log.subscribe(), heartbeat: .seconds(15), clock: clock)
        let never = Monitor(())
        let task = Task { try await stream.run { _ in await never.wait { false } } }
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .seconds(15))
        }
        await #expect(throws: EventStream.SlowReader.self) { try await task.value }
    }

    @Test("An error of the connection and a cancellation end a stream")
    func failure() async throws {
        struct Closed: Error {}
        let stream = EventStream(subscription: log.subscribe(), clock: clock)
        await #expect(throws: Closed.self) { try await stream.run { _ in throw Closed() } }
        let task = start(log.subscribe())
        try await waitUntil { !output.value.isEmpty }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }
}
