import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
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
                try await coalescer.value(for: key, LoadOptions(priority: priority), willJoin: joined.add) {
                    [responses] _ throws(BrowseError) in try await responses.response(to: key)
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
                try await coalescer.value(for: "a") { _ throws(BrowseError) -> Int in
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
                try await coalescer.value(for: "a", LoadOptions(priority: .prefetch)) { priority throws(BrowseError) in
                    seen.withLock { $0 = priority }
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

    @Test func `follows the priority of a caller's load`() async {
        let seen = Monitor<CoalescedPriority?>(nil)
        var options = LoadOptions(priority: .prefetch)
        let load = CoalescedPriority(.prefetch)
        options.sharedPriority = load
        let first = Task { [coalescer, responses, options] in
            await Result.of { () throws(BrowseError) in
                try await coalescer.value(for: "a", options) { priority throws(BrowseError) in
                    seen.withLock { $0 = priority }
                    return try await responses.response(to: "a")
                }
            }
        }
        await responses.waitForRequests(1)
        #expect(seen.value?.priority == .prefetch)
        load.raise(to: .visible)
        #expect(seen.value?.priority == .visible)
        responses.answer(0, with: .success(1))
        #expect(await first.value == .success(1))
    }

    @Test func `ignores the priority of a load around a read with its own options`() async throws {
        var outer = LoadOptions()
        outer.sharedPriority = CoalescedPriority(.visible)
        let seen = try await outer.load { () throws(BrowseError) in
            try await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
                try await TaskCoalescer<String, LoadPriority>().value(for: "a", .current) {
                    priority throws(BrowseError) in priority.priority
                }
            }
        }
        #expect(seen.value.value == .prefetch)
    }

    /// Joins, cancels, and ends work of two keys at random; compares with a list of waiters for each.
    @Test(arguments: 0..<20)
    func `matches a simple model while callers arrive, cancel, and are answered`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var waiting: [String: (request: Int, callers: [Task<Result<Int, BrowseError>, Never>])] = [:]
        var requestCount = 0
        var joinCount = 0
        for step in 0..<200 {
            let key = Bool.random(using: &random) ? "a" : "b"
            switch Int.random(in: 0..<5, using: &random) {
            case 0...1:
                let caller = wait(for: key)
                if waiting[key] == nil {
                    await responses.waitForRequests(requestCount + 1)
                    waiting[key] = (requestCount, [caller])
                    requestCount += 1
                } else {
                    joinCount += 1
                    await joined.wait(for: joinCount)
                    waiting[key]?.callers.append(caller)
                }
            case 2...3:
                guard let index = waiting[key]?.callers.indices.randomElement(using: &random),
                    let caller = waiting[key]?.callers.remove(at: index)
                else { break }
                caller.cancel()
                #expect(await caller.value == .failure(.cancelled))
                if waiting[key]?.callers.isEmpty == true { waiting[key] = nil }
            default:
                guard let (request, callers) = waiting.removeValue(forKey: key) else { break }
                responses.answer(request, with: .success(step))
                for caller in callers { #expect(await caller.value == .success(step)) }
            }
            #expect(coalescer.count == waiting.count, "step \(step)")
        }
        for (request, callers) in waiting.values {
            responses.answer(request, with: .failure(.cancelled))
            for caller in callers { _ = await caller.value }
        }
    }

    @Test func `doesn't start the work for a canceled caller`() async {
        let task = Task { [coalescer] in
            await Monitor(()).wait { false }
            return await Result.of { () throws(BrowseError) in
                try await coalescer.value(for: "a") { _ throws(BrowseError) in 1 }
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
                    try await coalescer.value(for: "a") { [late] _ throws(BrowseError) in
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
