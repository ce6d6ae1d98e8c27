import BrowseDomain
import Dispatch
import Synchronization

/// Runs the cache's work on a serial queue, since SQLite blocks; requests wait within their allowance.
final class CacheQueue: Sendable {
    private struct Load {
        /// The number of queued and running jobs.
        var count = 0
        /// Whether a wait timed out and no job has ended since; until one does, no request waits.
        var isStuck = false
    }

    private let queue = DispatchQueue(label: "BrowseKit.responses")
    /// Locked only by the queue's jobs, which run one at a time.
    private let store: Mutex<CacheFile>
    private let load = Mutex(Load())
    private let clock: any Clock<Duration>
    private let watchdog: Watchdog

    init(_ store: sending CacheFile, clock: any Clock<Duration>) {
        self.store = Mutex(store)
        self.clock = clock
        watchdog = Watchdog(clock: clock)
    }

    /// Runs work and waits for its answer, within an allowance.
    ///
    /// Work whose caller has stopped waiting is skipped, so that requests leave no backlog while another process holds a lock.
    ///
    /// - Parameter work: Passes the answer to its second argument, and may continue afterward.
    /// - Returns: The answer; `nil` if it wasn't ready in time, or if the calling task is canceled.
    func answer<Value: Sendable>(
        within allowance: CacheAllowance,
        _ work: @escaping @Sendable (CacheFile, (Value?) -> Void) -> Void
    ) async -> Value? {
        let limit = allowance.remaining
        guard limit > .zero, !load.withLock({ $0.isStuck }) else { return nil }
        let answer = OneShot<Value?>()
        let elapsed = clock.stopwatch()
        let wait = watchdog.start(limit) { [weak self] in
            guard answer.resolve(nil), let self else { return }
            load.withLock { $0.isStuck = $0.count > 0 }
        }
        defer {
            watchdog.stop(wait)
            allowance.spend(elapsed())
        }
        enqueue { store in
            guard !answer.isResolved else { return }
            work(store) { answer.resolve($0) }
            answer.resolve(nil)
        }
        return await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            answer.resolve(nil)
        }
    }

    /// Runs work and waits for its result, without a limit.
    func result<Value: Sendable>(_ work: @escaping @Sendable (CacheFile) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            enqueue { store in continuation.resume(returning: work(store)) }
        }
    }

    /// Runs work without waiting.
    func enqueue(_ work: @escaping @Sendable (CacheFile) -> Void) {
        load.withLock { $0.count += 1 }
        queue.async { [self] in
            store.withLock { store in
                work(store)
                store.settle()
            }
            load.withLock { load in
                load.count -= 1
                load.isStuck = false
            }
        }
    }
}
