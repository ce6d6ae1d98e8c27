import BrowseDomain
import Synchronization

/// How soon a piece of work is wanted that several may wait for: as soon as the most urgent of them wants it.
final class Urgency: Sendable {
    /// That of the work that the current task does.
    @TaskLocal static var current: Urgency?

    private struct State {
        var priority: LoadPriority
        var listeners: [Int: @Sendable (LoadPriority) -> Void] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    init(_ priority: LoadPriority) {
        state = Mutex(State(priority: priority))
    }

    /// That of the current task's work, or else a new one.
    static func current(or priority: LoadPriority) -> Urgency {
        current ?? Urgency(priority)
    }

    /// How soon it is wanted now.
    var priority: LoadPriority { state.withLock { $0.priority } }

    /// Makes it more or less urgent; calls must come one after the other.
    func change(to priority: LoadPriority) {
        let listeners = state.withLock { state -> [@Sendable (LoadPriority) -> Void] in
            guard state.priority != priority else { return [] }
            state.priority = priority
            return Array(state.listeners.values)
        }
        for listener in listeners { listener(priority) }
    }

    /// Hears of each change from now on, until ``forget(_:)`` is called with the number returned.
    func listen(_ listener: @escaping @Sendable (LoadPriority) -> Void) -> Int {
        state.withLock { state in
            state.count += 1
            state.listeners[state.count] = listener
            return state.count
        }
    }

    /// Ends what ``listen(_:)`` began.
    func forget(_ number: Int) {
        state.withLock { $0.listeners[number] = nil }
    }
}
