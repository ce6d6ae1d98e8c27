import BrowseDomain
import Dispatch
import Synchronization

/// The remaining time that a request may wait for the cache.
final class CacheAllowance: Sendable {
    private let value: Mutex<Duration>

    /// Creates an allowance; a request waits at most 50 ms in total.
    init(_ duration: Duration = .milliseconds(50)) {
        value = Mutex(duration)
    }

    /// The remaining time.
    var remaining: Duration { value.withLock { $0 } }

    func spend(_ duration: Duration) { value.withLock { $0 -= duration } }
}

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
    private let store: Mutex<ResponseStore>
    private let load = Mutex(Load())
    private let clock: any Clock<Duration>
    private let watchdog: Watchdog

    init(_ store: sending ResponseStore, clock: any Clock<Duration>) {
        self.store = Mutex(store)
        self.clock = clock
        watchdog = Watchdog(clock: clock)
    }

    /// Runs work and waits for its answer, within an allowance.
    ///
    /// Work whose caller has stopped waiting is skipped, so that requests leave no backlog while another process holds a lock.
    ///
    /// - Parameters:
    ///   - allowance: The maximum time to wait.
    ///   - work: Passes the answer to its second argument, and may continue afterward.
    /// - Returns: The answer; `nil` if it wasn't ready in time, or if the calling task is canceled.
    func answer<Value: Sendable>(
        within allowance: CacheAllowance,
        _ work: @escaping @Sendable (ResponseStore, (Value?) -> Void) -> Void
    ) async -> Value? {
        let limit = allowance.remaining
        guard limit > .zero, !load.withLock({ $0.isStuck }) else { return nil }
        let answer = CacheAnswer<Value>()
        let elapsed = clock.stopwatch()
        let wait = watchdog.start(limit) { [weak self] in
            if answer.resolve(nil) { self?.noteGivenUp() }
        }
        defer {
            watchdog.stop(wait)
            allowance.spend(elapsed())
        }
        enqueue { store in
            guard answer.isWanted else { return }
            work(store) { answer.resolve($0) }
            answer.resolve(nil)
        }
        return await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            answer.resolve(nil)
        }
    }

    /// Records that a wait timed out.
    private func noteGivenUp() {
        load.withLock { $0.isStuck = $0.count > 0 }
    }

    /// Runs work and waits for its result, without a limit.
    func result<Value: Sendable>(_ work: @escaping @Sendable (ResponseStore) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            enqueue { store in continuation.resume(returning: work(store)) }
        }
    }

    /// Runs work without waiting.
    func enqueue(_ work: @escaping @Sendable (ResponseStore) -> Void) {
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

/// The answer that a request waits for; only the first resolution counts.
final class CacheAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value?, Never>)
        case resolved(Value?)
    }

    private let state = Mutex(State.open)

    var isWanted: Bool {
        state.withLock { if case .resolved = $0 { false } else { true } }
    }

    var value: Value? {
        get async {
            await withCheckedContinuation { continuation in
                let resolved = state.withLock { state -> Value?? in
                    if case .resolved(let value) = state { return .some(value) }
                    state = .waiting(continuation)
                    return .none
                }
                if let resolved { continuation.resume(returning: resolved) }
            }
        }
    }

    /// Resolves the answer; `false` if it was resolved before.
    @discardableResult
    func resolve(_ value: Value?) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value?, Never>?) in
            defer { if case .resolved = state {} else { state = .resolved(value) } }
            return switch state {
            case .open: (true, nil)
            case .waiting(let waiter): (true, waiter)
            case .resolved: (false, nil)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }
}
