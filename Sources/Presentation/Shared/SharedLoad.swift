import BrowseDomain
import Foundation
import Synchronization

/// A load that any number of callers wait for. It's canceled when the last of them is.
///
/// The work starts with the first caller and runs away from the main actor. Its ``Delivery`` runs on the main actor in the
/// task of a caller, which saves two thread switches over the load's own task.
///
/// A canceled caller returns at once. The last one cancels the work and waits for it to end, so that it finds a settled
/// screen. Later callers must start another load; see ``canBeJoined``.
final class SharedLoad: Sendable {
    typealias Work = @Sendable () async -> Delivery?

    /// A step on the main actor that delivers the result of the work, and returns more work if the load isn't complete.
    struct Delivery: Sendable {
        let run: @MainActor @Sendable () -> Work?
    }

    private struct State {
        var task: Task<Void, Never>?
        var isFinished = false
        var isAbandoned = false
        /// The number of callers that haven't been canceled.
        var callerCount = 0
        var lastNumber = 0
        var waiters: [Int: CheckedContinuation<Delivery?, Never>] = [:]
        /// Callers that were canceled before they were suspended.
        var canceled: Set<Int> = []
    }

    private let state = Mutex(State())
    private let isKept: Bool
    private let rateLimitWait: RateLimitWait
    private let work: Work

    /// Creates a load that hasn't started.
    ///
    /// - Parameters:
    ///   - isKept: Whether it continues without callers.
    ///   - waitDidChange: Called after ``waitEnd`` has changed.
    ///   - work: It must not hold the owner of this load while it waits.
    init(isKept: Bool = false, waitDidChange: @escaping @MainActor () -> Void = {}, _ work: @escaping Work) {
        self.isKept = isKept
        self.work = work
        // The observer reads the end when it runs, since these tasks may overtake each other.
        rateLimitWait = RateLimitWait { _ in Task { @MainActor in waitDidChange() } }
    }

    /// The end of the rate limit that the work waits for; `nil` while it doesn't wait.
    var waitEnd: Date? { rateLimitWait.end }

    /// Whether callers can join: the load has neither ended nor been abandoned.
    var canBeJoined: Bool { state.withLock { !$0.isFinished && !$0.isAbandoned } }

    /// Starts the work if it hasn't started.
    func start() {
        state.withLock { state in
            if state.task == nil, !state.isFinished { perform(work, &state) }
        }
    }

    /// Waits until the load has ended or the caller is canceled.
    @MainActor
    func wait() async {
        await wait(isCaller: true)
    }

    /// Waits like ``wait()``, but doesn't count as a caller.
    @MainActor
    func observe() async {
        await wait(isCaller: false)
    }

    /// Cancels the work; callers wait for it to end.
    func cancel() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        if let task { task.cancel() } else { finish() }
    }
}

extension SharedLoad {
    private func perform(_ work: @escaping Work, _ state: inout State) {
        let task = Task { @concurrent in
            let delivery = await RateLimitWait.$current.withValue(rateLimitWait) { await work() }
            guard let delivery else { return finish() }
            if let waiter = self.state.withLock({ $0.waiters.popFirst()?.value }) {
                waiter.resume(returning: delivery)
            } else {
                await deliver(delivery)
            }
        }
        if state.isAbandoned { task.cancel() }
        state.task = task
    }

    @MainActor
    private func deliver(_ delivery: Delivery) {
        if let work = delivery.run() { state.withLock { perform(work, &$0) } } else { finish() }
    }

    private func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: nil) }
    }

    @MainActor
    private func wait(isCaller: Bool) async {
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            if isCaller { state.callerCount += 1 }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return }
        if isCaller { start() }
        await withTaskCancellationHandler {
            while let delivery = await suspend(number) { deliver(delivery) }
        } onCancel: {
            leave(number, isCaller: isCaller)
        }
    }

    /// Suspends a caller until it has a result to deliver, or with `nil` until it can return.
    @MainActor
    private func suspend(_ number: Int) async -> Delivery? {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                guard !state.isFinished, state.canceled.remove(number) == nil else { return true }
                state.waiters[number] = continuation
                return false
            }
            if isDone { continuation.resume(returning: nil) }
        }
    }

    private func leave(_ number: Int, isCaller: Bool) {
        let (waiter, task) = state.withLock { state -> (CheckedContinuation<Delivery?, Never>?, Task<Void, Never>?) in
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
        waiter?.resume(returning: nil)
        task?.cancel()
    }
}

/// The load of a list's first page, or of an entity and the items related to it. Call it to wait for its end.
public struct ListLoad: Sendable {
    let loads: [SharedLoad]

    init(_ loads: [SharedLoad]) {
        self.loads = loads
    }

    /// Starts the load if it hasn't started, and waits until it has ended or the caller is canceled.
    @MainActor
    public func callAsFunction() async {
        start()
        for load in loads { await load.wait() }
    }

    /// Starts the load without waiting for it.
    func start() {
        for load in loads { load.start() }
    }
}
