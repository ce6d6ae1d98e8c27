import BrowseDomain
import Synchronization

/// Runs equal work once for all callers that want its result at the same time.
///
/// Waiters cancel independently. When the last waiter cancels, so does the work, and a later caller starts it again.
final class TaskCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Continuation = CheckedContinuation<Result<Value, BrowseError>, Never>

    private struct Waiter {
        let continuation: Continuation
        var priority: LoadPriority
        /// The priority of the load that waits, which can change; `nil` if it's constant.
        let sharedPriority: SharedPriority?
        /// Reports the rate limit that the work waits for.
        let rateLimitWait: RateLimitWait?
    }

    private struct SharedTask {
        /// The number of the caller that started it.
        let number: Int
        let sharedPriority: SharedPriority
        /// The rate limit that the work waits for; the loads of all waiters report it.
        let rateLimitWait = RateLimitWait()
        var task: Task<Void, Never>?
        private(set) var waiters: [Int: Waiter] = [:]
        /// The number of waiters by priority.
        private var counts: [LoadPriority: Int] = [:]

        init(number: Int, priority: LoadPriority) {
            self.number = number
            sharedPriority = SharedPriority(priority)
        }

        mutating func add(_ waiter: Waiter, as number: Int) {
            waiters[number] = waiter
            waiter.rateLimitWait.map(rateLimitWait.add)
            count(waiter.priority, 1)
        }

        mutating func remove(_ number: Int) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: number) else { return nil }
            waiter.rateLimitWait.map(rateLimitWait.remove)
            count(waiter.priority, -1)
            return waiter
        }

        /// Reads the priority of a waiter again.
        mutating func updatePriority(of number: Int) {
            guard let old = waiters[number]?.priority, let new = waiters[number]?.sharedPriority?.priority,
                new != old
            else { return }
            waiters[number]?.priority = new
            // Adds the new one first, so that the highest changes at most once.
            count(new, 1)
            count(old, -1)
        }

        private mutating func count(_ priority: LoadPriority, _ change: Int) {
            counts[priority, default: 0] += change
            if counts[priority] == 0 { counts[priority] = nil }
            if let highest = counts.keys.max() { sharedPriority.change(to: highest) }
        }
    }

    private enum Entry {
        case started(SharedPriority, RateLimitWait)
        case joined
        case cancelled
    }

    private struct State {
        var tasks: [Key: SharedTask] = [:]
        var callerCount = 0
    }

    private let state = Mutex(State())

    /// The number of tasks in flight.
    var count: Int { state.withLock { $0.tasks.count } }

    /// Returns the result of the task in flight for a key, or starts one.
    ///
    /// The work runs in its own task, with the task-local values of the caller that started it.
    ///
    /// - Parameters:
    ///   - key: The key, which is the same for equal work.
    ///   - priority: The caller's priority, unless its task has a ``SharedPriority``, which can change while it waits. The work
    ///     has the highest priority of its waiters.
    ///   - willJoin: Called if a task is in flight already.
    ///   - work: The work.
    /// - Throws: The error of the work, or `.cancelled` if the calling task is canceled.
    func value(
        for key: Key,
        priority: LoadPriority = .visible,
        willJoin: () -> Void = {},
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        let number = state.withLock { state in
            state.callerCount += 1
            return state.callerCount
        }
        let shared = SharedPriority.current
        let listener = shared?.addListener { [weak self] _ in self?.updatePriority(of: number, key) }
        defer { if let listener { shared?.removeListener(listener) } }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Continuation) in
                wait(continuation, as: number, for: key, priority: priority, willJoin: willJoin, work)
            }
        } onCancel: {
            cancel(number, key)
        }
        return try result.get()
    }

    private func wait(
        _ continuation: Continuation,
        as number: Int,
        for key: Key,
        priority: LoadPriority,
        willJoin: () -> Void,
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value
    ) {
        let entry = state.withLock { state -> Entry in
            // An earlier cancellation found no waiter to remove.
            guard !Task.isCancelled else { return .cancelled }
            // Later changes of the shared priority find the waiter.
            let sharedPriority = SharedPriority.current
            let priority = sharedPriority?.priority ?? priority
            let waiter = Waiter(
                continuation: continuation,
                priority: priority,
                sharedPriority: sharedPriority,
                rateLimitWait: RateLimitWait.current
            )
            if state.tasks[key]?.add(waiter, as: number) != nil { return .joined }
            var shared = SharedTask(number: number, priority: priority)
            shared.add(waiter, as: number)
            state.tasks[key] = shared
            return .started(shared.sharedPriority, shared.rateLimitWait)
        }
        switch entry {
        case .started(let sharedPriority, let wait): start(work, for: key, number, sharedPriority, wait)
        case .joined: willJoin()
        case .cancelled: continuation.resume(returning: .failure(.cancelled))
        }
    }

    private func start(
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value,
        for key: Key,
        _ number: Int,
        _ priority: SharedPriority,
        _ wait: RateLimitWait
    ) {
        let task = Task.startImmediately { [self] in
            let result = await SharedPriority.$current.withValue(priority) {
                await RateLimitWait.$current.withValue(wait) { await Result.of(work) }
            }
            finish(key, number, result)
        }
        let isWanted = state.withLock { state in
            guard state.tasks[key]?.number == number else { return false }
            state.tasks[key]?.task = task
            return true
        }
        // The last waiter canceled before the task was stored, or the work has finished already.
        if !isWanted { task.cancel() }
    }

    private func updatePriority(of number: Int, _ key: Key) {
        state.withLock { $0.tasks[key]?.updatePriority(of: number) }
    }

    private func cancel(_ number: Int, _ key: Key) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.tasks[key]?.remove(number) else { return (nil, nil) }
            guard state.tasks[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.tasks.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.continuation.resume(returning: .failure(.cancelled))
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<Value, BrowseError>) {
        let waiters = state.withLock { state -> [Waiter] in
            // A canceled task may have been replaced by a new one.
            guard let index = state.tasks.index(forKey: key), state.tasks[index].value.number == number else {
                return []
            }
            return Array(state.tasks.remove(at: index).value.waiters.values)
        }
        for waiter in waiters { waiter.continuation.resume(returning: result) }
    }
}
