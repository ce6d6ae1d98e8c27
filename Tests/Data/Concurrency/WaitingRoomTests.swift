import BrowseDomain
import Foundation
import Synchronization
import Testing

@testable import BrowseData

@Suite(.timeLimit(.minutes(5)))
struct `A room that some wait for` {
    private typealias Room = WaitingRoom<Int>

    private let room = Room(0)
    private final class Order: Sendable {
        let names = Mutex<[String]>([])
    }

    private let order = Order()
    private static let refusal = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))

    /// Has somebody wait until they are let in by a change, and notes it.
    private func wait(_ name: String, until seconds: Double = .infinity) async -> Task<BrowseError?, Never> {
        let waiting = room.waiting
        let deadline = seconds.isInfinite ? Date.distantFuture : testNow + seconds
        let task = Task { [room] in
            await thrown { () throws(BrowseError) in
                try await room.enter(Urgency(.visible), until: deadline) { _ in .wait }
                order.names.withLock { $0.append(name) }
            }
        }
        while room.waiting == waiting { await Task.yield() }
        return task
    }

    private func change(until end: Double? = nil) {
        room.change({ _ in }) { _ in
            end == nil ? .enter : .wait
        } expire: { _ in
            end.map { (testNow + $0, Self.refusal) }
        }
    }

    @Test func `is not entered before those who wait, but by somebody who would not wait`() async {
        let first = await wait("first")
        let second = Task { [room] in
            await thrown { () throws(BrowseError) in
                try await room.enter(Urgency(.visible)) { _ in .enter }
                order.names.withLock { $0.append("second") }
            }
        }
        while room.waiting < 2 { await Task.yield() }
        #expect(
            await thrown { () throws(BrowseError) in
                try await room.enter(Urgency(.visible), isPatient: false) { _ in .enter }
            } == nil
        )
        #expect(room.waiting == 2)
        room.change({ _ in }) { _ in .enter }
        _ = await (first.value, second.value)
        #expect(order.names.withLock { Set($0) } == ["first", "second"])
    }

    @Test func `refuses somebody also while others wait`() async {
        let first = await wait("first")
        let error = await thrown { () throws(BrowseError) in
            try await room.enter(Urgency(.visible)) { _ in .refuse(Self.refusal) }
        }
        #expect(error == Self.refusal)
        change()
        #expect(await first.value == nil)
    }

    @Test func `is given up by each whose time is over, one after the other`() async {
        let tasks = [await wait("10", until: 10), await wait("20", until: 20), await wait("30", until: 30)]
        #expect(room.earliestDeadline == testNow + 10)
        change(until: 15)
        #expect(await tasks[0].value == Self.refusal)
        #expect(room.waiting == 2)
        #expect(room.earliestDeadline == testNow + 20)
        change(until: 25)
        #expect(await tasks[1].value == Self.refusal)
        change()
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
                    room.change({ _ in }) { _ in .enter }
                } _: { _ in
                    .wait
                }
            }
        }
        #expect(await task.value == nil)
    }
}
