import Synchronization

/// A value that one task awaits and any task resolves; only the first resolution counts.
///
/// Registries of waiters store these instead of continuations: resolving one before its task is suspended isn't lost, so a
/// waiter can be registered, and canceled, before it waits.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        /// The continuation, which the caller that replaces this state resumes.
        ///
        /// So it's resumed once, as a checked one would ensure with more memory for each waiter.
        case awaited(UnsafeContinuation<Value, Never>)
        case resolved(Value)
    }

    private let state = Mutex(State.open)

    /// Creates a value that isn't resolved yet.
    package init() {}

    /// The value; `nil` if it hasn't been resolved.
    package var resolved: Value? { state.withLock { if case .resolved(let value) = $0 { value } else { nil } } }

    /// Waits for the value, also if the calling task is canceled; only one task may wait.
    package var value: Value {
        get async {
            await withUnsafeContinuation { continuation in
                let resolved = state.withLock { state -> Value? in
                    switch state {
                    case .open: state = .awaited(continuation)
                    case .awaited: preconditionFailure("Two tasks await one value.")
                    case .resolved(let value): return value
                    }
                    return nil
                }
                if let resolved { continuation.resume(returning: resolved) }
            }
        }
    }

    /// Resolves the value; returns `false` if it was resolved before.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, UnsafeContinuation<Value, Never>?) in
            switch state {
            case .resolved: return (false, nil)
            case .open:
                state = .resolved(value)
                return (true, nil)
            case .awaited(let waiter):
                state = .resolved(value)
                return (true, waiter)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }
}

/// Runs asynchronous work one piece at a time, in order of arrival.
///
/// An actor isn't enough: it runs other calls while one is suspended.
package final class SerialTaskQueue: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    package init() {}

    /// Runs work after all earlier work; canceling the caller doesn't cancel it.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = last.withLock { last in
            let task = Task { [before = last] in
                await before?.value
                return await work()
            }
            last = Task { _ = await task.value }
            return task
        }
        return await task.value
    }
}

/// Limits the time of work, as opposed to waits of the work itself.
///
/// A test clock counts sleeping tasks to decide when to advance. A time limit sleeps as long as the work runs, whatever its
/// progress, so `TestClock` wakes time limits but doesn't count them. It recognizes them by
/// ``tolerance``, which also reaches a clock wrapped by another clock.
package enum TimeLimit {
    /// The longest limit; system clocks crash on deadlines too far ahead.
    package static let longest = Duration.seconds(1_000_000)
    /// The tolerance of time limits, and of no other sleep: the seven microseconds are a mark.
    package static let tolerance = Duration.microseconds(10_007)
}

extension Clock<Duration> {
    /// Returns a function that returns the time since this call.
    package func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }

    /// Runs an action when a time limit expires, unless the returned task is canceled first.
    ///
    /// The limit counts from the call, not from when the task starts to run. `expire` may run while the task is being canceled.
    package func startTimeLimit(of duration: Duration, expire: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let deadline = now.advanced(by: min(max(duration, .zero), TimeLimit.longest))
        return Task {
            if (try? await sleep(until: deadline, tolerance: TimeLimit.tolerance)) != nil { expire() }
        }
    }
}
