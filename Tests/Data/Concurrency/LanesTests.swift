import BrowseDomain
import Synchronization
import Testing

@testable import BrowseData

@Suite(.timeLimit(.minutes(5)))
struct `A number of lanes` {
    /// Counts who is in it at once.
    private final class Room: Sendable {
        private let counts = Mutex((now: 0, most: 0, visits: 0))

        var most: Int { counts.withLock { $0.most } }
        var visits: Int { counts.withLock { $0.visits } }

        func visit() async {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
            for _ in 0..<3 { await Task.yield() }
            counts.withLock { counts in
                counts.now -= 1
                counts.visits += 1
            }
        }
    }

    /// What is done in a lane, held until it is let go.
    private final class Works: Sendable {
        private struct State {
            var names: [String] = []
            var held: [String: CheckedContinuation<Void, Never>] = [:]
            var most = 0
        }

        private let state = Mutex(State())

        var names: [String] { state.withLock { $0.names } }
        var most: Int { state.withLock { $0.most } }

        func hold(_ name: String) async {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.names.append(name)
                    state.held[name] = continuation
                    state.most = max(state.most, state.held.count)
                }
            }
        }

        func letGo(_ name: String) async {
            while true {
                if let held = state.withLock({ $0.held.removeValue(forKey: name) }) { return held.resume() }
                await Task.yield()
            }
        }
    }

    @Test func `let no more through at once than there are, and every one in the end`() async {
        let lanes = Lanes(count: 7)
        let room = Room()
        await withTaskGroup { group in
            for _ in 0..<1000 {
                group.addTask {
                    _ = await Result.of { () throws(BrowseError) in
                        try await lanes.pass(Urgency(.visible), room.visit)
                    }
                }
            }
        }
        #expect(room.most <= 7)
        #expect(room.visits == 1000)
        #expect(lanes.waiting == 0)
    }

    @Test func `let the most urgent through first, also one that has become so while it waited`() async throws {
        let (lanes, works) = (Lanes(count: 1), Works())
        let raised = Urgency(.prefetch)
        func start(_ name: String, _ urgency: Urgency) async -> Task<Void, any Error> {
            let (waiting, begun) = (lanes.waiting, works.names.count)
            let task = Task {
                try await lanes.pass(urgency) { () throws(BrowseError) in await works.hold(name) }
            }
            while lanes.waiting == waiting, works.names.count == begun { await Task.yield() }
            return task
        }
        var tasks = [await start("first", Urgency(.prefetch))]
        tasks.append(await start("prefetched", Urgency(.prefetch)))
        tasks.append(await start("raised", raised))
        tasks.append(await start("visible", Urgency(.visible)))
        raised.change(to: .visible)
        for name in ["first", "raised", "visible", "prefetched"] { await works.letGo(name) }
        for task in tasks { try await task.value }
        // The one that was raised is older than the one that was visible from the beginning.
        #expect(works.names == ["first", "raised", "visible", "prefetched"])
        #expect(works.most == 1)
    }

    @Test func `are not taken by somebody who was cancelled while they waited`() async throws {
        let (lanes, works) = (Lanes(count: 1), Works())
        let first = Task { try await lanes.pass(Urgency(.visible)) { () throws(BrowseError) in await works.hold("1") } }
        while works.names.isEmpty { await Task.yield() }
        let second = Task {
            await thrown { () throws(BrowseError) in
                try await lanes.pass(Urgency(.visible)) { () throws(BrowseError) in await works.hold("2") }
            }
        }
        while lanes.waiting == 0 { await Task.yield() }
        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(lanes.waiting == 0)
        await works.letGo("1")
        try await first.value
        let third = Task { try await lanes.pass(Urgency(.visible)) { () throws(BrowseError) in 3 } }
        #expect(try await third.value == 3)
        #expect(works.names == ["1"])
    }
}
