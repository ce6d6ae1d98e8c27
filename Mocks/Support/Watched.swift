import Synchronization

/// A value behind a lock that tasks can wait for, without polling.
///
/// Whoever changes the value resumes those who waited for what it has become, in the order in which they began to wait.
final class Watched<State: Sendable>: Sendable {
    private struct Waiter {
        let id: Int
        let condition: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Guarded {
        var state: State
        var waiters: [Waiter] = []
        var lastID = 0
    }

    private let guarded: Mutex<Guarded>

    init(_ state: State) {
        guarded = Mutex(Guarded(state: state))
    }

    /// Reads or changes the value; waiters are resumed after the lock is released.
    func withLock<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        let (value, satisfied) = guarded.withLock { guarded -> (Value, [Waiter]) in
            let value = change(&guarded.state)
            let satisfied = guarded.waiters.filter { $0.condition(guarded.state) }
            if !satisfied.isEmpty {
                let ids = Set(satisfied.map(\.id))
                guarded.waiters.removeAll { ids.contains($0.id) }
            }
            return (value, satisfied)
        }
        for waiter in satisfied { waiter.continuation.resume() }
        return value
    }

    /// Waits until the value meets a condition, or until the task is cancelled; the caller looks which it was.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        let id = guarded.withLock { guarded in
            guarded.lastID += 1
            return guarded.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = guarded.withLock { guarded in
                    // Asked under the lock: a cancellation before this is seen here, a later one finds the waiter.
                    guard !Task.isCancelled, !condition(guarded.state) else { return true }
                    guarded.waiters.append(Waiter(id: id, condition: condition, continuation: continuation))
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            let waiter = guarded.withLock { guarded in
                guarded.waiters.firstIndex { $0.id == id }.map { guarded.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume()
        }
    }
}
