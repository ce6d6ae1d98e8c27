import Dispatch
import Foundation
import Synchronization

/// A thread that runs commands on one connection, in order of arrival.
final class RedisConnection: Sendable {
    /// Runs on the thread; without a session, the connection has ended.
    private typealias Job = @Sendable (RedisSession?) -> Void

    /// The jobs that wait for the thread, which doesn't retain the connection.
    private final class Inbox: Sendable {
        private struct State {
            var jobs: [Job] = []
            var isStopped = false
        }

        private let state = Mutex(State())
        private let arrivals = DispatchSemaphore(value: 0)

        func add(_ job: @escaping Job) {
            let isStopped = state.withLock { state in
                if !state.isStopped { state.jobs.append(job) }
                return state.isStopped
            }
            if isStopped { job(nil) } else { arrivals.signal() }
        }

        func stop() {
            let jobs = state.withLock { state in
                state.isStopped = true
                defer { state.jobs = [] }
                return state.jobs
            }
            for job in jobs { job(nil) }
            arrivals.signal()
        }

        /// Waits for jobs; `nil` once stopped.
        func next() -> [Job]? {
            arrivals.wait()
            return state.withLock { state in
                guard !state.isStopped else { return nil }
                defer { state.jobs = [] }
                return state.jobs
            }
        }
    }

    private let inbox = Inbox()
    private let timeout: Duration

    /// Creates a connection, which connects when it is first used.
    ///
    /// - Parameter timeout: The longest wait for a reply, and for the thread.
    init(_ address: RedisAddress, timeout: Duration) {
        self.timeout = timeout
        Thread.detachNewThread { [inbox] in
            blockSignals()
            let session = RedisSession(address, timeout: timeout)
            while let jobs = inbox.next() {
                for job in jobs { job(session) }
            }
        }
    }

    deinit { inbox.stop() }

    /// Runs a closure on the thread, and waits for its result.
    ///
    /// If the task is canceled before the closure starts, it isn't run. Once started, it ends within the timeouts of its
    /// commands, and the wait doesn't end before: a command can't be taken back.
    ///
    /// - Parameter limit: The longest wait for a closure that only reads, also while the thread runs others; `nil` has none.
    func run<Value: Sendable>(
        within limit: Duration? = nil,
        _ body: @escaping @Sendable (RedisSession) throws(RedisFailure) -> Value
    ) async throws(RedisFailure) -> Value {
        let pending = Pending<Value>()
        let deadline = ContinuousClock.now + timeout
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard pending.wait(continuation) else { return }
                if let limit {
                    DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { pending.expire() }
                }
                inbox.add { session in
                    guard pending.start() else { return }
                    guard let session, .now < deadline else { return pending.finish(.failure(.unavailable)) }
                    do throws(RedisFailure) {
                        pending.finish(.success(try body(session)))
                    } catch {
                        pending.finish(.failure(error))
                    }
                }
            }
        } onCancel: {
            pending.cancel()
        }
        return try result.get()
    }

    /// Runs a closure on the thread, after those that were added before, without waiting.
    func enqueue(_ body: @escaping @Sendable (RedisSession) throws(RedisFailure) -> Void) {
        inbox.add { session in
            guard let session else { return }
            do throws(RedisFailure) { try body(session) } catch {}
        }
    }
}

/// A result that a task waits for.
private final class Pending<Value: Sendable>: Sendable {
    private typealias Continuation = CheckedContinuation<Result<Value, RedisFailure>, Never>

    private enum State {
        case created
        case waiting(Continuation)
        case started(Continuation)
        case finished
    }

    private let state = Mutex(State.created)

    /// Stores the continuation; resumes it and returns `false` if the task is canceled already.
    func wait(_ continuation: CheckedContinuation<Result<Value, RedisFailure>, Never>) -> Bool {
        let canWait = state.withLock { state in
            guard case .created = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !canWait { continuation.resume(returning: .failure(.cancelled)) }
        return canWait
    }

    /// Starts the work; `false` if the task was canceled.
    func start() -> Bool {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .started(continuation)
            return true
        }
    }

    func finish(_ result: Result<Value, RedisFailure>) {
        let continuation = state.withLock { state -> Continuation? in
            guard case .started(let continuation) = state else { return nil }
            state = .finished
            return continuation
        }
        continuation?.resume(returning: result)
    }

    /// Ends the wait, also if the work has started.
    func expire() {
        let continuation = state.withLock { state -> Continuation? in
            switch state {
            case .waiting(let continuation), .started(let continuation):
                state = .finished
                return continuation
            case .created, .finished: return nil
            }
        }
        continuation?.resume(returning: .failure(.unavailable))
    }

    /// Ends the wait, unless the work has started.
    func cancel() {
        let continuation = state.withLock { state -> Continuation? in
            switch state {
            case .created:
                state = .finished
                return nil
            case .waiting(let continuation):
                state = .finished
                return continuation
            case .started, .finished:
                return nil
            }
        }
        continuation?.resume(returning: .failure(.cancelled))
    }
}

/// Blocks all signals in the current thread.
///
/// A write to a closed connection would raise SIGPIPE, which ends the process.
func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, nil)
}
