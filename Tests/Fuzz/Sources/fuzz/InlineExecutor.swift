import BrowseDomain
import Dispatch
import Synchronization

/// An executor that runs tasks on the waiting thread, so that equal inputs always take the same path.
final class InlineExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let added = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        added.signal()
    }

    /// Runs an asynchronous closure to its end.
    ///
    /// - Parameter seconds: The longest wait for a task that runs elsewhere, such as a request that isn't canceled with its caller.
    static func run(waiting seconds: Double = 0, _ body: @escaping @Sendable () async -> Void) {
        let executor = InlineExecutor()
        let isDone = Done()
        Task(executorPreference: executor) {
            await body()
            isDone.flag.store(true, ordering: .relaxed)
        }
        while !isDone.flag.load(ordering: .relaxed), executor.added.wait(timeout: .now() + seconds) == .success {
            executor.jobs.withLock { $0.removeFirst() }.runSynchronously(on: executor.asUnownedTaskExecutor())
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
