import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct ClockVariantTests {
    @Test func `A test clock runs work that sleeps again and again`() async throws {
        let clock = TestClock()
        let count = try await clock.run {
            for seconds in 1...10 { try await clock.sleep(for: .seconds(seconds)) }
            return 10
        }
        #expect(count == 10)
        #expect(clock.now.offset == .seconds(55))
        #expect(clock.sleeperCount == 0)
    }

    @Test func `A running clock lets time limits expire only when a sleep is longer`() async throws {
        let clock = TestClock()
        let server = ScriptedServer(clock: clock)
        server.on(.get, "/fast", response: .json("1").delayed(by: .seconds(5)))
        server.on(.get, "/slow", response: .json("1").delayed(by: .seconds(5000)))
        let transport = server.transport()
        #expect(try await clock.run { try await transport.get("/fast").text } == "1")
        let error = await clock.run { await failure { () throws(BrowseError) in try await transport.get("/slow") } }
        #expect(error == .timedOut(BrowseError.RequestInfo(endpoint: "TEST")))
    }

    @Test @MainActor
    func `A test clock runs until nothing sleeps`() async {
        let clock = TestClock()
        let log = Log()
        for name in ["a", "b"] {
            Task {
                for seconds in 1...3 {
                    try await clock.sleep(for: .seconds(seconds))
                    log.add("\(name)\(seconds)")
                }
            }
        }
        let limit = clock.startTimeLimit(of: .seconds(5000)) { log.add("expired") }
        defer { limit.cancel() }
        await clock.waitForSleepers(2)
        await clock.run()
        #expect(log.entries == ["a1", "b1", "a2", "b2", "a3", "b3"])
        #expect(clock.now.offset == .seconds(6))
        #expect(clock.sleeperCount == 0)
        // Without sleepers, the time doesn't change.
        await clock.run()
        #expect(clock.now.offset == .seconds(6))
    }

    @Test @MainActor
    func `Canceling ends a run over an endless loop`() async {
        let clock = TestClock()
        let loop = Task {
            while true { try await clock.sleep(for: .seconds(1)) }
        }
        await clock.waitForSleepers(1)
        let run = Task { await clock.run() }
        run.cancel()
        await run.value
        loop.cancel()
        await #expect(throws: CancellationError.self) { try await loop.value }
    }

    @Test func `An immediate clock skips delays, and its time limits never expire`() async throws {
        let clock = ImmediateClock()
        let server = ScriptedServer(clock: clock)
        server.on(.get, "/a", response: .json("1").delayed(by: .seconds(5000)))
        #expect(try await server.transport().get("/a").text == "1")
        #expect(clock.now.offset == .seconds(5000))
        let isCanceled = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return (try? await clock.sleep(for: .seconds(1))) == nil
        }
        .value
        #expect(isCanceled)
    }
}
