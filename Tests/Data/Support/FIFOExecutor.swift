import Dispatch

/// Runs tasks one at a time in the order in which they become ready.
///
/// Under `withTaskExecutorPreference(FIFOExecutor())` a task that yields lets each of the others take one step, so "and
/// then nothing more happens" can be tested: after enough turns, whatever could have happened has.
final class FIFOExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "FIFOExecutor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Gives every other task a hundred turns; none of these tests has one that needs more.
    static func letOthersRun() async {
        for _ in 0..<100 { await Task.yield() }
    }
}
