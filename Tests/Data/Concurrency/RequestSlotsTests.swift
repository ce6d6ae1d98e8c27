import BrowseDomain
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseData
import BrowseMocks

@Suite(.bounded)
struct `Request slots` {
    /// Counts concurrent visits.
    private final class Room: Sendable {
        private let counts = Mutex((now: 0, most: 0, visits: 0))

        var most: Int { counts.withLock { $0.most } }
        var visits: Int { counts.withLock { $0.visits } }

        func visit() async {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            // Random interleaving with other tasks.
            for _ in 0..<3 { await Task.yield() }
            counts.withLock { counts in
                counts.now -= 1
                counts.visits += 1
            }
        }
    }

    /// Work with a slot, which continues until the test ends it.
    private final class Works: Sendable {
        private struct State {
            var names: [String] = []
            /// The tasks that had to wait for a slot.
            var waited: Set<String> = []
            var held: [String: CheckedContinuation<Void, Never>] = [:]
            var most = 0
        }

        private let state = Monitor(State())

        var names: [String] { state.value.names }
        var most: Int { state.value.most }

        /// The tasks that have a slot.
        var held: Set<String> { Set(state.value.held.keys) }

        func hold(_ name: String) async {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.names.append(name)
                    state.held[name] = continuation
                    state.most = max(state.most, state.held.count)
                }
            }
        }

        /// Records that a task has to wait for a slot.
        func willWait(_ name: String) { state.withLock { _ = $0.waited.insert(name) } }

        /// Waits until a task has a slot or waits for one.
        func waitForArrival(of name: String) async {
            await state.wait { $0.held[name] != nil || $0.waited.contains(name) }
        }

        /// Waits until any task has a slot.
        func wait(for name: String) async {
            await state.wait { $0.held[name] != nil }
        }

        func letGo(_ name: String) async {
            await wait(for: name)
            state.withLock { $0.held.removeValue(forKey: name) }?.resume()
        }
    }

    /// Starts a task that uses a slot until the test ends it.
    private func begin(
        _ name: String,
        _ priority: CoalescedPriority,
        in slots: RequestSlots,
        _ works: Works
    ) -> Task<Void, any Error> {
        Task {
            try await slots.withSlot(.of(priority), willWait: { works.willWait(name) }) { () throws(BrowseError) in
                await works.hold(name)
            }
        }
    }

    @Test func `limit concurrency, and admit every task eventually`() async {
        let slots = RequestSlots(7)
        let room = Room()
        await withTaskGroup { group in
            for _ in 0..<1000 {
                group.addTask {
                    _ = await Result.of { () throws(BrowseError) in
                        try await slots.withSlot(LoadOptions(), room.visit)
                    }
                }
            }
        }
        #expect(room.most <= 7)
        #expect(room.visits == 1000)
        #expect(slots.waiting == 0)
    }

    @Test func `admit by priority, including priorities raised while waiting`() async throws {
        let (slots, works) = (RequestSlots(1), Works())
        let raised = CoalescedPriority(.prefetch)
        func start(_ name: String, _ urgency: CoalescedPriority) async -> Task<Void, any Error> {
            let task = begin(name, urgency, in: slots, works)
            await works.waitForArrival(of: name)
            return task
        }
        var tasks = [await start("first", CoalescedPriority(.prefetch))]
        tasks.append(await start("prefetched", CoalescedPriority(.prefetch)))
        tasks.append(await start("raised", raised))
        tasks.append(await start("visible", CoalescedPriority(.visible)))
        raised.raise(to: .visible)
        for name in ["first", "raised", "visible", "prefetched"] { await works.letGo(name) }
        for task in tasks { try await task.value }
        // The raised waiter is older than the one that was visible from the start.
        #expect(works.names == ["first", "raised", "visible", "prefetched"])
        #expect(works.most == 1)
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 2), (6, 5)])
    func `reserve the last slot for visible requests, unless there's only one`(count: Int, most: Int) async throws {
        let (slots, works) = (RequestSlots(count), Works())
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<8 {
            tasks.append(begin("\(number)", CoalescedPriority(number < 7 ? .prefetch : .visible), in: slots, works))
            await works.waitForArrival(of: "\(number)")
        }
        #expect(works.names.count == count)
        #expect(works.names.count { $0 != "7" } <= most)
        for left in stride(from: 8, to: 0, by: -1) {
            try await waitUntil { !works.held.isEmpty }
            let name = try #require(works.held.min(), "\(left) left")
            await works.letGo(name)
            try await tasks[try #require(Int(name))].value
        }
        #expect(works.names.count == 8)
    }

    @Test(arguments: 0..<30)
    func `match a simple list while callers arrive, leave, cancel, or change priority`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let (count, works) = (Int.random(in: 1...4, using: &random), Works())
        let slots = RequestSlots(count)
        var tasks: [String: (task: Task<Void, any Error>, urgency: CoalescedPriority)] = [:]
        var line: [(name: String, priority: LoadPriority)] = []
        var inside: Set<String> = []
        for number in 0..<120 {
            let waiting = line.randomElement(using: &random)?.name
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2:
                let name = "\(number)"
                let urgency = CoalescedPriority(Bool.random(using: &random) ? .visible : .prefetch)
                tasks[name] = (begin(name, urgency, in: slots, works), urgency)
                await works.waitForArrival(of: name)
                line.append((name, urgency.priority))
            case 3:
                if let waiting {
                    tasks[waiting]?.task.cancel()
                    line.removeAll { $0.name == waiting }
                }
            case 4:
                if let waiting, let place = line.firstIndex(where: { $0.name == waiting }) {
                    tasks[waiting]?.urgency.raise(to: .visible)
                    slots.reconsider()
                    line[place].priority = .visible
                }
            default:
                if let name = inside.min() {
                    await works.letGo(name)
                    inside.remove(name)
                    // The slot is released when the call returns.
                    try await tasks[name]?.task.value
                }
            }
            // The oldest waiters of the highest priority, as long as they're admitted.
            while let next = line.first(where: { $0.priority == .visible }) ?? line.first,
                count - inside.count > (next.priority == .visible || count == 1 ? 0 : 1)
            {
                inside.insert(next.name)
                line.removeAll { $0.name == next.name }
            }
            try await waitUntil { works.held == inside }
            #expect(slots.waiting == line.count, "step \(number)")
        }
        for (task, _) in tasks.values { task.cancel() }
        for name in inside { await works.letGo(name) }
        for (task, _) in tasks.values { _ = await task.result }
        #expect(works.most <= count)
    }

    @Test func `aren't taken by waiters that were canceled`() async throws {
        let (slots, works) = (RequestSlots(1), Works())
        let first = begin("1", CoalescedPriority(.visible), in: slots, works)
        await works.wait(for: "1")
        let second = begin("2", CoalescedPriority(.visible), in: slots, works)
        await works.waitForArrival(of: "2")
        #expect(slots.waiting == 1)
        second.cancel()
        await #expect(throws: BrowseError.cancelled) { try await second.value }
        #expect(slots.waiting == 0)
        await works.letGo("1")
        try await first.value
        let third = Task {
            try await slots.withSlot(LoadOptions()) { () throws(BrowseError) in 3 }
        }
        #expect(try await third.value == 3)
        #expect(works.names == ["1"])
    }

    @Test func `admit a waiter to the last slot as soon as its raised priority is considered`() async throws {
        let (slots, works) = (RequestSlots(2), Works())
        let first = begin("first", CoalescedPriority(.prefetch), in: slots, works)
        await works.wait(for: "first")
        let priority = CoalescedPriority(.prefetch)
        let second = begin("second", priority, in: slots, works)
        await works.waitForArrival(of: "second")
        slots.reconsider()
        #expect(slots.waiting == 1)
        priority.raise(to: .visible)
        slots.reconsider()
        #expect(slots.waiting == 0)
        for name in ["second", "first"] { await works.letGo(name) }
        for task in [first, second] { try await task.value }
    }
}

extension LoadOptions {
    fileprivate static func of(_ priority: CoalescedPriority) -> LoadOptions {
        var options = LoadOptions()
        options.sharedPriority = priority
        return options
    }
}
