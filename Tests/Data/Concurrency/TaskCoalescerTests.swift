import BrowseDomain
import BrowseMocks
import Synchronization
import Testing

@testable import BrowseData

@Suite(.timeLimit(.minutes(5)))
struct `Work that several wait for` {
    private final class Joined: Sendable {
        private let count = Monitor(0)

        func add() { count.withLock { $0 += 1 } }
        func wait(for expected: Int) async {
            await count.wait { $0 >= expected }
        }
    }

    private let work = TaskCoalescer<String, Int>()
    private let joined = Joined()
    private let held = ControlledResponses<String, Int>()

    /// Waits for the piece of work of a key; the test lets it go.
    private func wait(for key: String, priority: LoadPriority = .visible) -> Task<Result<Int, BrowseError>, Never> {
        Task {
            await Result.of { () throws(BrowseError) in
                try await work.value(for: key, priority: priority, willJoin: joined.add) {
                    [held] () throws(BrowseError) in try await held.response(to: key)
                }
            }
        }
    }

    @Test func `is done once, and all get what came of it`() async {
        let tasks = (0..<1000).map { _ in wait(for: "a") }
        await joined.wait(for: 999)
        held.answer(0, with: .success(7))
        for task in tasks { #expect(await task.value == .success(7)) }
        #expect(held.requests.count == 1)
        #expect(work.count == 0)
    }

    @Test func `is done for each key, and again when it has ended`() async {
        let (a, b) = (wait(for: "a"), wait(for: "b"))
        await held.waitForRequests(2)
        held.answer(0, with: .failure(.cancelled))
        held.answer(1, with: .success(2))
        let results = [await a.value, await b.value]
        #expect(results.contains(.success(2)))
        #expect(results.contains(.failure(.cancelled)))
        let again = wait(for: "a")
        await held.waitForRequests(3)
        held.answer(2, with: .success(3))
        #expect(await again.value == .success(3))
    }

    @Test func `goes on when one of those who wait is canceled, and ends with the last`() async {
        let first = wait(for: "a")
        await held.waitForRequests(1)
        let second = wait(for: "a")
        let third = wait(for: "a")
        await joined.wait(for: 2)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        #expect(held.requests.count == 1)
        third.cancel()
        #expect(await third.value == .failure(.cancelled))
        #expect(work.count == 0)
        // What is wanted after that is a new piece, which the end of the old one does not touch.
        let fourth = wait(for: "a")
        await held.waitForRequests(2)
        held.answer(1, with: .success(4))
        #expect(await fourth.value == .success(4))
    }

    @Test func `is given up when the last of those who wait has gone`() async {
        let isCancelled = Monitor(false)
        let hasBegun = Monitor(false)
        let only = Task { [work] in
            await Result.of { () throws(BrowseError) in
                try await work.value(for: "a") { () throws(BrowseError) -> Int in
                    hasBegun.withLock { $0 = true }
                    await Monitor(()).wait { false }
                    isCancelled.withLock { $0 = true }
                    throw .cancelled
                }
            }
        }
        await hasBegun.wait { $0 }
        only.cancel()
        #expect(await only.value == .failure(.cancelled))
        await isCancelled.wait { $0 }
    }

    @Test func `is as urgent as the most urgent of those who wait`() async {
        let seen = Mutex<SharedPriority?>(nil)
        let first = Task { [work, held] in
            await Result.of { () throws(BrowseError) in
                try await work.value(for: "a", priority: .prefetch) { () throws(BrowseError) in
                    seen.withLock { $0 = SharedPriority.current }
                    return try await held.response(to: "a")
                }
            }
        }
        await held.waitForRequests(1)
        #expect(seen.withLock { $0?.priority } == .prefetch)
        let second = wait(for: "a", priority: .visible)
        await joined.wait(for: 1)
        #expect(seen.withLock { $0?.priority } == .visible)
        let third = wait(for: "a", priority: .visible)
        await joined.wait(for: 2)
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        #expect(seen.withLock { $0?.priority } == .visible)
        // Nobody who waits now is in a hurry.
        third.cancel()
        #expect(await third.value == .failure(.cancelled))
        #expect(seen.withLock { $0?.priority } == .prefetch)
        held.answer(0, with: .success(1))
        #expect(await first.value == .success(1))
    }

    @Test func `is not begun for somebody who was canceled before`() async {
        let task = Task { [work] in
            await Monitor(()).wait { false }
            return await Result.of { () throws(BrowseError) in
                try await work.value(for: "a") { () throws(BrowseError) in 1 }
            }
        }
        task.cancel()
        #expect(await task.value == .failure(.cancelled))
        #expect(work.count == 0)
    }

    @Test func `is not ended by a piece that was given up, and came late`() async {
        let late = ControlledResponses<String, Int>()
        let hasEnded = Monitor(false)
        let first = Lifetime.$current.withValue(Lifetime { hasEnded.withLock { $0 = true } }) {
            Task {
                await Result.of { () throws(BrowseError) in
                    try await work.value(for: "a") { [late] () throws(BrowseError) in
                        // A task of its own hears nothing of the cancellation.
                        try await Task {
                            await Result.of { () throws(BrowseError) in try await late.response(to: "a") }
                        }
                        .value.get()
                    }
                }
            }
        }
        await late.waitForRequests(1)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        let second = wait(for: "a")
        await held.waitForRequests(1)
        late.answer(0, with: .success(1))
        await hasEnded.wait { $0 }
        #expect(work.count == 1)
        held.answer(0, with: .success(2))
        #expect(await second.value == .success(2))
    }
}

/// Reports when the last task has ended that inherited it as a task-local value.
private final class Lifetime: Sendable {
    @TaskLocal static var current: Lifetime?

    private let didEnd: @Sendable () -> Void

    init(didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

    deinit { didEnd() }
}
