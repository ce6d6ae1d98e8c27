package import BrowseDomain
import Synchronization

/// A call of a transport's `send`: resumes the caller once for each hop, with the first outcome.
///
/// A failure is final: later hops of the same call fail with it, too.
package final class PendingCall: Sendable {
    package typealias Outcome = Result<HTTPClient.Response, BrowseError>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        case failed(BrowseError)
    }

    /// When ``CurlLoop`` fails the call with a time-out; `nil` if a clock measures the time.
    let deadline: ContinuousClock.Instant?
    private let state = Mutex(State.idle)

    package init(deadline: ContinuousClock.Instant? = nil) {
        self.deadline = deadline
    }

    /// Whether a hop is in flight.
    var isWaiting: Bool { state.withLock { if case .waiting = $0 { true } else { false } } }

    /// Whether the call has failed, so that its response isn't needed.
    var hasFailed: Bool { state.withLock { if case .failed = $0 { true } else { false } } }

    /// Whether the call has failed because of its time limit.
    var hasTimedOut: Bool { state.withLock { if case .failed(.timedOut) = $0 { true } else { false } } }

    /// Begins a hop; returns `false`, and resumes the caller, if the call has failed.
    package func begin(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let failure = state.withLock { state -> BrowseError? in
            if case .failed(let error) = state { return error }
            state = .waiting(continuation)
            return nil
        }
        guard let failure else { return true }
        continuation.resume(returning: .failure(failure))
        return false
    }

    /// Ends the current hop.
    package func finish(with outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .idle
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Fails the call, unless it has failed; returns whether a hop was in flight.
    @discardableResult
    package func fail(with error: BrowseError) -> Bool {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            defer { if case .failed = state {} else { state = .failed(error) } }
            return if case .waiting(let continuation) = state { continuation } else { nil }
        }
        continuation?.resume(returning: .failure(error))
        return continuation != nil
    }
}
