import BrowseDomain
import Synchronization

/// Lets a number of tasks do something at once; the others wait, the most urgent and then the oldest first.
final class Lanes: Sendable {
    private struct State {
        var free: Int
        var count = 0
        var line = WaitingLine<CheckedContinuation<Bool, Never>>()
    }

    private let state: Mutex<State>

    /// - Parameter count: How many at once; below 1 is raised to that.
    init(count: Int) {
        state = Mutex(State(free: max(1, count)))
    }

    /// How many wait.
    var waiting: Int { state.withLock { $0.line.count } }

    /// Does something when there is a lane for it.
    ///
    /// - Parameters:
    ///   - urgency: How soon it is wanted.
    ///   - willWait: Called when there is none yet.
    /// - Throws: `.cancelled` when the task is cancelled before it has a lane, or what the work throws.
    func pass<Value>(
        _ urgency: Urgency,
        willWait: () -> Void = {},
        _ work: () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        try await enter(urgency, willWait)
        defer { leave() }
        return try await work()
    }

    private func enter(_ urgency: Urgency, _ willWait: () -> Void) async throws(BrowseError) {
        let number = state.withLock { state -> Int? in
            guard state.free == 0 || !state.line.isEmpty else {
                state.free -= 1
                return nil
            }
            state.count += 1
            return state.count
        }
        guard let number else { return }
        willWait()
        let listener = urgency.listen { [weak self] priority in
            self?.state.withLock { $0.line.raise(number, to: priority) }
        }
        defer { urgency.forget(listener) }
        let hasLane = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancelled before it stands in the line, nobody would find it there.
                let answer = state.withLock { state -> Bool? in
                    if Task.isCancelled { return false }
                    if state.free > 0, state.line.isEmpty {
                        state.free -= 1
                        return true
                    }
                    state.line.join(continuation, as: number, priority: urgency.priority)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.line.leave(number) }?.resume(returning: false)
        }
        guard hasLane else { throw .cancelled }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let next = state.line.next() else {
                state.free += 1
                return nil
            }
            return next
        }
        next?.resume(returning: true)
    }
}
