/// Marks sleeps that enforce a time limit, as opposed to waits of the work itself.
///
/// A test clock counts sleeping tasks to decide when to advance. A time limit sleeps as long as the work runs, whatever its
/// progress, so `TestClock` wakes time limits but doesn't count them.
package enum TimeLimit {
    /// Whether the current task sleeps until a time limit.
    ///
    /// It's task-local, so that it also reaches a clock wrapped by another clock.
    @TaskLocal package static var isSleeping = false

    /// The longest limit; system clocks crash on deadlines too far ahead.
    package static let longest = Duration.seconds(1_000_000)
}

extension Clock<Duration> {
    /// Runs an action when a time limit expires, unless the returned task is canceled first.
    ///
    /// The limit counts from the call, not from when the task starts to run.
    ///
    /// - Parameters:
    ///   - duration: The limit, clamped to ``TimeLimit/longest``.
    ///   - isMarked: Whether to mark the sleep; `false` for waits of the work itself.
    ///   - expire: Ends the work. It may run while the task is being canceled.
    package func startTimeLimit(
        of duration: Duration,
        isMarked: Bool = true,
        expire: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        let deadline = now.advanced(by: min(duration, TimeLimit.longest))
        return Task {
            let slept: Void? = try? await TimeLimit.$isSleeping.withValue(isMarked) {
                try await sleep(until: deadline, tolerance: nil)
            }
            if slept != nil { expire() }
        }
    }
}
