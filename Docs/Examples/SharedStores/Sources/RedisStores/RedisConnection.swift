import Dispatch
import Synchronization

/// Runs commands on one connection, in order of arrival.
///
/// hiredis blocks, so they don't run on Swift's threads.
final class RedisConnection: Sendable {
    private let queue = DispatchQueue(label: "RedisConnection")
    /// Only closures on the queue use it.
    private nonisolated(unsafe) let session: RedisSession
    private let timeout: Duration

    /// Creates a connection, which connects when it is first used.
    ///
    /// - Parameter timeout: The longest wait for a reply, and for the commands before.
    init(_ address: RedisAddress, timeout: Duration) {
        session = RedisSession(address, timeout: timeout)
        self.timeout = timeout
    }

    /// Runs a closure on the queue, and waits for its result.
    ///
    /// If the task is canceled before the closure starts, it isn't run. Once started, it ends within the timeouts of its
    /// commands, and the wait doesn't end before: a command can't be taken back.
    ///
    /// - Parameter limit: The longest wait for a closure that only reads, also while others run; `nil` has none.
    func run<Value: Sendable>(
        within limit: Duration? = nil,
        _ body: @escaping @Sendable (RedisSession) throws(RedisFailure) -> Value
    ) async throws(RedisFailure) -> Value {
        let pending = Pending<Value>()
        let deadline = ContinuousClock.now + timeout
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                pending.wait(continuation)
                if let limit {
                    DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) {
                        pending.finish(.failure(.unavailable))
                    }
                }
                queue.async { [self] in
                    guard pending.start() else { return }
                    guard .now < deadline else { return pending.finish(.failure(.unavailable)) }
                    do throws(RedisFailure) {
                        pending.finish(.success(try body(session)))
                    } catch {
                        pending.finish(.failure(error))
                    }
                }
            }
        } onCancel: {
            pending.finish(.failure(.cancelled), unlessStarted: true)
        }
        return try result.get()
    }

    /// Runs a closure on the queue, after those that were added before, without waiting.
    func enqueue(_ body: @escaping @Sendable (RedisSession) throws(RedisFailure) -> Void) {
        queue.async { [self] in
            do throws(RedisFailure) { try body(session) } catch {}
        }
    }
}

/// A result that a task waits for.
private final class Pending<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, RedisFailure>

    private let state = Mutex(
        (continuation: CheckedContinuation<Outcome, Never>?.none, isStarted: false, isOver: false)
    )

    func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(returning: .failure(.cancelled)) }
    }

    /// Starts the work; `false` if nobody waits for it.
    func start() -> Bool {
        state.withLock { state in
            state.isStarted = !state.isOver
            return state.isStarted
        }
    }

    /// Ends the wait, also if the work has started.
    func finish(_ outcome: Outcome, unlessStarted: Bool = false) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard !unlessStarted || !state.isStarted else { return nil }
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume(returning: outcome)
    }
}
