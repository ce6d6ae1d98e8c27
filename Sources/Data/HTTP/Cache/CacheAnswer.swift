import Synchronization

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
