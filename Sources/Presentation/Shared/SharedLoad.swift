import BrowseDomain
import Foundation
import Synchronization

/// Work that any number of callers wait for; it is canceled once all of them have been.
///
/// It runs away from the main actor and starts when the first caller waits. A canceled caller stops waiting at once. The last
/// one cancels the work and waits for its end, so that it finds a settled screen. A caller that meets such an abandoned
/// load must start another.
final class SharedLoad: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isFinished = false
        var isAbandoned = false
        /// Callers that were not canceled.
        var callerCount = 0
        var number = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        /// Callers that were canceled before they were suspended.
        var canceled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let isKept: Bool
    private let rateLimitWait: RateLimitWait
    private let work: @Sendable () async -> Void

    /// - Parameters:
    ///   - isKept: Whether it goes on when all callers have been canceled.
    ///   - waitDidChange: Called after ``waitEnd`` has changed.
    ///   - work: It must not hold the owner of this load while it waits.
    init(
        isKept: Bool = false,
        waitDidChange: @escaping @MainActor () -> Void = {},
        _ work: @escaping @Sendable () async -> Void
    ) {
        self.isKept = isKept
        self.work = work
        // The end is read when it's shown, since these tasks may overtake each other.
        rateLimitWait = RateLimitWait { _ in Task { @MainActor in waitDidChange() } }
    }

    /// The end of the rate limit that the work waits for; `nil` while it waits for none.
    var waitEnd: Date? { rateLimitWait.end }

    /// Whether callers can join it: it has neither ended nor been abandoned.
    var canBeJoined: Bool { state.withLock { !$0.isFinished && !$0.isAbandoned } }

    /// Starts the work if it hasn't started; nobody needs to wait for it.
    func start() {
        state.withLock { state in
            guard state.task == nil, !state.isFinished else { return }
            state.task = Task { @concurrent in
                await RateLimitWait.$current.withValue(rateLimitWait) { await work() }
                finish()
            }
        }
    }

    /// Waits for the end of the work, or until the caller is canceled.
    func wait() async {
        await wait(isCaller: true)
    }

    /// Waits like ``wait()``, but without keeping the work going.
    func observe() async {
        await wait(isCaller: false)
    }

    /// Cancels the work; callers wait for its end.
    func cancel() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        if let task { task.cancel() } else { finish() }
    }

    private func wait(isCaller: Bool) async {
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.number += 1
            if isCaller { state.callerCount += 1 }
            return state.number
        }
        guard let number else { return }
        if isCaller { start() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    guard !state.isFinished, state.canceled.remove(number) == nil else { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            leave(number, isCaller: isCaller)
        }
    }

    private func leave(_ number: Int, isCaller: Bool) {
        let (waiter, task) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Task<Void, Never>?) in
            guard !state.isFinished else { return (nil, nil) }
            if isCaller {
                state.callerCount -= 1
                if state.callerCount == 0, !isKept {
                    state.isAbandoned = true
                    return (nil, state.task)
                }
            }
            if let waiter = state.waiters.removeValue(forKey: number) { return (waiter, nil) }
            state.canceled.insert(number)
            return (nil, nil)
        }
        waiter?.resume()
        task?.cancel()
    }

    /// Ends the load for its callers; the work calls it from the main actor when nothing is left to do, or just returns.
    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }
}
