import BrowseMocks
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `Polling` {
    private let clock = TestClock()

    @Test func `tries again after each pause, until it succeeds`() async {
        let attempts = Monitor(0)
        let polling = Task { [clock] in
            await clock.poll(every: .milliseconds(5), for: .seconds(1)) {
                attempts.withLock {
                    $0 += 1; return $0 == 3 ? "third" : nil
                }
            }
        }
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            await clock.advance(by: .milliseconds(5))
        }
        #expect(await polling.value == "third")
        #expect(clock.now.offset == .milliseconds(10))
    }

    @Test func `ends with an attempt when the timeout has passed`() async {
        var times: [Duration] = []
        let value: Never? = await clock.poll(every: .milliseconds(5), for: .milliseconds(12)) {
            times.append(clock.now.offset)
            await clock.advance(by: .milliseconds(5))
            return nil
        }
        #expect(value == nil)
        #expect(times == [0, 5, 10, 15].map { .milliseconds($0) })
    }

    @Test func `doesn't sleep when the time of the pause has passed during the attempt`() async {
        var count = 0
        let value: Never? = await clock.poll(every: .milliseconds(5), for: .seconds(30)) {
            count += 1
            await clock.advance(by: .seconds(30))
            return nil
        }
        #expect(value == nil)
        #expect(count == 2)
    }

    @Test func `ends when the task is canceled`() async {
        let polling = Task { [clock] in
            let value: Never? = await clock.poll(every: .milliseconds(5), for: .seconds(1)) { nil }
            return value
        }
        await clock.waitForSleepers(1)
        polling.cancel()
        #expect(await polling.value == nil)
    }
}
