import BrowseDomain
import Synchronization

/// A load that any number of callers share. It's canceled when all of them have been, unless it's kept.
///
/// The work starts with the first caller and runs away from the main actor. A canceled caller returns at once. The last one cancels
/// the work and waits for it to end, so that the screen is settled when it returns. Later callers must start another load; see
/// ``canBeJoined``.
final class CoalescedLoad: Sendable {
    typealias Work = @Sendable () async -> Void

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
        var callers: [ObjectIdentifier: OneShot<Void>] = [:]
    }

    private let state = Mutex(State())
    private let priority: CoalescedPriority
    private let work: Work

    /// Creates a load that hasn't started.
    ///
    /// - Parameters:
    ///   - priority: The priority of the work, which ``raisePriority(to:)`` changes.
    ///   - work: Must not retain the owner of this load while it waits.
    init(priority: CoalescedPriority = CoalescedPriority(.visible), _ work: @escaping Work) {
        self.priority = priority
        self.work = work
    }

    /// Whether callers can join: the load has neither ended nor been abandoned.
    var canBeJoined: Bool { state.withLock { !$0.isFinished && !$0.isAbandoned } }

    /// Raises the priority of the work, for a caller that joins it.
    func raisePriority(to priority: LoadPriority) {
        self.priority.raise(to: priority)
    }

    /// Calls a closure if the load still runs in five seconds; call it before the load starts.
    func onDelay(by clock: any Clock<Duration>, _ report: @escaping @MainActor @Sendable () -> Void) {
        let timer = clock.startTimeLimit(of: .seconds(5)) { [weak self] in
            guard self?.canBeJoined == true else { return }
            Task { @MainActor in report() }
        }
        state.withLock { $0.timer = timer }
    }

    /// Starts the work if it hasn't started.
    func start() {
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
    func keep() {
        state.withLock { $0.isKept = true }
        start()
    }

    /// Waits until the load has ended or the caller is canceled.
    @MainActor
    func wait() async {
        let caller = OneShot<Void>()
        let isFinished = state.withLock { state in
            if !state.isFinished { state.callers[ObjectIdentifier(caller)] = caller }
            return state.isFinished
        }
        guard !isFinished else { return }
        start()
        await withTaskCancellationHandler {
            await caller.value
        } onCancel: {
            leave(caller)
        }
    }

    private func leave(_ caller: OneShot<Void>) {
        let (leaving, task) = state.withLock { state -> (OneShot<Void>?, Task<Void, Never>?) in
            if state.callers.count == 1, state.callers[ObjectIdentifier(caller)] != nil, !state.isKept {
                // It stays, and waits for the end.
                state.isAbandoned = true
                return (nil, state.task)
            }
            return (state.callers.removeValue(forKey: ObjectIdentifier(caller)), nil)
        }
        leaving?.resolve(())
        task?.cancel()
    }

    /// Cancels the work; callers wait for it to end.
    func cancel() {
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

/// The load of a screen, such as that of a list's first page.
///
/// Call it to start the load and wait for its end.
public struct ScreenLoad: Sendable {
    let loads: [CoalescedLoad]

    /// Creates a load of a screen's own work, which several callers can share.
    ///
    /// - Parameter work: Runs once, away from the main actor. Its task is canceled when all callers have been, unless
    ///   ``keep()`` was called.
    public init(_ work: @escaping @Sendable () async -> Void) {
        self.init([CoalescedLoad(work)])
    }

    /// Creates a load of several.
    init(_ loads: [CoalescedLoad?]) { self.loads = loads.compactMap(\.self) }

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

    /// Starts the load, which continues without callers until its screen starts over or is released.
    public func keep() {
        for load in loads { load.keep() }
    }
}
