import Foundation
public import Testing

/// Limits how many tests run at once, and ends a test that hangs.
///
/// Swift Testing starts all tests of a run at once, so that each takes as long as all of them, and the time limits of the code under
/// test expire. Every suite has this trait. A test waits for its turn before its time starts.
public struct Bounded: SuiteTrait, TestTrait, TestScoping {
    /// The time after which a test counts as hung. Far longer than it takes on a busy machine.
    let limit: Duration

    /// `true`, because the trait also applies to the tests of nested suites.
    public var isRecursive: Bool { true }

    /// Waits for a turn, and runs a test within its time.
    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await Turns.shared.perform {
                try await withThrowingTaskGroup { group in
                    group.addTask(operation: function)
                    group.addTask {
                        try await Task.sleep(for: limit)
                        Issue.record("The test didn't end within \(limit).")
                    }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }
    }
}

extension Trait where Self == Bounded {
    /// A turn among a few tests for each core, and five minutes.
    public static var bounded: Self { bounded(minutes: 5) }

    /// A turn among a few tests for each core, and the given time.
    public static func bounded(minutes: Int) -> Self { Bounded(limit: .seconds(60 * minutes)) }
}

/// The turns of all tests of this process, first come, first served.
private actor Turns {
    static let shared = Turns()

    // More than one for each core, because tests wait for child processes and servers.
    private var free = 4 * ProcessInfo.processInfo.activeProcessorCount
    private var waiters: [CheckedContinuation<Void, Never>] = []

    nonisolated func perform(_ work: () async throws -> Void) async throws {
        await take()
        do {
            try await work()
            await giveBack()
        } catch {
            await giveBack()
            throw error
        }
    }

    private func take() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiters.append($0) } }
    }

    private func giveBack() {
        if waiters.isEmpty { free += 1 } else { waiters.removeFirst().resume() }
    }
}
