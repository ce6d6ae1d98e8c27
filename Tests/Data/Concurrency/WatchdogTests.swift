import BrowseMocks
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `A watchdog` {
    private let clock = TestClock()
    private let expired = Monitor<[Int]>([])

    private func start(_ name: Int, _ watchdog: Watchdog, _ milliseconds: Int) -> Int {
        watchdog.start(.milliseconds(milliseconds)) { [expired] in expired.withLock { $0.append(name) } }
    }

    @Test func `ends waits at their limits, by one sleeping task`() async {
        let watchdog = Watchdog(clock: clock)
        _ = start(1, watchdog, 50)
        await clock.waitForSleepersAndTimeLimits(1)
        _ = start(2, watchdog, 70)
        await clock.advance(by: .milliseconds(50))
        await expired.wait { $0 == [1] }
        // Another sleep for the second wait, and none for the first.
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(20))
        await expired.wait { $0 == [1, 2] }
    }

    @Test func `wakes earlier for a wait that ends earlier`() async {
        let watchdog = Watchdog(clock: clock)
        _ = start(1, watchdog, 50)
        _ = start(2, watchdog, 10)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(10))
        await expired.wait { $0 == [2] }
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(40))
        await expired.wait { $0 == [2, 1] }
    }

    @Test func `doesn't end a wait that was stopped`() async {
        let watchdog = Watchdog(clock: clock)
        let stopped = start(1, watchdog, 10)
        _ = start(2, watchdog, 20)
        watchdog.stop(stopped)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(10))
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(10))
        await expired.wait { !$0.isEmpty }
        #expect(expired.value == [2])
    }

    @Test func `ends no wait after its deallocation`() async {
        var watchdog: Watchdog? = Watchdog(clock: clock)
        weak let remains = watchdog
        if let watchdog { _ = start(1, watchdog, 50) }
        await clock.waitForSleepersAndTimeLimits(1)
        watchdog = nil
        #expect(remains == nil)
        await clock.advance(by: .milliseconds(50))
        #expect(expired.value.isEmpty)
    }
}
