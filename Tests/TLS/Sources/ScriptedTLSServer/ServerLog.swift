import Synchronization

/// The events that a server has observed, and the tests that wait for them.
final class ServerLog: Sendable {
    private struct Waiter {
        let isMet: @Sendable ([TLSServer.Event]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var events: [TLSServer.Event] = []
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Mutex(State())

    var events: [TLSServer.Event] { state.withLock { $0.events } }

    func record(_ event: TLSServer.Event) {
        let met = state.withLock { state in
            state.events.append(event)
            let met = state.waiters.filter { $0.value.isMet(state.events) }
            for id in met.keys { state.waiters[id] = nil }
            return met.values
        }
        for waiter in met { waiter.continuation.resume() }
    }

    /// Waits until the events meet a condition, or the task is canceled.
    func wait(until isMet: @escaping @Sendable ([TLSServer.Event]) -> Bool) async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if Task.isCancelled || isMet(state.events) { return true }
                    state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
