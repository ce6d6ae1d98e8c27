import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `A task coalescer` {
    private final class Joined: Sendable {
        private let count = Monitor(0)

        func add() { count.withLock { $0 += 1 } }
        func wait(for expected: Int) async {
            await count.wait { $0 >= expected }
        }
    }

    private let coalescer = TaskCoalescer<String, Int>()
    private let joined = Joined()
    private let responses = ControlledResponses<String, Int>()

    /// Starts a caller for a key; the test controls the result.
    private func wait(for key: String, priority: LoadPriority = .visible) -> Task<Result<Int, BrowseError>, Never> {
        Task {
            await Result.of { () throws(BrowseError) in
                try await coalescer.value(for: key, priority: priority, willJoin: joined.add) {
                    [responses] () throws(BrowseError) in try await responses.response(to: key)
                }
            }
        }
    }

    @Test func `runs the work once for all callers`() async {
        let tasks = (0..<1000).map { _ in wait(for: "a") }
        await joined.wait(for: 999)
        responses.answer(0, with: .success(7))
        for task in tasks { #expect(await task.value == .success(7)) }
        #expect(responses.requests.count == 1)
        #expect(coalescer.count == 0)
    }

    @Test func `runs the work per key, and again after it ends`() async {
        let (a, b) = (wait(for: "a"), wait(for: "b"))
        await responses.waitForRequests(2)
        responses.answer(0, with: .failure(.cancelled))
        responses.answer(1, with: .success(2))
        let results = [await a.value, await b.value]
        #expect(results.contains(.success(2)))
        #expect(results.contains(.failure(.cancelled)))
        let again = wait(for: "a")
        await responses.waitForRequests(3)
        responses.answer(2, with: .success(3))
        #expect(await again.value == .success(3))
    }

    @Test func `continues when a waiter cancels, and cancels with the last`() async {
        let first = wait(for: "a")
        await responses.waitForRequests(1)
        let second = wait(for: "a")
        let third = wait(for: "a")
        await joined.wait(for: 2)
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        #expect(responses.requests.count == 1)
        third.cancel()
        #expect(await third.value == .failure(.cancelled))
        #expect(coalescer.count == 0)
        // A later caller starts a new task, which the old one doesn't affect.
        let fourth = wait(for: "a")
        await responses.waitForRequests(2)
        responses.answer(1, with: .success(4))
        #expect(await fourth.value == .success(4))
    }

    @Test func `cancels the work when the last waiter cancels`() async {
        let isCancelled = Monitor(false)
        let hasBegun = Monitor(false)
        let only = Task { [coalescer] in
            await Result.of { () throws(BrowseError) in
                try await coalescer.value(for: "a") { () throws(BrowseError) -> Int in
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

    @Test func `has the highest priority of its waiters`() async {
        let seen = Mutex<CoalescedPriority?>(nil)
        let first = Task { [coalescer, responses] in
            await Result.of { () throws(BrowseError) in
                try await coalescer.value(for: "a", priority: .prefetch) { () throws(BrowseError) in
                    seen.withLock { $0 = CoalescedPriority.current }
                    return try await responses.response(to: "a")
                }
            }
        }
        await responses.waitForRequests(1)
        #expect(seen.withLock { $0?.priority } == .prefetch)
        let second = wait(for: "a", priority: .visible)
        await joined.wait(for: 1)
        #expect(seen.withLock { $0?.priority } == .visible)
        let third = wait(for: "a", priority: .visible)
        await joined.wait(for: 2)
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        #expect(seen.withLock { $0?.priority } == .visible)
        // Only the prefetch waits now.
        third.cancel()
        #expect(await third.value == .failure(.cancelled))
        #expect(seen.withLock { $0?.priority } == .prefetch)
        responses.answer(0, with: .success(1))
        #expect(await first.value == .success(1))
    }

    @Test func `follows the priority of a waiter that changes`() async {
        let seen = Monitor<CoalescedPriority?>(nil)
        let load = CoalescedPriority(.prefetch)
        let first = CoalescedPriority.$current.withValue(load) {
            Task { [coalescer, responses] in
                await Result.of { () throws(BrowseError) in
                    try await coalescer.value(for: "a") { () throws(BrowseError) in
                        seen.withLock { $0 = CoalescedPriority.current }
                        return try await responses.response(to: "a")
                    }
                }
            }
        }
        await responses.waitForRequests(1)
        #expect(seen.value?.priority == .prefetch)
        load.change(to: .visible)
        #expect(seen.value?.priority == .visible)
        let second = wait(for: "a", priority: .prefetch)
        await joined.wait(for: 1)
        load.change(to: .prefetch)
        #expect(seen.value?.priority == .prefetch)
        responses.answer(0, with: .success(1))
        #expect(await first.value == .success(1))
        #expect(await second.value == .success(1))
        // It isn't a waiter anymore.
        load.change(to: .visible)
        #expect(seen.value?.priority == .prefetch)
    }

    @Test func `ignores the priority of a load around a read with its own options`() async throws {
        let seen = try await CoalescedPriority.$current.withValue(CoalescedPriority(.visible)) {
            try await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
                let coalescer = TaskCoalescer<String, LoadPriority?>()
                return try await coalescer.value(for: "a", priority: LoadOptions.current.priority) {
                    () throws(BrowseError) in CoalescedPriority.current?.priority
                }
            }
        }
        #expect(seen.value == .prefetch)
    }

    @Test func `doesn't start the work for a canceled caller`() async {
        let task = Task { [coalescer] in
            await Monitor(()).wait { false }
            return await Result.of { () throws(BrowseError) in
                try await coalescer.value(for: "a") { () throws(BrowseError) in 1 }
            }
        }
        task.cancel()
        #expect(await task.value == .failure(.cancelled))
        #expect(coalescer.count == 0)
    }

    @Test func `ignores the late result of a canceled task`() async {
        let late = ControlledResponses<String, Int>()
        let hasEnded = Monitor(false)
        let first = Lifetime.$current.withValue(Lifetime { hasEnded.withLock { $0 = true } }) {
            Task {
                await Result.of { () throws(BrowseError) in
                    try await coalescer.value(for: "a") { [late] () throws(BrowseError) in
                        // An unstructured task isn't canceled.
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
        await responses.waitForRequests(1)
        late.answer(0, with: .success(1))
        await hasEnded.wait { $0 }
        #expect(coalescer.count == 1)
        responses.answer(0, with: .success(2))
        #expect(await second.value == .success(2))
    }
}

/// Reports the end of the last task that inherited it as a task-local value.
private final class Lifetime: Sendable {
    @TaskLocal static var current: Lifetime?

    private let didEnd: @Sendable () -> Void

    init(didEnd: @escaping @Sendable () -> Void) { self.didEnd = didEnd }

    deinit { didEnd() }
}
