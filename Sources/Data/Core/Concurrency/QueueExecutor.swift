import BrowseDomain
import Dispatch
import Synchronization

/// Runs work that blocks, in order, on a dispatch queue of its own, and bounds the waits for it.
///
/// A call of the file system can hang, and can't be canceled. On the concurrency pool, with one
/// thread per core, a few of them would stall all tasks of the process. An actor whose methods
/// block has one as its executor, and callers wait for ``run(within:isCancellable:storing:_:)``.
///
/// A wait ends after the queue's patience. The queue is *overdue* from then on, until it has caught
/// up, and meanwhile nobody waits: a disk that hangs delays its callers once.
final class QueueExecutor: SerialExecutor {
    private struct State {
        /// The numbers of pieces of work that were queued, and that have ended.
        var queued = 0
        var ended = 0
        /// The last piece whose wait has ended before it; the queue is overdue until it has ended.
        var overdue = 0
        /// The size of the queued work that stores something.
        var bytes = 0
    }

    /// Runs the work of files with tokens, and of the Keychain.
    static let tokens = QueueExecutor("tokens", patience: .seconds(10))
    /// The maximum size of queued work that stores something; more is dropped.
    private static var byteLimit: Int { 16 << 20 }

    private let queue: DispatchQueue
    private let patience: Duration
    private let limits: TimeLimits
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: The longest wait: 100 ms for caches, which callers can do without.
    ///   - clock: The clock that measures waits.
    init(
        _ name: String,
        patience: Duration = .milliseconds(100),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        queue = DispatchQueue(label: "BrowseKit.\(name)")
        self.patience = patience
        limits = TimeLimits(clock: clock)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Runs work after all earlier work; nobody waits for it.
    func handOver(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Runs work after all earlier work, and returns its result.
    ///
    /// - Parameters:
    ///   - limit: The longest wait, also while the queue is overdue; `nil` is the patience.
    ///   - isCancellable: Whether canceling the task ends the wait.
    ///   - bytes: The bytes that the work stores, which then stays queued even if nobody waits for
    ///     it any longer; `nil` skips it then.
    /// - Returns: `nil` if the wait ended before the work.
    func run<Value: Sendable>(
        within limit: Duration? = nil,
        isCancellable: Bool = true,
        storing bytes: Int? = nil,
        _ work: @escaping @Sendable () -> Value
    ) async -> Value? {
        let answer = OneShot<Value?>()
        let isCancelled = isCancellable && Task.isCancelled
        let (isQueued, isAwaited, number) = state.withLock { state in
            let isAwaited = !isCancelled && (limit != nil || state.overdue <= state.ended)
            let isQueued = bytes.map { fits($0, in: state) } ?? isAwaited
            if isQueued {
                state.queued += 1
                state.bytes += bytes ?? 0
            }
            return (isQueued, isQueued && isAwaited, state.queued)
        }
        guard isQueued else { return nil }
        if isAwaited {
            limits.add(answer, limit ?? patience) { [self] in
                state.withLock { $0.overdue = max($0.overdue, number) }
                answer.resolve(nil)
            }
        }
        queue.async { [self] in
            let value = bytes != nil || answer.resolved == nil ? work() : nil
            limits.remove(answer)
            state.withLock { state in
                state.ended += 1
                state.bytes -= bytes ?? 0
            }
            answer.resolve(value)
        }
        guard isAwaited else { return nil }
        return await answer.value { if isCancellable { answer.resolve(nil) } }
    }

    private func fits(_ bytes: Int, in state: State) -> Bool {
        bytes == 0 || state.bytes == 0 || bytes <= Self.byteLimit - state.bytes
    }
}
