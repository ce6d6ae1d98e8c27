import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded)
struct TestClockTests {
    let clock = TestClock()

    @Test func `A task that was canceled before does not sleep`() async {
        let task = Task { [clock] in
            await clock.waitForSleepers(1)
            try await clock.sleep(for: .seconds(1))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `A date advances with the clock, so that a limit ends when the test says`() async {
        let start = Date(timeIntervalSince1970: 1_000)
        let now = clock.now(from: start)
        #expect(now() == start)
        await clock.advance(by: .milliseconds(1_500))
        #expect(now() == start + 1.5)
    }

    @Test func `Nothing keeps a clock alive after its sleepers have left`() async {
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

    private actor Owner {
        private let isReleased: Monitor<Bool>

        init(_ isReleased: Monitor<Bool>) { self.isReleased = isReleased }

        deinit { isReleased.withLock { $0 = true } }

        func sleep(by clock: TestClock) async { try? await clock.sleep(for: .seconds(1)) }
    }

    @Test func `A canceled sleep doesn't keep its actor alive`() async throws {
        let isReleased = Monitor(false)
        let task = Task { [clock] in await Owner(isReleased).sleep(by: clock) }
        await clock.waitForSleepers(1)
        task.cancel()
        try await waitUntil(within: .seconds(60)) { isReleased.value }
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
