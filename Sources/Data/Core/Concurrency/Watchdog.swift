import BrowseDomain
import Synchronization

/// Ends waits that take too long, with one sleeping task for all of them.
///
/// A task per wait would cost more than most waits, because each sleep sets a system timer.
final class Watchdog: Sendable {
    private struct Wait {
        let deadline: Duration
        let expire: @Sendable () -> Void
    }

    private struct State {
        var waits: [Int: Wait] = [:]
        var lastNumber = 0
        /// The sleeping task, which wakes at or before the earliest deadline.
        var sleeper: (task: Task<Void, Never>, deadline: Duration)?
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>
    /// The time since the creation of the watchdog; deadlines are relative to it, too.
    private let elapsed: @Sendable () -> Duration

    init(clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    deinit { state.withLock { $0.sleeper?.task.cancel() } }

    /// Runs an action when a time limit expires, unless ``stop(_:)`` is called first.
    ///
    /// - Parameters:
    ///   - limit: The time limit, measured from this call.
    ///   - expire: Ends the wait. It may run while ``stop(_:)`` is called.
    /// - Returns: The number of the wait.
    func start(_ limit: Duration, expire: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            let deadline = elapsed() + limit
            state.lastNumber += 1
            state.waits[state.lastNumber] = Wait(deadline: deadline, expire: expire)
            if state.sleeper.map({ deadline < $0.deadline }) ?? true {
                state.sleeper?.task.cancel()
                state.sleeper = sleep(until: deadline)
            }
            return state.lastNumber
        }
    }

    /// Ends a wait without running its action.
    func stop(_ number: Int) {
        // The sleeping task continues, because the next wait usually needs it.
        state.withLock { _ = $0.waits.removeValue(forKey: number) }
    }

    private func sleep(until deadline: Duration) -> (task: Task<Void, Never>, deadline: Duration) {
        let task = clock.startTimeLimit(of: deadline - elapsed()) { [weak self] in self?.wake(at: deadline) }
        return (task, deadline)
    }

    private func wake(at deadline: Duration) {
        let expired = state.withLock { state -> [Wait] in
            // Replaced by a sleeper with an earlier deadline.
            guard state.sleeper?.deadline == deadline else { return [] }
            state.sleeper = nil
            let now = elapsed()
            let expired = state.waits.filter { $0.value.deadline <= now }
            for number in expired.keys { state.waits[number] = nil }
            if let next = state.waits.values.map(\.deadline).min() { state.sleeper = sleep(until: next) }
            return Array(expired.values)
        }
        for wait in expired { wait.expire() }
    }
}
