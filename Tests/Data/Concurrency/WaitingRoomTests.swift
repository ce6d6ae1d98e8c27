import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import Testing

@testable import BrowseData

@Suite(.timeLimit(.minutes(5)))
struct `A room that some wait for` {
    private typealias Room = WaitingRoom<Int>

    /// Open to some priorities and all above; nobody is above visible.
    private let room = Room(2) { least, priority in priority.rawValue >= least }
    private final class Order: Sendable {
        let names = Monitor<[String]>([])
    }

    private final class Door: Sendable {
        let isOpen = Mutex(false)
    }

    private let order = Order()
    /// How often a task has joined the line.
    private let joined = Monitor(0)
    private func didJoin(_: Int) { joined.withLock { $0 += 1 } }
    private static let refusal = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))

    /// Has somebody wait until they are let in by a change, and notes it.
    private func wait(
        _ name: String,
        _ urgency: Urgency = Urgency(.visible),
        until seconds: Double = .infinity
    ) async -> Task<BrowseError?, Never> {
        let before = joined.value
        let deadline = seconds.isInfinite ? Date.distantFuture : testNow + seconds
        let task = Task { [room] in
            await thrown { () throws(BrowseError) in
                try await room.enter(urgency, until: deadline, didJoin: didJoin) { _ in .wait }
                order.names.withLock { $0.append(name) }
            }
        }
        await joined.wait { $0 > before }
        return task
    }

    private func open(to least: LoadPriority = .prefetch) {
        room.change { $0 = least.rawValue }
    }

    private func close(until end: Double) {
        room.change({ _ in }, expire: { _ in (testNow + end, Self.refusal) })
    }

    @Test func `is not entered before those who wait, but by somebody who would not wait`() async {
        let first = await wait("first")
        let second = Task { [room] in
            await thrown { () throws(BrowseError) in
                try await room.enter(Urgency(.visible), didJoin: didJoin) { _ in .enter }
                order.names.withLock { $0.append("second") }
            }
        }
        await joined.wait { $0 == 2 }
        #expect(
            await thrown { () throws(BrowseError) in
                try await room.enter(Urgency(.visible), isPatient: false) { _ in .enter }
            } == nil
        )
        #expect(room.waiting == 2)
        open()
        _ = await (first.value, second.value)
        #expect(order.names.withLock { Set($0) } == ["first", "second"])
    }

    @Test func `is entered by somebody more urgent than those who wait, when it is open to them`() async {
        let urgency = Urgency(.prefetch)
        let first = await wait("first", urgency)
        open(to: .visible)
        #expect(room.waiting == 1)
        #expect(
            await thrown { () throws(BrowseError) in try await room.enter(Urgency(.visible)) { _ in .wait } } == nil
        )
        #expect(room.waiting == 1)
        // Nor does anybody wait any more who has become as urgent.
        urgency.change(to: .visible)
        #expect(await first.value == nil)
    }

    @Test func `is entered by age among those who are as urgent, also when it has opened without a change`()
        async throws
    {
        let door = Door()
        let room = Room(0) { _, _ in door.isOpen.withLock { $0 } }
        func enter(_ name: String) -> Task<Void, Never> {
            Task {
                _ = await thrown { () throws(BrowseError) in
                    try await room.enter(Urgency(.visible), didJoin: didJoin) { _ in .wait }
                }
                order.names.withLock { $0.append(name) }
            }
        }
        let first = enter("first")
        await joined.wait { $0 == 1 }
        door.isOpen.withLock { $0 = true }
        let second = enter("second")
        try await waitUntil { joined.value == 2 || !order.names.value.isEmpty }
        #expect(order.names.value.isEmpty)
        room.change { _ in }
        _ = await (first.value, second.value)
    }

    @Test func `refuses somebody also while others wait`() async {
        let first = await wait("first")
        let error = await thrown { () throws(BrowseError) in
            try await room.enter(Urgency(.visible)) { _ in .refuse(Self.refusal) }
        }
        #expect(error == Self.refusal)
        open()
        #expect(await first.value == nil)
    }

    @Test func `is given up by each whose time is over, one after the other`() async {
        let tasks = [await wait("10", until: 10), await wait("20", until: 20), await wait("30", until: 30)]
        #expect(room.earliestDeadline == testNow + 10)
        close(until: 15)
        #expect(await tasks[0].value == Self.refusal)
        #expect(room.waiting == 2)
        #expect(room.earliestDeadline == testNow + 20)
        close(until: 25)
        #expect(await tasks[1].value == Self.refusal)
        open()
        #expect(await tasks[2].value == nil)
        #expect(room.earliestDeadline == nil)
    }

    @Test func `is not waited for by somebody who was cancelled before`() async {
        let task = Task { [room] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await thrown { () throws(BrowseError) in
                try await room.enter(Urgency(.visible)) { _ in .wait }
            }
        }
        #expect(await task.value == .cancelled)
        #expect(room.waiting == 0)
    }

    @Test func `tells that somebody waits when a change can find them`() async {
        let task = Task { [room] in
            await thrown { () throws(BrowseError) in
                try await room.enter(Urgency(.visible)) { _ in
                    // As an alarm that rings at once.
                    room.change { $0 = 0 }
                } _: { _ in
                    .wait
                }
            }
        }
        #expect(await task.value == nil)
    }
}
