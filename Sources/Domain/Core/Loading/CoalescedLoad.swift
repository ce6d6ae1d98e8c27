import Synchronization

/// Work that any number of callers share. It's canceled when all of them have been, unless it's
/// kept.
///
/// The work starts with the first caller and runs away from the main actor. A canceled caller
/// returns at once. The last one cancels the work and waits for it to end, so that nothing changes
/// after it returns. Later callers must start another load; see ``canBeJoined``.
package final class CoalescedLoad: Sendable {
    package typealias Work = @Sendable () async -> Void
    package typealias Caller = OneShot<Void>

    /// The loads that the current task belongs to, from the outermost to the innermost.
    @TaskLocal package static var current: [CoalescedLoad] = []

    private struct State {
        /// The work, until it starts or will never start, so that an ended load retains nothing.
        var work: Work?
        /// The running task. A task keeps its memory, about 13 KB, until it's released, so an ended
        /// one isn't kept.
        var task: Task<Void, Never>?
        /// Whether the work continues without callers.
        var isKept = false
        var isFinished = false
        var isAbandoned = false
        /// Whether the account has changed something since the load's first request.
        var isOutdated = false
        /// The callers that haven't been canceled.
        var callers: [ObjectIdentifier: Caller] = [:]
        /// The load that has replaced this one, and taken over its callers.
        var replacement: CoalescedLoad?

        var canBeJoined: Bool { !isFinished && !isAbandoned }
    }

    private let state: Mutex<State>
    private let priority: CoalescedPriority

    /// Creates a load that hasn't started.
    ///
    /// - Parameter work: Must not retain the owner of this load while it waits.
    package init(priority: CoalescedPriority = CoalescedPriority(.visible), _ work: @escaping Work) {
        self.priority = priority
        state = Mutex(State(work: work))
    }

    /// Whether callers can join: the load has neither ended nor been abandoned.
    package var canBeJoined: Bool { state.withLock(\.canBeJoined) }

    /// Whether callers that read something again can join.
    ///
    /// They can't after a change of the account, of which the load's first request knew nothing.
    package var isCurrent: Bool { state.withLock { $0.canBeJoined && !$0.isOutdated } }

    /// Marks the load as older than a change.
    package func setOutdated() { state.withLock { $0.isOutdated = true } }

    /// Raises the priority of the work, for a caller that joins it.
    package func raisePriority(to priority: LoadPriority) { self.priority.raise(to: priority) }

    /// Starts the work if it hasn't started.
    package func start() {
        guard let work = state.withLock({ $0.work.take() }) else { return }
        // Without those that have started this one and ended.
        let loads = Self.current.filter(\.canBeJoined) + [self]
        let task = Task { @concurrent in
            await Self.$current.withValue(loads) { await work() }
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

    /// Undoes ``keep()``: the work is canceled again when all callers have been.
    package func release() { state.withLock { $0.isKept = false } }

    /// Starts the work if it hasn't started, and waits until it has ended or the caller is
    /// canceled.
    @MainActor
    package func wait() async { await wait(for: join()) }

    /// Starts the work if it hasn't started, for a caller that then waits.
    package func join() -> Caller {
        let caller = Caller()
        let isFinished = state.withLock { state in
            if !state.isFinished { state.callers[ObjectIdentifier(caller)] = caller }
            return state.isFinished
        }
        if isFinished { caller.resolve(()) } else { start() }
        return caller
    }

    /// Starts the work, which continues without callers, and waits for its end.
    ///
    /// The wait ends earlier with its time limit, or its caller.
    package func keep(atMost limit: Duration, by clock: any Clock<Duration>) async {
        let caller = join()
        keep()
        let timer = clock.startTimeLimit(of: limit) { caller.resolve(()) }
        await wait(for: caller)
        timer.cancel()
    }

    /// Adds a caller with its options, which then waits; returns `false` if it can't join.
    func join(_ caller: Caller, _ options: LoadOptions) -> Bool {
        state.withLock { state in
            guard state.canBeJoined else { return false }
            state.callers[ObjectIdentifier(caller)] = caller
            priority.add(caller, options)
            return true
        }
    }

    /// Waits until the work has ended or the caller is canceled.
    package func wait(for caller: Caller) async {
        await caller.value { leave(caller) }
    }

    private func leave(_ caller: Caller) {
        let (leaving, task, replacement) = state.withLock { state -> (Caller?, Task<Void, Never>?, CoalescedLoad?) in
            // Work that hasn't started isn't canceled, because a caller is about to start it.
            if state.callers.keys.elementsEqual([ObjectIdentifier(caller)]), !state.isKept, state.work == nil {
                // It stays, and waits for the end.
                state.isAbandoned = true
                return (nil, state.task, nil)
            }
            priority.remove(caller)
            return (state.callers.removeValue(forKey: ObjectIdentifier(caller)), nil, state.replacement)
        }
        leaving?.resolve(())
        task?.cancel()
        replacement?.leave(caller)
    }

    /// Cancels the work; callers wait for it to end, or for the load that replaces it.
    ///
    /// - Parameter replacement: A new load without callers, such as that of the same page for
    ///   another account. It's kept if this one is.
    package func cancel(replacedBy replacement: CoalescedLoad? = nil) {
        let task = state.withLock { state in
            defer { state.isAbandoned = true }
            // The canceled caller of an abandoned load waits for the end of this one. An ended load
            // has no callers, and retains nothing.
            guard let replacement, state.canBeJoined else { return state.task }
            let (callers, isKept) = (state.callers, state.isKept)
            replacement.state.withLock { ($0.callers, $0.isKept) = (callers, isKept) }
            (state.callers, state.replacement) = ([:], replacement)
            return state.task
        }
        if let task { task.cancel() } else { finish() }
    }

    private func finish() {
        let ended = state.withLock { state in
            state.isFinished = true
            defer {
                state.work = nil
                state.callers = [:]
                state.task = nil
            }
            return state
        }
        for caller in ended.callers.values { caller.resolve(()) }
    }
}
