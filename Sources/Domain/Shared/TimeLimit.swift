/// Marks sleeps that only end work that takes too long, as opposed to the waits of the work itself.
///
/// A test clock counts sleeping tasks to find out when it may move the time. A time limit sleeps from the start of the work
/// and says nothing about its progress, so `TestClock` wakes time limits but doesn't count them.
package enum TimeLimit {
    /// Whether the current task sleeps until a time limit.
    ///
    /// A task-local value rather than a protocol of clocks: it also reaches a clock that another clock wraps.
    @TaskLocal package static var isSleeping = false

    /// The longest limit; the system's clocks crash on deadlines too far ahead.
    package static let longest = Duration.seconds(1_000_000)
}

extension Clock<Duration> {
    /// Runs an action when a time limit expires, unless the returned task is canceled before.
    ///
    /// The limit counts from the call, not from when the task begins to run.
    ///
    /// - Parameters:
    ///   - duration: The limit; more than ``TimeLimit/longest`` is shortened to that.
    ///   - expire: Ends the work. It may run while the task is being canceled.
    package func startTimeLimit(
        of duration: Duration,
        expire: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        let deadline = now.advanced(by: min(duration, TimeLimit.longest))
        return Task {
            guard (try? await sleep(untilTimeLimit: deadline)) != nil else { return }
            expire()
        }
    }

    /// Sleeps until a time limit expires; tests don't wait for this sleep.
    ///
    /// Prefer ``startTimeLimit(of:expire:)``, whose limit counts from the start of the work.
    ///
    /// - Parameter duration: The limit; more than ``TimeLimit/longest`` is shortened to that.
    /// - Throws: `CancellationError` when the task is canceled.
    package func sleep(forTimeLimit duration: Duration) async throws {
        try await sleep(untilTimeLimit: now.advanced(by: min(duration, TimeLimit.longest)))
    }

    private func sleep(untilTimeLimit deadline: Instant) async throws {
        try await TimeLimit.$isSleeping.withValue(true) { try await sleep(until: deadline, tolerance: nil) }
    }
}
