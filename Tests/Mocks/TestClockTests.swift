import BrowseMocks
import TestSupport
import Testing
import TestLimits

@Suite(.bounded)
struct TestClockTests {
    let clock = TestClock()

    @Test
    func `Time stands still until it is moved, and never goes back`() async {
        #expect(clock.now == TestClock.Instant())
        await clock.advance(by: .seconds(2))
        #expect(clock.now.offset == .seconds(2))
        await clock.advance(to: TestClock.Instant(offset: .seconds(1)))
        await clock.advance(by: .seconds(-1))
        #expect(clock.now.offset == .seconds(2))
    }

    @Test
    func `A sleeper wakes at its deadline and not before`() async throws {
        let woken = Log()
        let task = Task { [clock] in
            try await clock.sleep(for: .milliseconds(300))
            woken.add("woken")
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: .milliseconds(299))
        #expect(clock.sleeperCount == 1)
        #expect(woken.entries.isEmpty)
        await clock.advance(by: .milliseconds(1))
        #expect(clock.sleeperCount == 0)
        try await task.value
        #expect(woken.entries == ["woken"])
    }

    @Test
    func `A deadline that has passed does not sleep`() async throws {
        await clock.advance(by: .seconds(5))
        try await clock.sleep(until: TestClock.Instant(offset: .seconds(5)))
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
    }

    @Test
    func `It can stand in for any clock that counts in Duration`() async throws {
        let anyClock: any Clock<Duration> = clock
        let task = Task { try await anyClock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(1))
        try await task.value
    }

    @Test
    @MainActor
    func `Sleepers wake by deadline, then by arrival, each at its own time`() async throws {
        let log = Log()
        var tasks: [Task<Void, any Error>] = []
        for (name, seconds) in [("late", 3), ("first", 1), ("tie, came first", 2), ("tie, came second", 2)] {
            tasks.append(
                Task { [clock] in
                    try await clock.sleep(until: TestClock.Instant(offset: .seconds(seconds)))
                    log.add("\(name) at \(clock.now)")
                }
            )
            await clock.waitForSleepers(tasks.count)
        }
        await clock.advance(by: .seconds(10))
        for task in tasks { try await task.value }
        #expect(
            log.entries == [
                "first at 1.0 seconds", "tie, came first at 2.0 seconds", "tie, came second at 2.0 seconds",
                "late at 3.0 seconds",
            ]
        )
        #expect(clock.now.offset == .seconds(10))
    }

    @Test
    func `A canceled sleeper leaves at once, with a cancellation error, and others sleep on`() async throws {
        let cancelled = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        let other = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(2)

        cancelled.cancel()
        #expect(clock.sleeperCount == 1)
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.now.offset == .zero)

        await clock.advance(by: .seconds(1))
        try await other.value
        #expect(clock.sleeperCount == 0)
    }

    @Test
    func `A task that was canceled before does not sleep`() async {
        let task = Task { [clock] in
            await clock.waitForSleepers(1)
            try await clock.sleep(for: .seconds(1))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test
    func `Nothing keeps a clock alive after its sleepers have left`() async {
        weak var gone: TestClock?
        do {
            let clock = TestClock()
            gone = clock
            let tasks = (1...20).map { n in Task { try? await clock.sleep(for: .seconds(n)) } }
            await clock.waitForSleepers(20)
            for task in tasks[..<10] { task.cancel() }
            await clock.advance(by: .seconds(20))
            for task in tasks { await task.value }
            #expect(clock.sleeperCount == 0)
        }
        #expect(gone == nil)
    }

    private actor Sleeper {
        private(set) var isAwake = false

        func sleep(by clock: TestClock) async throws {
            try await clock.sleep(for: .seconds(1))
            isAwake = true
        }
    }

    @Test
    @MainActor
    func `When advance returns, a task that slept on an actor has come to its next await`() async throws {
        for _ in 0..<2000 {
            var isAwake = false
            let sleeper = Sleeper()
            let here = Task { @MainActor [clock] in
                try await clock.sleep(for: .seconds(1))
                isAwake = true
            }
            let there = Task { [clock] in try await sleeper.sleep(by: clock) }
            await clock.waitForSleepers(2)
            await clock.advance(by: .seconds(1))
            #expect(isAwake)
            #expect(await sleeper.isAwake)
            try await here.value
            try await there.value
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    @MainActor
    func `Whatever is slept, canceled and moved, it does what a sorted list would do`(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let log = Log()
        var model = ClockModel()
        var tasks: [Int: Task<Void, Never>] = [:]

        for id in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let deadline = model.now + Int.random(in: -2...12, using: &random)
                tasks[id] = Task { [clock] in
                    do {
                        try await clock.sleep(until: TestClock.Instant(offset: .seconds(deadline)))
                        log.add("\(id) woke")
                    } catch {
                        log.add("\(id) cancelled")
                    }
                }
                if model.sleep(id, until: deadline) {
                    await clock.waitForSleepers(model.asleep.count)
                } else {
                    await tasks[id]?.value
                }
            case 6..<8:
                guard let victim = model.asleep.map(\.id).randomElement(using: &random) else { continue }
                model.cancel(victim)
                tasks[victim]?.cancel()
                #expect(clock.sleeperCount == model.asleep.count)
                await tasks[victim]?.value
            default:
                let target = model.now + Int.random(in: -1...6, using: &random)
                model.advance(to: target)
                await clock.advance(to: TestClock.Instant(offset: .seconds(target)))
            }
            #expect(clock.sleeperCount == model.asleep.count)
            #expect(clock.now.offset == .seconds(model.now))
            #expect(log.entries == model.log)
        }
        model.advance(to: model.now + 100)
        await clock.advance(by: .seconds(100))
        #expect(log.entries == model.log)
        #expect(clock.sleeperCount == 0)
    }
}

/// What a clock does, said in the plainest way.
private struct ClockModel {
    var now = 0
    var asleep: [(deadline: Int, id: Int)] = []
    var log: [String] = []

    mutating func sleep(_ id: Int, until deadline: Int) -> Bool {
        guard deadline > now else {
            log.append("\(id) woke")
            return false
        }
        asleep.append((deadline, id))
        return true
    }

    mutating func cancel(_ id: Int) {
        asleep.removeAll { $0.id == id }
        log.append("\(id) cancelled")
    }

    mutating func advance(to target: Int) {
        guard target > now else { return }
        // Ids grow with arrival.
        let due = asleep.filter { $0.deadline <= target }.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        asleep.removeAll { $0.deadline <= target }
        log += due.map { "\($0.id) woke" }
        now = target
    }
}
