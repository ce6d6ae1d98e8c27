import Synchronization

/// Work that any number of callers share. It's canceled when all of them have been, unless it's kept.
///
/// The work starts with the first caller and runs away from the main actor. A canceled caller returns at once. The last one cancels
/// the work and waits for it to end, so that nothing changes after it returns. Later callers must start another load; see
/// ``canBeJoined``.
package final class CoalescedLoad: Sendable {
    package typealias Work = @Sendable () async -> Void
    package typealias Caller = OneShot<Void>

    private struct State {
        /// The running task. A task keeps its memory, about 13 KB, until it's released, so an ended one isn't kept.
        var task: Task<Void, Never>?
        /// Reports that the load takes long.
        var timer: Task<Void, Never>?
        var isStarted = false
        /// Whether the work continues without callers.
        var isKept = false
        var isFinished = false
        var isAbandoned = false
        /// The callers that haven't been canceled.
        var callers: [ObjectIdentifier: Caller] = [:]

        var canBeJoined: Bool { !isFinished && !isAbandoned }
    }

    private let state = Mutex(State())
    private let priority: CoalescedPriority
    private let work: Work

    /// Creates a load that hasn't started.
    ///
    /// - Parameter work: Must not retain the owner of this load while it waits.
    package init(priority: CoalescedPriority = CoalescedPriority(.visible), _ work: @escaping Work) {
        self.priority = priority
        self.work = work
    }

    /// Whether callers can join: the load has neither ended nor been abandoned.
    package var canBeJoined: Bool { state.withLock(\.canBeJoined) }

    /// Raises the priority of the work, for a caller that joins it.
    package func raisePriority(to priority: LoadPriority) { self.priority.raise(to: priority) }

    /// Calls a closure if the load still runs in five seconds; call it before the load starts.
    package func onDelay(by clock: any Clock<Duration>, _ report: @escaping @MainActor @Sendable () -> Void) {
        let timer = clock.startTimeLimit(of: .seconds(5)) { [weak self] in
            guard self?.canBeJoined == true else { return }
            Task { @MainActor in report() }
        }
        state.withLock { $0.timer = timer }
    }

    /// Starts the work if it hasn't started.
    package func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isFinished
        }
        guard isFirst else { return }
        let task = Task { @concurrent in
            await work()
            finish()
        }
        let isAbandoned = state.withLock { state in
            state.task = state.isFinished ? nil : task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Starts the work, which continues without callers.
    package func keep() {
        state.withLock { $0.isKept = true }
        start()
    }

    /// Starts the work if it hasn't started, and waits until it has ended or the caller is canceled.
    @MainActor
    package func wait() async {
        let caller = Caller()
        let isFinished = state.withLock { state in
            if !state.isFinished { state.callers[ObjectIdentifier(caller)] = caller }
            return state.isFinished
        }
        guard !isFinished else { return }
        start()
        await wait(for: caller)
    }

    /// Adds a caller with its options, which then waits; returns `false` if it can't join.
    fileprivate func join(_ caller: Caller, _ options: LoadOptions) -> Bool {
        state.withLock { state in
            guard state.canBeJoined else { return false }
            state.callers[ObjectIdentifier(caller)] = caller
            priority.add(caller, options)
            return true
        }
    }

    fileprivate func wait(for caller: Caller) async {
        await withTaskCancellationHandler {
            await caller.value
        } onCancel: {
            leave(caller)
        }
    }

    private func leave(_ caller: Caller) {
        let (leaving, task) = state.withLock { state -> (Caller?, Task<Void, Never>?) in
            if state.callers.count == 1, state.callers[ObjectIdentifier(caller)] != nil, !state.isKept {
                // It stays, and waits for the end.
                state.isAbandoned = true
                return (nil, state.task)
            }
            priority.remove(caller)
            return (state.callers.removeValue(forKey: ObjectIdentifier(caller)), nil)
        }
        leaving?.resolve(())
        task?.cancel()
    }

    /// Cancels the work; callers wait for it to end.
    package func cancel() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        if let task { task.cancel() } else { finish() }
    }

    private func finish() {
        let ended = state.withLock { state in
            state.isFinished = true
            defer { (state.callers, state.task, state.timer) = ([:], nil, nil) }
            return state
        }
        ended.timer?.cancel()
        for caller in ended.callers.values { caller.resolve(()) }
    }
}

/// Runs equal work once for all callers that want its result at the same time.
///
/// Each key has a ``CoalescedLoad``.
package final class TaskCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    package typealias Work = @Sendable (CoalescedPriority) async throws(BrowseError) -> Value

    private struct Entry {
        let load: CoalescedLoad
        let result: OneShot<Result<Value, BrowseError>>
    }

    private let entries = Mutex<[Key: Entry]>([:])

    package init() {}

    /// Returns the result of the work in flight for a key, or starts one.
    ///
    /// The work runs with the task-local values of the caller that started it, and with the highest priority of all callers.
    package func value(
        for key: Key,
        _ options: LoadOptions = LoadOptions(),
        willJoin: () -> Void = {},
        _ work: @escaping Work
    ) async throws(BrowseError) -> Value {
        guard !Task.isCancelled else { throw .cancelled }
        let caller = CoalescedLoad.Caller()
        let (entry, isFirst) = entries.withLock { entries in
            if let entry = entries[key], entry.load.join(caller, options) { return (entry, false) }
            let entry = Self.entry(for: work)
            _ = entry.load.join(caller, options)
            entries[key] = entry
            return (entry, true)
        }
        if isFirst { entry.load.start() } else { willJoin() }
        await entry.load.wait(for: caller)
        entries.withLock { entries in
            // Abandoned work may have been replaced.
            if entries[key]?.load === entry.load, !entry.load.canBeJoined { entries[key] = nil }
        }
        return try (entry.result.resolved ?? .failure(.cancelled)).get()
    }

    private static func entry(for work: @escaping Work) -> Entry {
        let (priority, result) = (CoalescedPriority(.prefetch), OneShot<Result<Value, BrowseError>>())
        let load = CoalescedLoad(priority: priority) {
            let value = await Result.of { () throws(BrowseError) in try await work(priority) }
            result.resolve(value)
        }
        return Entry(load: load, result: result)
    }
}

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
