import BrowseDomain
import Synchronization

/// An executor that runs tasks on the waiting thread, so that equal inputs always take the same path.
final class InlineExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs an asynchronous closure to its end.
    static func run(_ body: @escaping @Sendable () async -> Void) {
        let executor = InlineExecutor()
        let isDone = Done()
        Task(executorPreference: executor) {
            await body()
            isDone.flag.store(true, ordering: .relaxed)
        }
        while let job = executor.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: executor.asUnownedTaskExecutor())
        }
        require(isDone.flag.load(ordering: .relaxed), "a call ends without external events")
    }

    private final class Done: Sendable {
        let flag = Atomic(false)
    }
}

/// Returns the result of a call to a repository.
func outcome<Value>(
    of call: () async throws(BrowseError) -> Value
) async -> Result<Value, BrowseError> {
    do throws(BrowseError) {
        return .success(try await call())
    } catch {
        return .failure(error)
    }
}
