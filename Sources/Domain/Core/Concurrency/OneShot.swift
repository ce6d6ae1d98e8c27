import Synchronization

/// A value that one task awaits and any task resolves; only the first resolution counts.
///
/// Registries of waiters store these instead of continuations: resolving one before its task is
/// suspended isn't lost, so a waiter can be registered, and canceled, before it waits.
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

    /// Waits for the value, and runs an action if the calling task is canceled before or meanwhile.
    package func value(onCancel: @Sendable () -> Void) async -> Value {
        await withTaskCancellationHandler(operation: { await value }, onCancel: onCancel)
    }

    /// Resolves the value; returns `false` if it was resolved before.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, UnsafeContinuation<Value, Never>?) in
            if case .resolved = state { return (false, nil) }
            defer { state = .resolved(value) }
            guard case .awaited(let waiter) = state else { return (true, nil) }
            return (true, waiter)
        }
        waiter?.resume(returning: value)
        return isFirst
    }
}
