import BrowseDomain
import Dispatch
import Synchronization

/// The time that one request may still spend waiting for the cache.
final class CacheAllowance: Sendable {
    private let value: Mutex<Duration>

    /// Creates an allowance; a request never waits longer than 50 ms, all its waits together.
    init(_ duration: Duration = .milliseconds(50)) {
        value = Mutex(duration)
    }

    /// The time that is left.
    var remaining: Duration { value.withLock { $0 } }

    fileprivate func spend(_ duration: Duration) { value.withLock { $0 -= duration } }
}

/// Runs the cache's work in order on a queue of its own, since SQLite blocks. Requests wait for it as long as they may.
final class CacheQueue: Sendable {
    private struct Load {
        /// The work that was queued and has not ended.
        var count = 0
        /// Whether a request gave up waiting and no work has ended since; others don't wait at all until some does.
        var isStuck = false
    }

    private let queue = DispatchQueue(label: "BrowseKit.responses")
    /// Locked by the queue's work alone, which runs one at a time.
    private let store: Mutex<ResponseStore>
    private let load = Mutex(Load())
    private let clock: any Clock<Duration>
    private let watchdog: Watchdog

    init(_ store: sending ResponseStore, clock: any Clock<Duration>) {
        self.store = Mutex(store)
        self.clock = clock
        watchdog = Watchdog(clock: clock)
    }

    /// Runs work and waits for what it answers.
    ///
    /// Work that nobody waits for any more when its turn comes isn't done, so that requests that came while another
    /// process held a lock leave nothing behind.
    ///
    /// - Parameters:
    ///   - allowance: The time to wait at most.
    ///   - work: Calls the function that it's given with the answer; it may go on after that.
    /// - Returns: The answer; `nil` when there was none in time, or the calling task is canceled.
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

    /// Notes that a request waited for as long as it may.
    private func noteGivenUp() {
        load.withLock { $0.isStuck = $0.count > 0 }
    }

    /// Runs work and waits for it, however long that takes.
    func result<Value: Sendable>(_ work: @escaping @Sendable (ResponseStore) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            enqueue { store in continuation.resume(returning: work(store)) }
        }
    }

    /// Runs work that nobody waits for.
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

/// The value that a request waits for; the first to resolve it decides.
private final class CacheAnswer<Value: Sendable>: Sendable {
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

    /// Resolves the answer; `false` when that was done before.
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
