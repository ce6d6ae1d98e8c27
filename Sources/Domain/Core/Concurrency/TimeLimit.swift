/// Limits the time of work, as opposed to waits of the work itself.
///
/// A test clock counts sleeping tasks to decide when to advance. A time limit sleeps as long as the
/// work runs, whatever its progress, so `TestClock` wakes time limits but doesn't count them. It
/// recognizes them by ``tolerance``, which also reaches a clock wrapped by another clock.
package enum TimeLimit {
    /// The longest limit; system clocks crash on deadlines too far ahead.
    package static let longest = Duration.seconds(1_000_000)
    /// The tolerance of time limits, and of no other sleep: the seven microseconds are a mark.
    package static let tolerance = Duration.microseconds(10_007)
    /// The purpose of the pause that this task makes, which issues about a test's clock name.
    @TaskLocal package static var pause: String?
}

extension Clock<Duration> {
    /// Returns a function that returns the time since this call.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }

    /// Makes a pause before something else; returns whether it ended, rather than its task.
    package func pause(_ duration: Duration, before purpose: String) async -> Bool {
        await TimeLimit.$pause.withValue(purpose) { (try? await sleep(for: duration)) != nil }
    }

    /// Runs an action when a time limit expires, unless the returned task is canceled first.
    ///
    /// The limit counts from the call, not from when the task starts to run. `expire` may run while
    /// the task is being canceled.
    package func startTimeLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let deadline = now.advanced(by: min(max(duration, .zero), TimeLimit.longest))
        return Task {
            if (try? await sleep(until: deadline, tolerance: TimeLimit.tolerance)) != nil { expire() }
        }
    }
}
