import BrowseDomain
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData
import BrowseMocks

/// Admits callers from a priority on.
private struct Threshold: AdmissionRule {
    /// The raw value of the lowest admitted priority; initially above all.
    var lowest = LoadPriority.visible.rawValue + 1
    /// The time at which capacity is expected.
    var end: Duration?
    /// The number of callers it still admits.
    var capacity = Int.max
    var refusalsGiven = 0

    mutating func admit(_ priority: LoadPriority, at now: Duration) -> Bool {
        if let end, end <= now { lowest = LoadPriority.prefetch.rawValue }
        guard priority.rawValue >= lowest, capacity > 0 else { return false }
        capacity -= 1
        return true
    }

    func refusal(at now: Duration) -> (reason: String, end: Duration?) { ("closed", end) }
}

@Suite(.bounded)
struct `A request queue` {
    private enum Leaving: Equatable {
        case admitted(String), refused(String), cancelled(String)
    }

    private let clock = TestClock()
    private let queue: RequestQueue<Threshold>
    private let joined = Monitor(0)
    private let left = Monitor<[Leaving]>([])

    init() {
        queue = RequestQueue(Threshold(), clock: clock, alarmsAreTimeLimits: false)
    }

    private func enter(_ name: String, _ priority: CoalescedPriority, until deadline: Duration? = nil) async {
        let outcome = await queue.enter(priority, until: deadline) { _ in joined.withLock { $0 += 1 } }
        left.withLock {
            switch outcome {
            case .admitted: $0.append(.admitted(name))
            case .refused: $0.append(.refused(name))
            case .cancelled: $0.append(.cancelled(name))
            }
        }
    }

    /// Starts a caller, and returns once it waits.
    private func wait(
        _ name: String,
        _ priority: CoalescedPriority = CoalescedPriority(.visible),
        until deadline: Duration? = nil
    ) async -> Task<Void, Never> {
        let count = joined.withLock { $0 }
        let task = Task { await enter(name, priority, until: deadline) }
        await joined.wait { $0 > count }
        return task
    }

    private func open(to lowest: LoadPriority = .prefetch, capacity: Int = .max) {
        queue.update { rule, _ in (rule.lowest, rule.capacity) = (lowest.rawValue, capacity) }
    }

    @Test func `admits callers of one priority first come, first served`() async {
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 { tasks.append(await wait("\(number)")) }
        for number in 0..<5 {
            open(capacity: 1)
            await left.wait { $0.count == number + 1 }
        }
        #expect(left.withLock { $0 } == (0..<5).map { .admitted("\($0)") })
        for task in tasks { await task.value }
    }

    @Test func `makes callers wait behind others even if there's capacity`() async {
        let queue = RequestQueue(Threshold(end: .seconds(1)), clock: clock, alarmsAreTimeLimits: true)
        let outcomes = Monitor<[String]>([])
        let waits = Monitor(0)
        func enter(_ name: String) -> Task<Void, Never> {
            Task {
                _ = await queue.enter(CoalescedPriority(.visible), until: nil) { _ in waits.withLock { $0 += 1 } }
                outcomes.withLock { $0.append(name) }
            }
        }
        let first = enter("first")
        await waits.wait { $0 == 1 }
        // The deadline is in the same second as the alarm, which hasn't fired yet.
        queue.update { rule, _ in rule.end = .seconds(60) }
        let second = enter("second")
        await waits.wait { $0 == 2 }
        queue.update { rule, _ in rule.end = .zero }
        await first.value
        await second.value
        #expect(queue.waiting == 0)
    }

    @Test func `admits a caller before waiters of a lower priority`() async {
        let priority = CoalescedPriority(.prefetch)
        let first = await wait("first", priority)
        open(to: .visible)
        #expect(queue.waiting == 1)
        await enter("second", CoalescedPriority(.visible))
        #expect(queue.waiting == 1)
        // A raised priority admits the waiter too.
        priority.change(to: .visible)
        await first.value
        #expect(left.withLock { $0 } == [.admitted("second"), .admitted("first")])
    }

    @Test func `refuses callers that can't wait, and callers with a deadline before capacity is expected`() async {
        queue.update { rule, _ in rule.end = .seconds(100) }
        await enter("impatient", CoalescedPriority(.visible), until: .zero)
        await enter("too impatient", CoalescedPriority(.visible), until: .seconds(99))
        let patient = await wait("patient", until: .seconds(100))
        #expect(left.withLock { $0 } == [.refused("impatient"), .refused("too impatient")])
        await clock.advance(by: .seconds(100))
        await patient.value
        #expect(left.withLock { $0.last } == .admitted("patient"))
    }

    @Test func `admits a caller that can't wait before waiters`() async {
        let first = await wait("first", until: .seconds(100))
        queue.update { rule, _ in rule.capacity = 0 }
        queue.update { rule, _ in rule.lowest = 0 }
        let second = Task {
            // There's capacity for one caller, but no waiter has been resumed.
            await enter("impatient", CoalescedPriority(.visible), until: .zero)
        }
        await second.value
        #expect(left.withLock { $0 } == [.refused("impatient")])
        open()
        await first.value
    }

    @Test func `refuses each waiter at its deadline, with one alarm`() async {
        let tasks = [
            await wait("10", until: .seconds(10)), await wait("30", until: .seconds(30)),
            await wait("20", until: .seconds(20)),
        ]
        await clock.waitForSleepers(1)
        #expect(clock.sleeperCount == 1)
        await clock.advance(by: .seconds(10))
        await left.wait { $0 == [.refused("10")] }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(10))
        await left.wait { $0 == [.refused("10"), .refused("20")] }
        open()
        for task in tasks { await task.value }
        #expect(left.withLock { $0.last } == .admitted("30"))
    }

    @Test func `refuses waiters when the expected capacity moves beyond their deadline`() async {
        let (short, long) = (await wait("short", until: .seconds(10)), await wait("long", until: .seconds(60)))
        queue.update { rule, _ in rule.end = .seconds(50) }
        await short.value
        #expect(left.withLock { $0 } == [.refused("short")])
        #expect(queue.waiting == 1)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(50))
        await long.value
        #expect(left.withLock { $0.last } == .admitted("long"))
    }

    @Test func `doesn't enqueue a caller that is canceled already`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await enter("cancelled", CoalescedPriority(.visible))
        }
        await task.value
        #expect(left.withLock { $0 } == [.cancelled("cancelled")])
        #expect(queue.waiting == 0)
    }

    @Test func `cancels the alarm when the last waiter leaves`() async {
        let task = await wait("only", until: .seconds(10))
        await clock.waitForSleepers(1)
        task.cancel()
        await task.value
        #expect(left.withLock { $0 } == [.cancelled("only")])
        #expect(clock.sleeperCount == 0)
    }

    @Test func `reports a waiting caller only once updates can resume it`() async {
        let outcome = await queue.enter(CoalescedPriority(.visible), until: nil) { _ in
            // Like an alarm that fires immediately.
            queue.update { rule, _ in rule.lowest = 0 }
        }
        guard case .admitted = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `admits a thousand waiters once each after an update`() async {
        var tasks: [Task<Void, Never>] = []
        for number in 0..<1000 {
            tasks.append(Task { await enter("\(number)", CoalescedPriority(number % 3 == 0 ? .prefetch : .visible)) })
        }
        await joined.wait { $0 == 1000 }
        open(capacity: 400)
        await left.wait { $0.count == 400 }
        #expect(queue.waiting == 600)
        open(capacity: 600)
        for task in tasks { await task.value }
        #expect(Set(left.withLock { $0.map { "\($0)" } }).count == 1000)
        #expect(queue.rule.capacity == 0)
    }

    @Test(arguments: 0..<40)
    func `matches a sorted list while callers arrive, leave, and change priority at random`(seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        struct Caller {
            let name: Int
            var priority: LoadPriority
            let deadline: Duration?
        }
        var model: [Caller] = []
        var expected: [String] = []
        var callers: [Int: (task: Task<Void, Never>, priority: CoalescedPriority)] = [:]
        var now = Duration.zero
        queue.update { rule, _ in rule.capacity = 0 }
        queue.update { rule, _ in rule.lowest = 0 }
        func admit(_ count: Int) {
            for _ in 0..<count {
                guard
                    let index = model.indices.min(by: { one, other in
                        (model[other].priority, one) < (model[one].priority, other)
                    })
                else { break }
                expected.append("admitted(\"\(model.remove(at: index).name)\")")
            }
        }
        for name in 0..<150 {
            let known = model.randomElement(using: &random)?.name
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4:
                let priority: LoadPriority = Bool.random(using: &random) ? .visible : .prefetch
                let deadline: Duration? =
                    Bool.random(using: &random) ? nil : now + .seconds(Int.random(in: 1...30, using: &random))
                let shared = CoalescedPriority(priority)
                callers[name] = (await wait("\(name)", shared, until: deadline), shared)
                model.append(Caller(name: name, priority: priority, deadline: deadline))
            case 5:
                guard let known else { continue }
                callers[known]?.task.cancel()
                model.removeAll { $0.name == known }
                expected.append("cancelled(\"\(known)\")")
            case 6, 7:
                guard let known, let index = model.firstIndex(where: { $0.name == known }) else { continue }
                let priority: LoadPriority = model[index].priority == .visible ? .prefetch : .visible
                callers[known]?.priority.change(to: priority)
                model[index].priority = priority
            case 8:
                let capacity = Int.random(in: 1...3, using: &random)
                let count = min(capacity, model.count)
                admit(capacity)
                queue.update { rule, _ in rule.capacity = count }
            default:
                let seconds = Int.random(in: 1...10, using: &random)
                // Second by second, because an alarm is rescheduled only after it fires.
                for _ in 0..<seconds {
                    now += .seconds(1)
                    let expired = model.filter { $0.deadline.map { $0 <= now } ?? false }
                    model.removeAll { $0.deadline.map { $0 <= now } ?? false }
                    expected += expired.map { "refused(\"\($0.name)\")" }
                    if model.contains(where: { $0.deadline != nil }) || !expired.isEmpty {
                        await clock.waitForSleepers(1)
                    }
                    await clock.advance(by: .seconds(1))
                    let count = expected.count
                    await left.wait { $0.count == count }
                }
            }
            let count = expected.count
            await left.wait { $0.count == count }
            #expect(queue.waiting == model.count, "step \(name)")
        }
        #expect(left.withLock { $0.map { "\($0)" } }.sorted() == expected.sorted())
        for (task, _) in callers.values { task.cancel() }
        for (task, _) in callers.values { await task.value }
        #expect(queue.waiting == 0)
        #expect(clock.sleeperCount == 0)
    }

    @Test(arguments: 0..<20)
    func `loses no slot and no waiter when cancellations race with admissions`(seed: UInt64) async {
        let slots = RequestQueue(limit: 3)
        let info = BrowseError.RequestInfo(endpoint: "GET /")
        let inside = Monitor((now: 0, most: 0))
        var random = SeededGenerator(seed: seed)
        await withTaskGroup { group in
            for number in 0..<300 {
                let priority = CoalescedPriority(number % 2 == 0 ? .visible : .prefetch)
                let task = Task {
                    _ = await thrown { () throws(BrowseError) in
                        try await slots.withSlot(priority, for: info) { () throws(BrowseError) in
                            inside.withLock { inside in
                                inside.now += 1
                                inside.most = max(inside.most, inside.now)
                            }
                            // Random interleaving with cancellations and new callers.
                            await Task.yield()
                            inside.withLock { $0.now -= 1 }
                        }
                    }
                }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: group.addTask { task.cancel() }
                case 1: group.addTask { priority.change(to: number % 2 == 0 ? .prefetch : .visible) }
                default: break
                }
                group.addTask { await task.value }
            }
        }
        #expect(slots.waiting == 0)
        #expect(inside.withLock { $0.most } <= 3)
        // No slot is lost.
        let held = Monitor(0)
        let tasks = (0..<3).map { _ in
            Task {
                _ = await thrown { () throws(BrowseError) in
                    try await slots.withSlot(CoalescedPriority(.visible), for: info) { () throws(BrowseError) in
                        held.withLock { $0 += 1 }
                        await held.wait { $0 >= 3 }
                    }
                }
            }
        }
        for task in tasks { await task.value }
    }
}
