import BrowseDomain
import Synchronization

/// Does equal work once for all who want it at the same time.
///
/// Each who waits may be canceled for themselves. When the last one has gone, the work is canceled too; who comes after
/// that begins it again.
final class TaskCoalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, BrowseError>, Never>

    private struct Piece {
        let number: Int
        let sharedPriority: SharedPriority
        /// The rate limit that it waits for, which all loads that wait for it report.
        let wait = RateLimitWait()
        var task: Task<Void, Never>?
        private(set) var waiters: [Int: (waiter: Waiter, priority: LoadPriority, wait: RateLimitWait?)] = [:]
        /// How many of them want it how soon.
        private var counts: [LoadPriority: Int] = [:]

        init(number: Int, priority: LoadPriority) {
            self.number = number
            sharedPriority = SharedPriority(priority)
        }

        mutating func join(_ waiter: Waiter, as number: Int, priority: LoadPriority) {
            let load = RateLimitWait.current
            waiters[number] = (waiter, priority, load)
            load.map(wait.add)
            count(priority, 1)
        }

        mutating func leave(_ number: Int) -> Waiter? {
            guard let (waiter, priority, load) = waiters.removeValue(forKey: number) else { return nil }
            load.map(wait.remove)
            count(priority, -1)
            return waiter
        }

        private mutating func count(_ priority: LoadPriority, _ change: Int) {
            counts[priority, default: 0] += change
            if counts[priority] == 0 { counts[priority] = nil }
            if let most = counts.keys.max() { sharedPriority.change(to: most) }
        }
    }

    private enum Place {
        case first
        case joined
        case cancelled
    }

    private struct State {
        var pieces: [Key: Piece] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// How many pieces of work are being done.
    var count: Int { state.withLock { $0.pieces.count } }

    /// Waits for the work that is being done for a key, or begins it.
    ///
    /// The work runs in a task of its own, with the task-local values of whoever began it.
    ///
    /// - Parameters:
    ///   - key: Work is equal when its keys are.
    ///   - priority: How soon it is wanted; work that has begun already is as urgent as the most urgent of those who
    ///     wait for it.
    ///   - willJoin: Called when it has begun already.
    ///   - work: What to do.
    /// - Throws: What the work throws; `.cancelled` when the calling task is cancelled.
    func value(
        for key: Key,
        priority: LoadPriority = .visible,
        willJoin: () -> Void = {},
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                wait(waiter, as: number, for: key, priority: priority, willJoin: willJoin, work)
            }
        } onCancel: {
            leave(number, key)
        }
        return try result.get()
    }

    private func wait(
        _ waiter: Waiter,
        as number: Int,
        for key: Key,
        priority: LoadPriority,
        willJoin: () -> Void,
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value
    ) {
        let place = state.withLock { state -> Place in
            // Cancelled before it stands here, nobody would find it.
            guard !Task.isCancelled else { return .cancelled }
            if state.pieces[key]?.join(waiter, as: number, priority: priority) != nil { return .joined }
            var piece = Piece(number: number, priority: priority)
            piece.join(waiter, as: number, priority: priority)
            piece.task = Task { [self, sharedPriority = piece.sharedPriority, wait = piece.wait] in
                let result = await SharedPriority.$current.withValue(sharedPriority) {
                    await RateLimitWait.$current.withValue(wait) { await Result.of(work) }
                }
                finish(key, number, result)
            }
            state.pieces[key] = piece
            return .first
        }
        switch place {
        case .first: break
        case .joined: willJoin()
        case .cancelled: waiter.resume(returning: .failure(.cancelled))
        }
    }

    private func leave(_ number: Int, _ key: Key) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.pieces[key]?.leave(number) else { return (nil, nil) }
            guard state.pieces[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.pieces.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(returning: .failure(.cancelled))
    }

    private func finish(_ key: Key, _ number: Int, _ result: Result<Value, BrowseError>) {
        let waiters = state.withLock { state -> [Waiter] in
            // Given up, and perhaps begun again.
            guard let index = state.pieces.index(forKey: key), state.pieces[index].value.number == number else {
                return []
            }
            // Not by key path, which generic code makes again each time: that took longer than all the rest here.
            return state.pieces.remove(at: index).value.waiters.values.map { $0.waiter }
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }
}
