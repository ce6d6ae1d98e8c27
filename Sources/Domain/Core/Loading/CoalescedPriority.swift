import Synchronization

/// The priority of work that several callers wait for: the highest of theirs.
///
/// It changes while the work waits for its turn, and is read when that turn is decided.
package final class CoalescedPriority: Sendable {
    private struct State {
        var lowest: LoadPriority
        var callers: [ObjectIdentifier: LoadOptions] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter lowest: The priority without callers.
    package init(_ lowest: LoadPriority) {
        state = Mutex(State(lowest: lowest))
    }

    package var priority: LoadPriority {
        let state = state.withLock { $0 }
        // Without the lock, because callers can share priorities with others.
        return state.callers.values.reduce(state.lowest) { max($0, $1.currentPriority) }
    }

    /// Sets the priority without callers.
    package func setLowest(_ lowest: LoadPriority) { state.withLock { $0.lowest = lowest } }

    /// Raises the priority to at least that of a caller that stays.
    package func raise(to priority: LoadPriority) { state.withLock { $0.lowest = max($0.lowest, priority) } }

    /// Adds a caller until ``remove(_:)`` is called with the same object.
    package func add(_ caller: AnyObject, _ options: LoadOptions) {
        state.withLock { $0.callers[ObjectIdentifier(caller)] = options }
    }

    package func remove(_ caller: AnyObject) {
        state.withLock { _ = $0.callers.removeValue(forKey: ObjectIdentifier(caller)) }
    }
}

extension CoalescedPriority: Hashable {
    package static func == (one: CoalescedPriority, other: CoalescedPriority) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
