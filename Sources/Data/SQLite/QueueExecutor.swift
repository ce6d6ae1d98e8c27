import Dispatch

/// Runs an actor on a queue of its own.
///
/// SQLite waits for the disk and for other processes' locks. On Swift's own threads, of which there are as many as cores,
/// that would keep everything else waiting too.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// The queue has no urgency of its own: its work is as urgent as whoever waits for it.
    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
