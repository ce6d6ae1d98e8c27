import BrowseDomain
import Synchronization

/// A load that any number of callers share. It's canceled when all of them have been, unless it's kept.
///
/// The work starts with the first caller and runs away from the main actor. Its ``Delivery`` runs on the main actor in the
/// task of a caller, which saves two thread switches over the load's own task.
///
/// A canceled caller returns at once. The last one cancels the work and waits for it to end, so that the screen is
/// settled when it returns. Later callers must start another load; see ``canBeJoined``.
final class CoalescedLoad: Sendable {
    typealias Work = @Sendable () async -> Delivery?

    /// Delivers the result of the work on the main actor; returns more work, or `nil` at the end.
    struct Delivery: Sendable {
        let run: @MainActor @Sendable () -> Work?
    }

    fileprivate struct State {
        /// The running task. A task keeps its memory, about 13 KB, until it's released, so an ended one isn't kept.
        var task: Task<Void, Never>?
        /// Reports that the load takes long.
        var timer: Task<Void, Never>?
        var isStarted = false
        /// Whether the work continues without callers.
        var isKept = false
        var isFinished = false
        var isAbandoned = false
        /// The number of callers that haven't been canceled.
        var callerCount = 0
        var lastNumber = 0
        var waiters: [Int: Waiter] = [:]
        /// Callers that were canceled while they ran a delivery.
        var canceled: Set<Int> = []
    }

    fileprivate typealias Waiter = OneShot<Delivery?>

    private let state = Mutex(State())
    private let priority: CoalescedPriority
    private let work: Work

    /// Creates a load that hasn't started.
    ///
    /// - Parameters:
    ///   - priority: The priority of the work, which ``raisePriority(to:)`` changes.
    ///   - work: Must not retain the owner of this load while it waits.
    init(
        priority: CoalescedPriority = CoalescedPriority(.visible),
        _ work: @escaping Work
    ) {
        self.priority = priority
        self.work = work
    }

    /// Whether callers can join: the load has neither ended nor been abandoned.
    var canBeJoined: Bool { state.withLock { !$0.isFinished && !$0.isAbandoned } }

    /// Raises the priority of the work, for a caller that joins it.
    func raisePriority(to priority: LoadPriority) {
        self.priority.raise(to: priority)
    }

    /// Starts the work if it hasn't started.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isFinished
        }
        if isFirst { perform(work) }
    }

    /// Calls a closure if the load still runs in five seconds; call it before the load starts.
    func onDelay(by clock: any Clock<Duration>, _ report: @escaping @MainActor @Sendable () -> Void) {
        let timer = clock.startTimeLimit(of: .seconds(5)) { [weak self] in
            guard self?.canBeJoined == true else { return }
            Task { @MainActor in report() }
        }
        state.withLock { $0.timer = timer }
    }

    /// Starts the work, which continues without callers.
    func keep() {
        state.withLock { $0.isKept = true }
        start()
    }

    /// Waits until the load has ended or the caller is canceled.
    @MainActor
    func wait() async { await wait(isCaller: true) }

    /// Waits like ``wait()``, but doesn't count as a caller.
    @MainActor
    func observe() async { await wait(isCaller: false) }

    /// Cancels the work; callers wait for it to end.
    func cancel() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        if let task { task.cancel() } else { finish() }
    }
}

extension CoalescedLoad {
    private func perform(_ work: @escaping Work) {
        let task = Task { @concurrent in
            guard let delivery = await work() else { return finish() }
            if !hand(delivery) { await deliver(delivery) }
        }
        let isAbandoned = state.withLock { state in
            state.task = state.isFinished ? nil : task
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    /// Gives a delivery to a caller; returns `false` if there is none.
    private func hand(_ delivery: Delivery) -> Bool {
        state.withLock { $0.waiters.popFirst()?.value }?.resolve(delivery) ?? false
    }

    @MainActor
    private func deliver(_ delivery: Delivery) {
        if let work = delivery.run() { perform(work) } else { finish() }
    }

    private func finish() {
        let (waiters, task, timer) = state.withLock { state in
            state.isFinished = true
            defer { (state.waiters, state.task, state.timer) = ([:], nil, nil) }
            return (state.waiters, state.task, state.timer)
        }
        timer?.cancel()
        // Released without the lock.
        withExtendedLifetime(task) {}
        for waiter in waiters.values { waiter.resolve(nil) }
    }

    @MainActor
    private func wait(isCaller: Bool) async {
        let (number, first) = state.withLock { state in
            if isCaller, !state.isFinished { state.callerCount += 1 }
            state.lastNumber += 1
            return (state.lastNumber, state.addWaiter(state.lastNumber))
        }
        guard var waiter = first else { return }
        if isCaller { start() }
        await withTaskCancellationHandler {
            while let delivery = await waiter.value {
                // Registers the next waiter first, so that more work can deliver in this task, too.
                let next = state.withLock { $0.addWaiter(number) }
                deliver(delivery)
                guard let next else { return }
                waiter = next
            }
        } onCancel: {
            leave(number, isCaller: isCaller)
        }
    }

    private func leave(_ number: Int, isCaller: Bool) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard !state.isFinished else { return (nil, nil) }
            if isCaller {
                state.callerCount -= 1
                if state.callerCount == 0, !state.isKept {
                    state.isAbandoned = true
                    return (nil, state.task)
                }
            }
            if let waiter = state.waiters.removeValue(forKey: number) { return (waiter, nil) }
            state.canceled.insert(number)
            return (nil, nil)
        }
        waiter?.resolve(nil)
        task?.cancel()
    }
}

extension CoalescedLoad.State {
    /// Adds a waiter; returns `nil` if its caller needn't wait.
    fileprivate mutating func addWaiter(_ number: Int) -> CoalescedLoad.Waiter? {
        guard !isFinished, canceled.remove(number) == nil else { return nil }
        let waiter = CoalescedLoad.Waiter()
        waiters[number] = waiter
        return waiter
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
        self.init([
            CoalescedLoad {
                await work()
                return nil
            }
        ])
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
