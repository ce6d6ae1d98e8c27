import BrowseDomain
import Synchronization

/// Limits how many requests are in flight.
///
/// Visible requests precede prefetched ones; otherwise, it's first come, first served. The last
/// free slot is for visible requests, unless there's only one. Priorities can change during a wait,
/// and are read whenever waiters are admitted.
final class RequestSlots: Sendable {
    private typealias Waiter = (answer: OneShot<Bool>, options: LoadOptions)

    private struct State {
        var free: Int
        /// In the order of arrival.
        var waiters: [Waiter] = []
    }

    /// The number of slots that prefetched requests leave free.
    private let reserve: Int
    private let state: Mutex<State>

    /// - Parameter count: The maximum number of requests in flight; below 1, it's 1.
    init(_ count: Int) {
        reserve = count > 1 ? 1 : 0
        state = Mutex(State(free: max(1, count)))
    }

    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Waits for a slot, after calling `willWait` if none is free; the caller must ``leave()`` it.
    ///
    /// - Returns: `false` if the caller's task is canceled before.
    func enter(_ options: LoadOptions = LoadOptions(), _ willWait: () -> Void = {}) async -> Bool {
        let waiter: Waiter = (OneShot(), options)
        return await withTaskCancellationHandler {
            admit { state in
                // A later cancellation finds the waiter.
                if Task.isCancelled { waiter.answer.resolve(false) } else { state.waiters.append(waiter) }
            }
            if waiter.answer.resolved == nil { willWait() }
            return await waiter.answer.value
        } onCancel: {
            let index = state.withLock { state in
                let index = state.waiters.firstIndex { $0.answer === waiter.answer }
                if let index { state.waiters.remove(at: index) }
                return index
            }
            // Otherwise, it has a slot already.
            if index != nil { waiter.answer.resolve(false) }
        }
    }

    func leave() { admit { $0.free += 1 } }

    /// Admits a waiter to the slot for visible requests if its priority has been raised.
    func reconsider() { admit { _ in } }

    /// Changes the state, and then admits waiters while slots are free.
    private func admit(after change: (inout State) -> Void) {
        let admitted = state.withLock { state in
            change(&state)
            var admitted: [Waiter] = []
            while state.free > 0, let index = next(state) {
                state.free -= 1
                admitted.append(state.waiters.remove(at: index))
            }
            return admitted
        }
        for waiter in admitted { waiter.answer.resolve(true) }
    }

    private func next(_ state: State) -> Int? {
        let visible = state.waiters.firstIndex { $0.options.currentPriority == .visible }
        return visible ?? (state.free > reserve ? state.waiters.indices.first : nil)
    }
}

extension RequestSlots: HTTPMiddleware {
    /// Forwards the request when a slot is free.
    ///
    /// - Throws: `.timedOut` if the request's total time limit has passed by then; `.cancelled` if
    ///   the task is canceled.
    func send(_ request: HTTPClient.Request, next: @escaping Next) async throws(BrowseError) -> HTTPClient.Response {
        let isAdmitted = await enter(request.options) { ExchangeTrace.note(.waiting) }
        guard isAdmitted else { throw .cancelled }
        defer { leave() }
        return try await next(request.limitedToDeadline())
    }
}
