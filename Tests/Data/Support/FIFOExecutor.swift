import Dispatch
import Synchronization

/// Runs tasks one at a time in the order in which they become ready, and reports when none is ready.
///
/// Under `withTaskExecutorPreference` a test can wait until everything that could happen has happened.
final class FIFOExecutor: TaskExecutor {
    private struct State {
        /// The jobs that wait or run.
        var pendingCount = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let queue = DispatchQueue(label: "FIFOExecutor")
    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.pendingCount += 1 }
        queue.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            let waiters = self.state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.pendingCount -= 1
                guard state.pendingCount == 0 else { return [] }
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    /// Waits until every other task of this executor has ended or waits, too; call it in one of them.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in state.withLock { $0.waiters.append(continuation) } }
    }
}
