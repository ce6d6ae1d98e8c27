import Dispatch

/// An executor that runs an actor on its own dispatch queue.
///
/// SQLite blocks on the disk and on other processes' locks. On the concurrency pool, with one thread per core, that would
/// stall other tasks.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// - Parameter label: The queue's name in debuggers; the queue has no quality of service of its own.
    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
