import Synchronization

/// The priority of work that several callers wait for: the highest of their priorities.
package final class CoalescedPriority: Sendable {
    /// The priority of the current task's work; it overrides that of the task's ``LoadOptions``.
    @TaskLocal package static var current: CoalescedPriority?

    private struct State {
        var priority: LoadPriority
        var listeners: [(number: Int, notify: @Sendable (LoadPriority) -> Void)] = []
        var lastNumber = 0
    }

    private let state: Mutex<State>

    package init(_ priority: LoadPriority) {
        state = Mutex(State(priority: priority))
    }

    /// Returns the priority of the current task's work, or a new one if there's none.
    package static func current(or priority: LoadPriority) -> CoalescedPriority {
        current ?? CoalescedPriority(priority)
    }

    package var priority: LoadPriority { state.withLock { $0.priority } }

    /// Changes the priority and notifies the listeners; calls must not overlap.
    package func change(to priority: LoadPriority) {
        let listeners = state.withLock { state -> [@Sendable (LoadPriority) -> Void] in
            guard state.priority != priority else { return [] }
            state.priority = priority
            return state.listeners.map { $0.notify }
        }
        for notify in listeners { notify(priority) }
    }

    /// Adds a listener for changes, and returns its number for ``removeListener(_:)``.
    package func addListener(_ listener: @escaping @Sendable (LoadPriority) -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.listeners.append((state.lastNumber, listener))
            return state.lastNumber
        }
    }

    package func removeListener(_ number: Int) {
        state.withLock { $0.listeners.removeAll { $0.number == number } }
    }
}
