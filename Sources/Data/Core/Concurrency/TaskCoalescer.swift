import BrowseDomain
import Synchronization

/// Runs equal work once for all callers that want its result at the same time.
///
/// Waiters cancel independently. When the last waiter cancels, so does the work, and a later caller starts it again.
final class TaskCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Answer = OneShot<Result<Value, BrowseError>>

    private struct Waiter {
        let answer: Answer
        var priority: LoadPriority
        /// The priority of the load that waits, which can change; `nil` if it's constant.
        let sharedPriority: CoalescedPriority?
    }

    private struct CoalescedTask {
        let sharedPriority: CoalescedPriority
        var task: Task<Void, Never>?
        private(set) var waiters: [ObjectIdentifier: Waiter] = [:]
        /// The number of waiters by priority.
        private var counts: [LoadPriority: Int] = [:]

        init(_ first: Waiter) {
            sharedPriority = CoalescedPriority(first.priority)
            add(first)
        }

        mutating func add(_ waiter: Waiter) {
            waiters[ObjectIdentifier(waiter.answer)] = waiter
            count(waiter.priority, 1)
        }

        /// Removes a waiter; returns `false` if there is none.
        mutating func remove(_ answer: Answer) -> Bool {
            guard let waiter = waiters.removeValue(forKey: ObjectIdentifier(answer)) else { return false }
            count(waiter.priority, -1)
            return true
        }

        /// Reads the priority of a waiter again.
        mutating func updatePriority(of answer: Answer) {
            let id = ObjectIdentifier(answer)
            guard let old = waiters[id]?.priority, let new = waiters[id]?.sharedPriority?.priority, new != old
            else { return }
            waiters[id]?.priority = new
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

    private let tasks = Mutex<[Key: CoalescedTask]>([:])

    /// The number of tasks in flight.
    var count: Int { tasks.withLock { $0.count } }

    /// Returns the result of the task in flight for a key, or starts one.
    ///
    /// The work runs in its own task, with the task-local values of the caller that started it.
    ///
    /// - Parameters:
    ///   - key: The key, which is the same for equal work.
    ///   - priority: The caller's priority, unless its task has a ``CoalescedPriority``, which can change while it waits. The work
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
        let answer = Answer()
        let shared = CoalescedPriority.current
        let listener = shared.map { listen(to: $0, for: answer, key) }
        defer { if let listener { shared?.removeListener(listener) } }
        let result = await withTaskCancellationHandler {
            startOrJoin(work, for: key, answer, priority, willJoin)
            return await answer.value
        } onCancel: {
            cancel(answer, key)
        }
        return try result.get()
    }

    /// Reads the priority of a waiter again whenever it changes; returns the number of the listener.
    private func listen(to priority: CoalescedPriority, for answer: Answer, _ key: Key) -> Int {
        priority.addListener { [weak self] _ in
            self?.tasks.withLock { $0[key]?.updatePriority(of: answer) }
        }
    }

    /// Adds a waiter to the task in flight, or starts one.
    private func startOrJoin(
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value,
        for key: Key,
        _ answer: Answer,
        _ priority: LoadPriority,
        _ willJoin: () -> Void
    ) {
        switch join(answer, for: key, priority: priority) {
        case .first(let task): start(work, for: key, task)
        case .later: willJoin()
        case nil: break
        }
    }

    private enum Position {
        case first(CoalescedTask)
        case later
    }

    /// Adds a waiter; returns `nil` if its task is canceled.
    private func join(_ answer: Answer, for key: Key, priority: LoadPriority) -> Position? {
        tasks.withLock { tasks in
            // An earlier cancellation found no waiter to remove; later ones, and changes of the priority, find it.
            guard !Task.isCancelled else { return nil }
            let shared = CoalescedPriority.current
            let waiter = Waiter(
                answer: answer,
                priority: shared?.priority ?? priority,
                sharedPriority: shared
            )
            if tasks[key]?.add(waiter) != nil { return .later }
            let task = CoalescedTask(waiter)
            tasks[key] = task
            return .first(task)
        }
    }

    private func start(
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value,
        for key: Key,
        _ shared: CoalescedTask
    ) {
        let priority = shared.sharedPriority
        let task = Task.startImmediately { [self] in
            let result = await CoalescedPriority.$current.withValue(priority) { await Result.of(work) }
            finish(key, priority, result)
        }
        let isWanted = tasks.withLock { tasks in
            guard tasks[key]?.sharedPriority === priority else { return false }
            tasks[key]?.task = task
            return true
        }
        // The last waiter canceled before the task was stored, or the work has finished already.
        if !isWanted { task.cancel() }
    }

    private func cancel(_ answer: Answer, _ key: Key) {
        let task = tasks.withLock { tasks -> Task<Void, Never>? in
            guard tasks[key]?.remove(answer) == true, let work = tasks[key], work.waiters.isEmpty else { return nil }
            tasks[key] = nil
            return work.task
        }
        task?.cancel()
        answer.resolve(.failure(.cancelled))
    }

    /// Resumes the waiters of the task with a priority object, which identifies it.
    ///
    /// A canceled task may have been replaced by a new one.
    private func finish(_ key: Key, _ priority: CoalescedPriority, _ result: Result<Value, BrowseError>) {
        let waiters = tasks.withLock { tasks -> [Waiter] in
            guard let index = tasks.index(forKey: key), tasks[index].value.sharedPriority === priority else {
                return []
            }
            return Array(tasks.remove(at: index).value.waiters.values)
        }
        for waiter in waiters { waiter.answer.resolve(result) }
    }
}
