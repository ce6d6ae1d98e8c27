import Synchronization

/// Time limits of many pieces of work, with one timer.
///
/// A task for each would cost as much as a short piece of work, such as reading a file.
package final class TimeLimits: Sendable {
    private typealias Limit = (deadline: Duration, expire: @Sendable () -> Void)

    private struct State {
        var limits: [ObjectIdentifier: Limit] = [:]
        /// The timer, and the first deadline when it was started.
        var timer: (task: Task<Void, Never>, deadline: Duration)?
    }

    private let clock: any Clock<Duration>
    /// Returns the time since the creation.
    package let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    package init(clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    deinit { state.withLock { $0.timer?.task.cancel() } }

    /// Runs an action when the time limit of a piece of work expires, unless it's removed before.
    ///
    /// `expire` may run while the work is being removed.
    package func add(_ work: AnyObject, _ duration: Duration, expire: @escaping @Sendable () -> Void) {
        let duration = min(max(duration, .zero), TimeLimit.longest)
        state.withLock { state in
            let deadline = elapsed() + duration
            state.limits[ObjectIdentifier(work)] = (deadline, expire)
            if let timer = state.timer {
                guard deadline < timer.deadline else { return }
                timer.task.cancel()
            }
            state.timer = (startTimer(duration), deadline)
        }
    }

    /// Removes the time limit of a piece of work.
    package func remove(_ work: AnyObject) { state.withLock { $0.limits[ObjectIdentifier(work)] = nil } }

    private func startTimer(_ duration: Duration) -> Task<Void, Never> {
        clock.startTimeLimit(of: duration) { [weak self] in self?.expire() }
    }

    private func expire() {
        let expired = state.withLock { state in
            let now = elapsed()
            let expired = state.limits.filter { $0.value.deadline <= now }
            for id in expired.keys { state.limits[id] = nil }
            state.timer = state.limits.values.map { $0.deadline }.min().map { (startTimer($0 - now), $0) }
            return expired.values
        }
        for limit in expired { limit.expire() }
    }
}
