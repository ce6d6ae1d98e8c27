import Dispatch
import Synchronization

/// An executor that runs jobs one at a time in FIFO order, and reports when it's idle.
///
/// With `withTaskExecutorPreference`, a test can wait until no task can make progress.
public final class FIFOExecutor: TaskExecutor {
    private struct State {
        /// The number of waiting and running jobs.
        var pendingCount = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let queue = DispatchQueue(label: "FIFOExecutor")
    private let state = Mutex(State())

    /// Creates an idle executor.
    public init() {}

    /// Runs a job after all earlier ones.
    public func enqueue(_ job: consuming ExecutorJob) {
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

    /// Waits until all other tasks of this executor have ended or are suspended.
    ///
    /// Call it in a task of this executor.
    public func waitUntilIdle() async {
        await withCheckedContinuation { continuation in state.withLock { $0.waiters.append(continuation) } }
    }
}
